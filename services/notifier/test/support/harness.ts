import { loadConfig } from '@comanda/shared/config/load-config';
import { createPublisher, toMessage } from '@comanda/shared/messaging/publisher';
import type { CloudEvent } from '@comanda/contracts/events';
import { isolated } from '@comanda/testing/isolated';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { startTestIssuer } from '@comanda/testing/tokens';
import type { TestClaims } from '@comanda/testing/tokens';
import { until } from '@comanda/testing/until';
import { notifierSettings } from '../../src/config.ts';
import { startNotifier } from '../../src/service.ts';
import { openScreen } from './screen.ts';
import type { Screen } from './screen.ts';

type Instance = { url: string; close: () => Promise<void> };
export type Harness = {
  url: string;
  brokerUrl: string;
  /** Resolves when the broker has them for good. */
  publish: (...events: CloudEvent[]) => Promise<void>;
  token: (claims: TestClaims) => string;
  sign: (payload: Record<string, unknown>) => string;
  /** A screen of that user, closed at the end; `from` is the instance to connect to. */
  screen: (claims: TestClaims, options?: { after?: unknown; from?: Instance }) => Screen;
  /** A screen that says whatever it is given. */
  raw: (auth: Record<string, unknown>, options?: Record<string, unknown>) => Screen;
  /** Another notifier on the same stream; closed at the end. */
  startInstance: (settings?: Record<string, string>, until?: 'listening' | 'ready') => Promise<Instance>;
  metric: (series: string) => Promise<number>;
  /** Closes the screens. */
  reset: () => void;
  close: () => Promise<void>;
};

export const staff: TestClaims = { sub: 1, role: 'waiter' };

/** A notifier with a stream of its own; `brokerUrl` where that is to be another broker's. */
export async function startHarness(
  settings: Record<string, string> = {},
  { brokerUrl }: { brokerUrl?: string } = {},
): Promise<Harness> {
  const rabbitmqUrl = brokerUrl ?? (await isolated('notifier')).rabbitmqUrl;
  const issuer = await startTestIssuer();
  const publisher = createPublisher({ url: rabbitmqUrl, name: 'test', logger });
  const instances: Instance[] = [];
  const screens: Screen[] = [];

  async function startInstance(own: Record<string, string> = {}, state = 'ready'): Promise<Instance> {
    const common = { PORT: '0', RABBITMQ_URL: rabbitmqUrl, JWKS_URL: issuer.jwksUrl, DRAIN_WINDOW_MS: '0' };
    const instance = await startNotifier(loadConfig(notifierSettings, { ...common, ...settings, ...own }), logger);
    instances.push(instance);
    const isReady = async (): Promise<boolean> => (await fetch(`${instance.url}/readyz`)).ok;
    if (state === 'ready') await until(isReady, { what: 'the notifier to be ready', timeoutMs: 15_000 });
    return instance;
  }
  const { url } = await startInstance();
  await until(publisher.isUp, { what: 'the publisher', timeoutMs: 15_000 });
  const raw: Harness['raw'] = (auth, options) => {
    const screen = openScreen(url, auth, options);
    screens.push(screen);
    return screen;
  };
  return {
    url,
    brokerUrl: rabbitmqUrl,
    publish: (...events) => publisher.publish(events.map(toMessage)),
    token: issuer.token,
    sign: issuer.sign,
    screen: (claims, { after, from } = {}) => {
      const auth = { token: issuer.token(claims), ...(after !== undefined && { after }) };
      const screen = openScreen(from?.url ?? url, auth);
      screens.push(screen);
      return screen;
    },
    raw,
    startInstance,
    metric: async (series) => {
      const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
      return Number(
        lines
          .find((line) => line.startsWith(series))
          ?.split(' ')
          .at(-1) ?? NaN,
      );
    },
    reset: () => {
      for (const screen of screens.splice(0)) screen.close();
    },
    close: async () => {
      for (const screen of screens) screen.close();
      await publisher.close();
      await Promise.all(instances.map((instance) => instance.close()));
      await issuer.close();
    },
  };
}
