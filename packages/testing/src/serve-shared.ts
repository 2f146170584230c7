import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { appFolders } from '@comanda/local-stack/build-apps';
import { seedStack } from './seed-stack.ts';
import { createShutdown } from '@comanda/shared/runtime/shutdown';
import { sharedVariable } from './ask-shared.ts';
import type { CommandName } from './auth-stepup-process.ts';
import { testDataDir } from './environment.ts';
import { isolatedServers } from './isolated-servers.ts';
import type { StackDescription } from './shared-stack.ts';
import { silentLogger } from './silent-logger.ts';
import { startStack, type Stack } from './stack.ts';
import { withoutLimits } from './step-up-calls.ts';

const build = `
  import { buildApps } from '@comanda/local-stack/build-apps';
  await buildApps(process.argv[1]);
`;

/**
 * Keeps what the test files of a run share: the built apps, and a restaurant that runs. Each is started when
 * the first file asks for it (see `askShared`), and ended by `close`. Jest's own process calls this before the workers start.
 */
export async function serveShared(): Promise<{ close: () => Promise<void> }> {
  const shutdown = createShutdown(silentLogger);
  const apps = onlyOnce(async () => {
    const folder = join(testDataDir(), 'apps');
    // In a process of its own: Vite builds what production serves only if that is not a test.
    await promisify(execFile)(process.execPath, ['--conditions=source', '--input-type=module', '-e', build, folder], {
      cwd: import.meta.dirname,
      env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    });
    return appFolders(folder);
  });
  const stack = onlyOnce(async () => {
    const started = await startRestaurant(await apps());
    shutdown.add('stack', started.close, { timeoutMs: 15_000 });
    return started;
  });
  const answerTo = async (what: string, input: never): Promise<unknown> => {
    if (what === 'apps') return apps();
    if (what === 'stack') return describe(await stack());
    return (await stack()).auth.run(what as CommandName, input);
  };

  const server = createServer((request, response) => {
    void json(request)
      .then((body) => answerTo(request.url?.slice(1) ?? '', (body as { input: never }).input))
      .then((output) => ({ output }))
      .catch((error: unknown) => ({ error: (error as Error).stack ?? String(error) }))
      .then((answer) => response.end(JSON.stringify(answer)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  process.env[sharedVariable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
      await shutdown.close();
    },
  };
}

function onlyOnce<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => (started ??= start());
}

async function startRestaurant(apps: Record<string, string>): Promise<Stack> {
  const stack = await startStack(await isolatedServers('shared'), { ...withoutLimits, ...apps });
  await seedStack(stack);
  return stack;
}

function describe({ services }: Stack): StackDescription {
  const urls = Object.entries(services).map(([name, { url, metricsUrl }]) => [name, { url, metricsUrl }]);
  return { services: Object.fromEntries(urls) as StackDescription['services'] };
}
