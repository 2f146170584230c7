import { createPublisher, type Publisher } from '@comanda/shared/messaging/publisher';
import { createLogger } from '@comanda/shared/runtime/logger';
import { startOwnServer } from '@comanda/testing/own-server';
import { builtFile, startServiceProcess } from '@comanda/testing/service-process';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import { buildServices } from '../stack.ts';

export type BenchFeed = {
  url: string;
  pid: () => number;
  publisher: Publisher;
  brokerUrl: string;
  /** A waiter's access token. */
  token: string;
  /** Kills the notifier and restarts it on the same port. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Builds the notifier and runs it as a process with its own broker and token issuer. */
export async function startBenchFeed(): Promise<BenchFeed> {
  buildServices();
  const broker = await startOwnServer('rabbitmq');
  const issuer = await startTestIssuer();
  const settings = {
    RABBITMQ_URL: broker.url,
    JWKS_URL: issuer.jwksUrl,
    LOG_LEVEL: 'warn',
    SOCKETS_PER_USER: '10000',
    RATE_LIMIT_FEED: '1000000',
    FEED_LIMIT_ADDRESS: '100000',
    FEED_PENDING_LIMIT: '100000',
    FEED_PENDING_LIMIT_ADDRESS: '100000',
    DRAIN_WINDOW_MS: '0',
  };
  const notifier = await startServiceProcess('notifier', settings, { file: builtFile });
  await notifier.ready();
  const logger = createLogger({ service: 'bench', level: 'warn' });
  const publisher = createPublisher({ url: broker.url, name: 'bench', logger });
  return {
    url: notifier.url,
    pid: notifier.pid,
    publisher,
    brokerUrl: broker.url,
    token: issuer.token({ sub: 1, role: 'waiter' }),
    restart: async () => {
      await notifier.end('SIGKILL');
      await notifier.start();
    },
    stop: async () => {
      await notifier.end('SIGTERM');
      await publisher.close();
      await issuer.close();
      await broker.discard();
    },
  };
}
