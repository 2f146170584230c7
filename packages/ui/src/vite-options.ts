import type { UserConfig } from 'vite';

/**
 * Vite's options that both apps share. The gateway serves the built files with a Content-Security-Policy that allows no inline
 * script or style and no other host.
 */
export const viteOptions: UserConfig = {
  clearScreen: false,
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
};
