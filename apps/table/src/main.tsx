import { render } from 'preact';
import '@comanda/ui/tokens.css';
import '@comanda/ui/base.css';
import { App } from './app.tsx';
import { followMenu } from './state/menu.ts';
import { followOrders } from './state/orders.ts';
import { readScannedToken, takeSeat } from './state/seat.ts';
import { resumeSending } from './state/sending.ts';
import { unlockSound } from './state/sound.ts';

// First of all: the token leaves the address before anything else can read it.
const token = readScannedToken();
followMenu();
followOrders();
resumeSending();
if (token !== null) void takeSeat(token);
addEventListener('pointerdown', unlockSound, { once: true });

const root = document.querySelector('#app');
if (root) render(<App />, root);
