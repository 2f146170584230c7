import { defineConfig } from 'vite';
import { viteOptions } from '@comanda/ui/vite-options.ts';
import { serviceWorkerPlugin } from '@comanda/ui/web-app/service-worker-plugin.ts';

export default defineConfig({
  ...viteOptions,
  base: '/kitchen/',
  plugins: [serviceWorkerPlugin({ app: 'kitchen', page: '/kitchen' })],
});
