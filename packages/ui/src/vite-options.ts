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
      output: inFiles((id, infoOf) => (isInFirstLoad(id, infoOf) ? 'app' : null)),
    },
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
type InfoOf = (id: string) => ModuleInfo;

/**
 * Returns the options for a build that puts each module into the file that `fileOf` names; null lets the build decide. Many small
 * files are larger in total, and each needs a request.
 */
export function inFiles(fileOf: (id: string, infoOf: InfoOf) => string | null) {
  const name = (id: string, context: { getModuleInfo: InfoOf }) => fileOf(id, (each) => context.getModuleInfo(each));
  return { codeSplitting: { groups: [{ debugName: 'files', name }] } };
}

/** Returns true if every page load needs this module. */
export const isInFirstLoad = (id: string, infoOf: InfoOf): boolean =>
  importersOf(id, infoOf).some((each) => infoOf(each)?.isEntry === true);

/** Returns true if the module is needed at once after the one whose path ends with `root` was loaded. */
export const isNeededBy = (root: string, id: string, infoOf: InfoOf): boolean =>
  importersOf(id, infoOf).some((each) => each.endsWith(root));

/** Returns the module and all that import it, directly or not, except by a dynamic import. */
function importersOf(id: string, infoOf: InfoOf): string[] {
  const found = new Set([id]);
  for (const each of found) for (const importer of infoOf(each)?.importers ?? []) found.add(importer);
  return [...found];
}
