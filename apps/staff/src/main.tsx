import { createClient } from '@comanda/client/core';
import { render } from 'preact';
import '@comanda/ui/tokens.css';
import '@comanda/ui/base.css';
import '@comanda/ui/layout.css';
import '@comanda/ui/not-started.css';
import { applyLanguage } from '@comanda/ui/language.ts';
import { readRestaurantClock } from '@comanda/ui/restaurant-time.ts';
import { applyTheme } from '@comanda/ui/theme.ts';
import { App } from './app.tsx';
import { openScreenRelease } from './release/open-screen-release.ts';
import { readFeedUrls } from './feed/read-feed-urls.ts';
import { keepForOffline } from '@comanda/ui/web-app/keep-for-offline.ts';

applyLanguage();
applyTheme();
const client = createClient({
  url: location.origin,
  feedUrls: readFeedUrls(),
  app: { name: 'kitchen', takesOver: ({ role }) => role !== 'customer' },
  onPasswordChangeRequired: () => void client.signOut(),
});
void readRestaurantClock(client);
const root = document.querySelector('#app');
if (root) render(<App client={client} release={openScreenRelease()} />, root);
document.querySelector('.not-started')?.remove();
keepForOffline('/kitchen');
