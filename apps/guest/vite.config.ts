import { defineConfig } from 'vite';
import { inFiles, isInFirstLoad, isNeededBy, smallPreload, viteOptions } from '@comanda/ui/vite-options.ts';
import { compressPlugin } from '@comanda/ui/web-app/compress-plugin.ts';
import { startPagePlugin } from '@comanda/ui/web-app/start-page-plugin.ts';
import { serviceWorkerPlugin } from '@comanda/ui/web-app/service-worker-plugin.ts';

/** The page's code is in one file, and so is the code of the part that every page loads next. */
const files = inFiles((id, infoOf) => {
  if (isInFirstLoad(id, infoOf)) return 'app';
  return isNeededBy('/order/order-pages.ts', id, infoOf) ? 'order-pages' : null;
});

export default defineConfig({
  ...viteOptions,
  base: '/',
  plugins: [
    smallPreload,
    startPagePlugin({ en: 'You can also order from a waiter.', 'pt-BR': 'Você também pode pedir ao garçom.' }),
    serviceWorkerPlugin({ app: 'table', page: '/' }),
    compressPlugin,
  ],
  build: { ...viteOptions.build, rolldownOptions: { ...viteOptions.build?.rolldownOptions, output: files } },
});
