import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appNames } from '@comanda/local-stack/build-apps';
import { root } from '@comanda/local-stack/root';
import { build, type Plugin } from 'vite';
import { viteOptions } from '../../../ui/src/vite-options.ts';

const fakeClient = fileURLToPath(new URL('fake-client.ts', import.meta.url));

/** `main.tsx` gets the fake client, everything else the real module; and a script before all others says what the page is shown in. */
const plugin: Plugin = {
  name: 'stand',
  enforce: 'pre',
  resolveId: (id, importer) => (id === '@comanda/client' && importer?.endsWith('/src/main.tsx') ? fakeClient : null),
  transformIndexHtml: () => [{ tag: 'script', attrs: { src: '/stand-state.js' }, injectTo: 'head-prepend' }],
};

/** Builds both apps into the folder `into`, as they are but for their client. */
export async function buildStand(into: string): Promise<void> {
  await Promise.all(
    appNames.map((name) =>
      build({
        ...viteOptions,
        configFile: false,
        root: join(root, 'apps', name),
        base: name === 'kitchen' ? '/kitchen/' : '/',
        logLevel: 'warn',
        plugins: [plugin],
        build: { ...viteOptions.build, outDir: join(into, name), emptyOutDir: true, minify: false },
      }),
    ),
  );
}
