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
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              debugName: 'app',
              name: (id, context) => (isInFirstLoad(id, (each) => context.getModuleInfo(each)) ? 'app' : null),
            },
          ],
        },
      },
    },
  },
};

type ModuleInfo = { isEntry: boolean; importers: readonly string[] } | null;

/** What a page always loads is one file: many small ones are larger, and each is a request. */
function isInFirstLoad(id: string, infoOf: (id: string) => ModuleInfo, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const info = infoOf(id);
  return info !== null && (info.isEntry || info.importers.some((importer) => isInFirstLoad(importer, infoOf, seen)));
}
