import { defineConfig } from 'vite';
import { smallPreload, viteOptions, webSocketOnly } from '@comanda/ui/vite-options.ts';
import { compressPlugin } from '@comanda/ui/web-app/compress-plugin.ts';
import { startPagePlugin } from '@comanda/ui/web-app/start-page-plugin.ts';
import { serviceWorkerPlugin } from '@comanda/ui/web-app/service-worker-plugin.ts';

// The first page's code is in one file: a second file would be compressed separately and need another request.
const firstLoad = { name: 'app', tags: ['$initial' as const] };

export default defineConfig({
  ...viteOptions,
  base: '/',
  plugins: [
    smallPreload,
    webSocketOnly,
    startPagePlugin({ en: 'You can also order from a waiter.', 'pt-BR': 'Você também pode pedir ao garçom.' }),
    serviceWorkerPlugin({ app: 'table', page: '/' }),
    compressPlugin,
  ],
  build: {
    ...viteOptions.build,
    rolldownOptions: { ...viteOptions.build?.rolldownOptions, output: { codeSplitting: { groups: [firstLoad] } } },
  },
});
