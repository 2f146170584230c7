import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformWithOxc, type Plugin } from 'vite';

/** `app` is the app's name, which is used for its caches. `page` is the path of the app's page on the server. */
type Options = { app: string; page: string };

/** Adds a build number to the page, and the service worker `sw.js`, which contains the names of all files. */
export function serviceWorkerPlugin({ app, page }: Options): Plugin {
  let base = '/';
  let publicFolder = '';
  return {
    name: 'comanda:service-worker',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => {
      base = config.base;
      publicFolder = config.publicDir;
    },
    generateBundle: {
      order: 'post',
      handler: async function addServiceWorker(_options, bundle) {
        const html = bundle['index.html'];
        if (html?.type !== 'asset') throw new Error('The build has no index.html.');
        const kept = publicFiles(publicFolder);
        const names = Object.keys(bundle)
          .filter((name) => name !== 'index.html')
          .sort();
        const hash = createHash('sha256').update(html.source).update(names.join('\n'));
        for (const name of kept) hash.update(name).update(readFileSync(join(publicFolder, name)));
        const id = hash.digest('hex').slice(0, 12);
        html.source = String(html.source).replace(
          '<meta name="build" content="" />',
          `<meta name="build" content="${id}" />`,
        );
        const files = [...names, ...kept].sort().map((name) => base + name);
        const source = await serviceWorkerSource();
        const build = JSON.stringify({ app, id, page, files });
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: `const build = ${build};\n${source}` });
      },
    },
  };
}

const publicFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort()
    : [];

async function serviceWorkerSource(): Promise<string> {
  const file = join(import.meta.dirname, 'service-worker.ts');
  const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file, {
    sourcemap: false,
    target: 'es2021', // the oldest supported browsers can run this version
  });
  return code;
}
