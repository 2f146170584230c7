import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createPublisher, type Publisher } from '@comanda/shared/messaging/publisher';
import { createLogger } from '@comanda/shared/runtime/logger';
import { serviceImage } from '@comanda/local-stack/service-image';
import { startOwnServer } from '@comanda/testing/own-server';
import { freePort } from '@comanda/testing/service-process';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';

export type BenchFeed = {
  url: string;
  publisher: Publisher;
  brokerUrl: string;
  /** An access token of a waiter. */
  token: string;
  /** Kills the notifier and starts it again on the same port. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the notifier and runs it in its own process, with its own broker and token issuer. */
export async function startBenchFeed(): Promise<BenchFeed> {
  execFileSync(
    'npm',
    ['run', 'build', '-w', 'packages/contracts', '-w', 'packages/shared', '-w', 'services/notifier'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const broker = await startOwnServer('rabbitmq');
  const issuer = await startTestIssuer();
  const port = await freePort();
  const image = serviceImage('notifier');
  const start = () =>
    spawn(process.execPath, [...image.flags, image.main], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...image.env,
        NODE_ENV: 'test', // production refuses the account guest:guest of this broker
        HOST: '127.0.0.1',
        PORT: String(port),
        RABBITMQ_URL: broker.url,
        JWKS_URL: issuer.jwksUrl,
        LOG_LEVEL: 'warn',
        SOCKETS_PER_USER: '10000',
        DRAIN_WINDOW_MS: '0',
      },
    });
  let notifier = start();
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const ended = once(notifier, 'exit');
    notifier.kill(signal);
    await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  const isReady = async (): Promise<boolean> => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false;
  await until(isReady, { what: 'the notifier to be ready', timeoutMs: 20_000 });
  const logger = createLogger({ service: 'bench', level: 'warn' });
  const publisher = createPublisher({ url: broker.url, name: 'bench', logger });
  return {
    url,
    publisher,
    brokerUrl: broker.url,
    token: issuer.token({ sub: 1, role: 'waiter' }),
    restart: async () => {
      await end('SIGKILL');
      notifier = start();
    },
    stop: async () => {
      await end('SIGTERM');
      await publisher.close();
      await issuer.close();
      await broker.discard();
    },
  };
}
