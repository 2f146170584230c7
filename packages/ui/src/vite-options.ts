import type { Plugin, UserConfig } from 'vite';

/** Scripts and style sheets are lowered to what these browsers read. What no build can lower is in docs/browsers.md. */
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
      // The list of what each later part imports is in the first load. The service worker has all parts; without it, a
      // later part waits for one more request.
      resolveDependencies: (_file, imported, { hostType }) =>
        hostType === 'js' ? imported.filter((name) => name.endsWith('.css')) : imported,
    },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false }, // a reader at a first start could do nothing about it
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

/** The feed is WebSocket only. Engine.IO's other transports are a sixth of its script, and never used. */
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
 * Whether a page always loads this module. All such modules go into one file: many small files are larger, and each is
 * a request.
 */
function isInFirstLoad(id: string, infoOf: (id: string) => ModuleInfo, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const info = infoOf(id);
  return info !== null && (info.isEntry || info.importers.some((importer) => isInFirstLoad(importer, infoOf, seen)));
}
