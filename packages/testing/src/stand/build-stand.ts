import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appNames } from '@comanda/local-stack/build-apps';
import { root } from '@comanda/local-stack/root';
import { build, type Plugin } from 'vite';
import { viteOptions } from '../../../ui/src/vite-options.ts';

const fakeClient = fileURLToPath(new URL('fake-client.ts', import.meta.url));

/**
 * Replaces the client that `main.tsx` imports with the fake client. Adds a script before all other scripts, which sets the page's
 * state.
 */
const plugin: Plugin = {
  name: 'stand',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === '@comanda/client/core' && importer?.endsWith('/src/main.tsx') ? fakeClient : null,
  transformIndexHtml: () => [{ tag: 'script', attrs: { src: '/stand-state.js' }, injectTo: 'head-prepend' }],
};

/** Builds both apps into the folder `into`, with the fake client. */
export async function buildStand(into: string): Promise<void> {
  await Promise.all(
    appNames.map((name) =>
      build({
        ...viteOptions,
        configFile: false,
        root: join(root, 'apps', name),
        base: name === 'staff' ? '/kitchen/' : '/',
        logLevel: 'warn',
        plugins: [plugin],
        build: { ...viteOptions.build, outDir: join(into, name), emptyOutDir: true, minify: false },
      }),
    ),
  );
}
