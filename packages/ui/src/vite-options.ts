import { basename, relative } from 'node:path';
import type { CSSOptions, Plugin, UserConfig } from 'vite';

/** The oldest browsers that the build supports. docs/browsers.md lists the features that no build can convert for them. */
const oldestBrowsers = ['safari15.4', 'ios15.4', 'chrome100', 'firefox100'];

/** Returns the cascade layer of a style sheet. Null for the page that browsers without layers show too. */
function layerOf(file: string): 'base' | 'ui' | 'app' | null {
  const name = basename(file);
  if (name === 'not-started.css') return null;
  if (relative(import.meta.dirname, file).startsWith('..')) return 'app';
  return name === 'tokens.css' || name === 'base.css' ? 'base' : 'ui';
}
/** Puts each style sheet into its layer, so that an app's rule beats one of `ui` whatever their selectors. */
const css: CSSOptions = {
  postcss: {
    plugins: [
      {
        postcssPlugin: 'layers',
        Once(sheet, { AtRule }) {
          const layer = layerOf(sheet.source?.input.file ?? '');
          if (layer === null) return;
          const block = new AtRule({ name: 'layer', params: layer, nodes: [] });
          block.append(sheet.nodes);
          sheet.append(new AtRule({ name: 'layer', params: 'base, ui, app' }), block);
        },
      },
    ],
  },
};

/**
 * Vite's options for both apps. The gateway serves the built files with a Content-Security-Policy that forbids inline scripts,
 * inline styles and all other hosts.
 */
export const viteOptions: UserConfig = {
  clearScreen: false,
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  css,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: oldestBrowsers,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // By default, the first load would list the scripts that each later part imports. They are left out, because the service
      // worker stores them all. Without a service worker, loading a part takes one more request.
      resolveDependencies: (_file, imported, { hostType }) =>
        hostType === 'js' ? imported.filter((name) => name.endsWith('.css')) : imported,
    },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false }, // Users who start the app can't act on these warnings.
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

/**
 * Removes what the feed doesn't use from Socket.IO: all transports except WebSocket, and the namespace object of its parser, for
 * which the first load would need Rolldown's runtime. This saves a sixth of its size.
 */
export const webSocketOnly: Plugin = {
  name: 'websocket-only',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/engine.io-client/build/esm/transports/index.js')
      ? "import { WS } from './websocket.js';\nexport const transports = { websocket: WS };"
      : null,
  transform: (code, id) => {
    if (id.endsWith('/socket.io-client/build/esm/manager.js'))
      return {
        code: code.replace(
          'import * as parser from "socket.io-parser";',
          'import { Decoder, Encoder } from "socket.io-parser";\nconst parser = { Decoder, Encoder };',
        ),
        map: null,
      };
    return id.includes('/engine.io-client/build/esm/transports/polling')
      ? { code, map: null, moduleSideEffects: false }
      : null;
  },
};

/**
 * Replaces Vite's helper that loads a part of the app with its style sheets. Ours has a fifth of the size, because parts preload
 * only style sheets, and it loads them beside the script. As with Vite's, a failure causes the event `vite:preloadError`.
 */
export const smallPreload: Plugin = {
  name: 'small-preload',
  enforce: 'pre',
  transform(_code, id) {
    return id === '\0vite/preload-helper.js' ? { code: preloadCode(this.environment.config.base), map: null } : null;
  },
};

const preloadCode = (base: string): string => `
const sheets = {};
const loadSheet = (file) => (sheets[file] ??= new Promise((resolve, reject) => {
  const href = ${JSON.stringify(base)} + file;
  if (document.querySelector('link[href="' + href + '"]')) return resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = href;
  link.onload = resolve;
  link.onerror = () => {
    delete sheets[file];
    link.remove();
    reject(new Error(file));
  };
  document.head.append(link);
}));
export const __vitePreload = (importPart, files = []) =>
  Promise.all([importPart(), ...files.map(loadSheet)]).then(
    ([part]) => part,
    (error) => {
      dispatchEvent(new Event('vite:preloadError'));
      throw error;
    },
  );
`;

type ModuleInfo = { isEntry: boolean; importers: readonly string[] } | null;

/**
 * Returns true if every page load needs this module. All such modules go into a single file, because many small files are larger
 * in total and each needs a request.
 */
function isInFirstLoad(id: string, infoOf: (id: string) => ModuleInfo, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const info = infoOf(id);
  return info !== null && (info.isEntry || info.importers.some((importer) => isInFirstLoad(importer, infoOf, seen)));
}
