import type { Plugin, UserConfig } from 'vite';

/** The browsers that scripts and style sheets are compiled for. docs/browsers.md lists the features that no build can convert. */
const oldestBrowsers = ['safari15.4', 'ios15.4', 'chrome100', 'firefox100'];

/**
 * Vite's options for both apps. The gateway serves the built files with a Content-Security-Policy that forbids inline scripts and
 * styles and all other hosts.
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
      // The first load contains a list of each later part's imports. The service worker stores all parts. Without it, loading a
      // part takes an extra request.
      resolveDependencies: (_file, imported, { hostType }) =>
        hostType === 'js' ? imported.filter((name) => name.endsWith('.css')) : imported,
    },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false }, // People who start the app for the first time can't do anything about these warnings.
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

/** Removes Engine.IO's other transports, which are a sixth of its script. The feed uses only WebSocket. */
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
 * Returns true if a page always loads this module. Such modules go into a single file, because many small files are larger and
 * each needs a request.
 */
function isInFirstLoad(id: string, infoOf: (id: string) => ModuleInfo, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const info = infoOf(id);
  return info !== null && (info.isEntry || info.importers.some((importer) => isInFirstLoad(importer, infoOf, seen)));
}
