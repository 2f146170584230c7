import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { appFolders } from '@comanda/local-stack/build-apps';
import { builtAppsVariable } from './built-apps.ts';
import { testDataDir } from './environment.ts';

const builds = {
  apps: `
    import { buildApps } from '@comanda/local-stack/build-apps';
    await buildApps(process.argv[1]);
  `,
  stand: `
    import { buildStand } from '@comanda/testing/stand/build-stand';
    await buildStand(process.argv[1]);
  `,
};

/**
 * Serves the folders of the built apps to Jest's workers (see `builtApps`). Builds the apps, or the apps in the stand, when a
 * test file first requests them. All later requests get the same build. Jest's main process calls this before the workers start.
 */
export async function serveBuiltApps(): Promise<{ close: () => Promise<void> }> {
  const built = new Map<string, Promise<ReturnType<typeof appFolders>>>();
  const server = createServer(({ url }, response) => {
    const what = url === '/stand' ? 'stand' : 'apps';
    const folders = built.get(what) ?? buildAll(what);
    built.set(what, folders);
    void folders
      .then((all) => ({ folders: all }))
      .catch((error: unknown) => ({ error: (error as Error).stack ?? String(error) }))
      .then((answer) => response.end(JSON.stringify(answer)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  process.env[builtAppsVariable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function buildAll(what: keyof typeof builds): Promise<ReturnType<typeof appFolders>> {
  const folder = join(testDataDir(), what);
  // Uses a separate process, because Vite can't create a production build inside a test.
  await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--input-type=module', '-e', builds[what], folder],
    {
      cwd: import.meta.dirname,
      env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    },
  );
  return appFolders(folder);
}
