import { render } from 'preact';
import { createClient } from '@comanda/client';

const client = createClient({ url: location.origin });
const root = document.querySelector('#app');
if (root) render(<p>{String(client.calls)}</p>, root);
