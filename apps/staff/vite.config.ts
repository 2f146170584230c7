import { defineConfig } from 'vite';
import { smallPreload, viteOptions, webSocketOnly } from '@comanda/ui/vite-options.ts';
import { compressPlugin } from '@comanda/ui/web-app/compress-plugin.ts';
import { startPagePlugin } from '@comanda/ui/web-app/start-page-plugin.ts';
import { serviceWorkerPlugin } from '@comanda/ui/web-app/service-worker-plugin.ts';

export default defineConfig({
  ...viteOptions,
  base: '/kitchen/',
  plugins: [
    smallPreload,
    webSocketOnly,
    startPagePlugin({ en: 'Until then, use another screen.', 'pt-BR': 'Enquanto isso, use outra tela.' }),
    serviceWorkerPlugin({ app: 'kitchen', page: '/kitchen' }),
    compressPlugin,
  ],
});
