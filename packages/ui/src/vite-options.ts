import type { Plugin, UserConfig } from 'vite';

/** The browsers that scripts and style sheets are compiled for. docs/browsers.md lists what no build can convert. */
const oldestBrowsers = ['safari15.4', 'ios15.4', 'chrome100', 'firefox100'];

/**
 * Vite's options for both apps. The gateway serves the built files with a Content-Security-Policy that allows no inline
 * script or style and no other host.
 */
export const viteOptions: UserConfig = {
  clearScreen: false,
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: oldestBrowsers,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The first load contains the list of what each later part imports. The service worker has all parts; without it, loading a
      // later part takes one more request.
      resolveDependencies: (_file, imported, { hostType }) =>
        hostType === 'js' ? imported.filter((name) => name.endsWith('.css')) : imported,
    },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false }, // a reader who starts the app for the first time could do nothing about these warnings
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

/** Removes Engine.IO's other transports: the feed is WebSocket only, and they are a sixth of its script. */
export const webSocketOnly: Plugin = {
  name: 'websocket-only',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/engine.io-client/build/esm/transports/index.js')
      ? "import { WS } from './websocket.js';\nexport const transports = { websocket: WS };"
      : null,
  transform: (code, id) =>
    id.includes('/engine.io-client/build/esm/transports/polling')
      ? { code, map: null, moduleSideEffects: false }
      : null,
};

type ModuleInfo = { isEntry: boolean; importers: readonly string[] } | null;

/**
 * Returns true if a page always loads this module. All such modules go into one file, because many small files are larger, and
 * each needs its own request.
 */
function isInFirstLoad(id: string, infoOf: (id: string) => ModuleInfo, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const info = infoOf(id);
  return info !== null && (info.isEntry || info.importers.some((importer) => isInFirstLoad(importer, infoOf, seen)));
}
