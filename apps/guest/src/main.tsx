import { createClient } from '@comanda/client/core';
import { render } from 'preact';
import '@comanda/ui/tokens.css';
import '@comanda/ui/base.css';
import '@comanda/ui/layout.css';
import '@comanda/ui/not-started.css';
import { applyLanguage } from '@comanda/ui/language.ts';
import { readRestaurantClock } from '@comanda/ui/restaurant-time.ts';
import { applyTheme } from '@comanda/ui/theme.ts';
import { followTranslator } from '@comanda/ui/translator.ts';
import { keepForOffline } from '@comanda/ui/web-app/keep-for-offline.ts';
import { App } from './app.tsx';
import { openGuestSession } from './guest-session.ts';
import { fetchWithPreloadedMenu } from './menu/preloaded-menu.ts';
import { paintMainButtons, showRestaurant } from './restaurant.ts';
import { openRouter } from './router.ts';
import { readScannedToken } from './seat/seat.ts';

// This comes first, so that the token leaves the address before anything else can read it.
const token = readScannedToken();
applyLanguage();
applyTheme();
followTranslator();
const client = createClient({
  url: location.origin,
  app: { name: 'table', takesOver: ({ role }) => role === 'customer' },
  fetch: fetchWithPreloadedMenu(),
});
paintMainButtons();
void readRestaurantClock(client, showRestaurant);
const guest = openGuestSession(client);
if (token !== null) void guest.seat.take(token);

const root = document.querySelector('#app');
if (root) render(<App guest={guest} router={openRouter()} />, root);
document.querySelector('.not-started')?.remove();
keepForOffline('');
