import { loadConfig } from '@comanda/shared/config/load-config';
import { createPublisher, toMessage } from '@comanda/shared/messaging/publisher';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startTestIssuer, type TestClaims } from '@comanda/testing/test-issuer';
import { createTestLogger } from '@comanda/testing/test-logger';
import { until } from '@comanda/testing/until';
import { untilReady } from '@comanda/testing/until-ready';
import { notifierSettings } from '../../src/config.ts';
import { startNotifier } from '../../src/service.ts';

type Instance = { url: string; metricsUrl: string; close: () => Promise<void> };
type ClientOptions = {
  after?: unknown;
  /** The instance to connect to. By default, the first one. */
  from?: Instance;
};
export type NotifierHarness = {
  url: string;
  metricsUrl: string;
  brokerUrl: string;
  /** Publishes events and waits until the broker has stored them. */
  publish: (...events: CloudEvent[]) => Promise<void>;
  token: (claims: TestClaims) => string;
  sign: (payload: Record<string, unknown>) => string;
  connect: (claims: TestClaims, options?: ClientOptions) => FeedClient;
  /** Connects a client with exactly this `auth`. */
  connectWith: (auth: { token?: unknown; after?: unknown }, socketOptions?: Record<string, unknown>) => FeedClient;
  /** Starts another notifier on the same stream. The harness closes it at the end. */
  startInstance: (settings?: Record<string, string>, until?: 'listening' | 'ready') => Promise<Instance>;
  /** Returns the value of the first series whose name starts with `series`. */
  metric: (series: string) => Promise<number>;
  /** Returns the log lines at level info or above. */
  log: () => readonly string[];
  reset: () => void;
  close: () => Promise<void>;
};

export const staff: TestClaims = { sub: 1, role: 'waiter' };

/** Starts a notifier with its own stream in this process. Uses `brokerUrl`, or by default a virtual host of its own. */
export async function startNotifierHarness(
  settings: Record<string, string> = {},
  { brokerUrl }: { brokerUrl?: string } = {},
): Promise<NotifierHarness> {
  const rabbitmqUrl = brokerUrl ?? (await isolatedServers('notifier')).rabbitmqUrl;
  const issuer = await startTestIssuer();
  const logged: string[] = [];
  const logger = createTestLogger('notifier', { level: 'info', onLine: (line) => logged.push(line) });
  const servers = { mongodbUri: '', redisUrl: '', rabbitmqUrl }; // the notifier uses only RabbitMQ
  const common = stackSettings({ urls: { 'auth-stepup': issuer.url }, servers, secrets: testSecrets() }).notifier;
  const publisher = createPublisher({ url: rabbitmqUrl, name: 'test', logger });
  const instances: Instance[] = [];
  const clients: FeedClient[] = [];

  async function startInstance(ownSettings: Record<string, string> = {}, state = 'ready'): Promise<Instance> {
    // Production would reject the tests' broker, which uses the account `guest`.
    const { NODE_ENV: nodeEnv = 'test', ...env }: Record<string, string> = {
      ...common,
      DRAIN_WINDOW_MS: '0',
      METRICS_PORT: '0',
      METRICS_AGE_MS: '0',
      ...settings,
      ...ownSettings,
    };
    const instance = await startNotifier({ ...loadConfig(notifierSettings, env), nodeEnv }, logger);
    instances.push(instance);
    if (state === 'ready') {
      await untilReady(instance.url);
      // A client that connects earlier would get a gap first.
      await until(async () => (await valueOf(instance, 'comanda_feed_live')) === 1, { what: 'the end of the stream' });
    }
    return instance;
  }
  const { url, metricsUrl } = await startInstance();
  await until(publisher.isUp, { what: 'the publisher' });
  const open = (...args: Parameters<typeof openFeedClient>): FeedClient => {
    const client = openFeedClient(...args);
    clients.push(client);
    return client;
  };
  return {
    url,
    metricsUrl,
    brokerUrl: rabbitmqUrl,
    publish: (...events) => publisher.publish(events.map(toMessage)),
    token: issuer.token,
    sign: issuer.sign,
    connect: (claims, { after, from } = {}) => open(from?.url ?? url, { token: issuer.token(claims), after }),
    connectWith: (auth, socketOptions = {}) => open(url, { ...auth, socketOptions }),
    startInstance,
    metric: (series) => valueOf({ metricsUrl }, series),
    log: () => logged,
    reset: () => {
      for (const client of clients.splice(0)) client.close();
    },
    close: async () => {
      for (const client of clients) client.close();
      await publisher.close();
      await Promise.all(instances.map((instance) => instance.close()));
      await issuer.close();
    },
  };
}

async function valueOf({ metricsUrl }: Pick<Instance, 'metricsUrl'>, series: string): Promise<number> {
  const lines = (await (await fetch(`${metricsUrl}/metrics`)).text()).split('\n');
  const line = lines.find((each) => each.startsWith(series));
  return Number(line?.split(' ').at(-1) ?? NaN);
}
