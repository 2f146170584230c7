import { defineConfig } from 'vite';
import { inFiles, isInFirstLoad, isNeededBy, smallPreload, viteOptions } from '@comanda/ui/vite-options.ts';
import { compressPlugin } from '@comanda/ui/web-app/compress-plugin.ts';
import { startPagePlugin } from '@comanda/ui/web-app/start-page-plugin.ts';
import { serviceWorkerPlugin } from '@comanda/ui/web-app/service-worker-plugin.ts';

const otherScreens = ['/waiter/waiter-screen.tsx', '/manager/manager-screen.tsx'];
/**
 * The first screens are the sign-in and the board. What both need is in the page's file. What the board shares with other screens
 * has its own file, so that they don't load the board.
 */
const files = inFiles((id, infoOf) => {
  const isFor = (screen: string): boolean => isNeededBy(screen, id, infoOf);
  const isForBoard = isFor('/board/board-screen.tsx');
  if (isInFirstLoad(id, infoOf)) return 'app';
  if (isFor('/sign-in/sign-in.tsx')) return isForBoard ? 'app' : 'sign-in';
  return isForBoard && otherScreens.some(isFor) ? 'tickets' : null;
});

export default defineConfig({
  ...viteOptions,
  base: '/kitchen/',
  plugins: [
    smallPreload,
    startPagePlugin({ en: 'Until then, use another screen.', 'pt-BR': 'Enquanto isso, use outra tela.' }),
    serviceWorkerPlugin({ app: 'kitchen', page: '/kitchen' }),
    compressPlugin,
  ],
  build: { ...viteOptions.build, rolldownOptions: { ...viteOptions.build?.rolldownOptions, output: files } },
});
