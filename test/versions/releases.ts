import type { IsolatedServers } from '@comanda/testing/isolated-servers';
import { startAuthStepupProcess, type AuthStepupProcess } from '@comanda/testing/auth-stepup-process';
import { startBalancer, type Balancer } from '@comanda/testing/balancer';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { testSecrets } from '@comanda/testing/test-secrets';
import type { Secrets } from '@comanda/local-stack/secrets';
import { perService, serviceNames, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';
import { until } from '@comanda/testing/until';

/** The sources of a release, in a folder where they find the packages that they import. */
export type Sources = { name: string; root: string };
export type Releases = Awaited<ReturnType<typeof startReleases>>;

const settings = {
  ...withoutLimits,
  RATE_LIMIT_GUEST: '1000000',
  LOG_LEVEL: 'warn',
  DRAIN_DELAY_MS: '1500', // Longer than any response takes on a connection that is kept open, even on a busy machine.
  DRAIN_WINDOW_MS: '0',
  UPSTREAM_TIMEOUT_MS: '60000', // An instance's first password takes long: it starts two low-priority threads.
  CHECKPOINT_EVERY_S: '1',
};

/**
 * Starts one instance of each service from a release, behind a TCP balancer. `replace` switches a service to another release as
 * an operator does: prepares the database, starts the new instance, waits until it is ready, and stops the old one.
 */
export async function startReleases(
  servers: IsolatedServers,
  { first, secrets = testSecrets() }: { first: Record<ServiceName, Sources>; secrets?: Secrets },
) {
  const balancers = {} as Record<ServiceName, Balancer>;
  for (const name of serviceNames) balancers[name] = await startBalancer([]);
  const urls = perService((name) => balancers[name].url);
  const env = stackSettings({ urls, servers, secrets });
  const all: ServiceProcess[] = [];
  let auth: AuthStepupProcess | undefined;

  async function start(name: ServiceName, sources: Sources): Promise<ServiceProcess> {
    const ownEnv = { ...env[name], ...settings, PORT: '0' };
    const started =
      name === 'auth-stepup'
        ? // Uses bcrypt's lowest cost, because the test checks PINs all the time.
          (auth = await startAuthStepupProcess(ownEnv, sources))
        : await startServiceProcess(name, ownEnv, sources);
    all.push(started);
    return started;
  }
  const running = {} as Record<ServiceName, ServiceProcess>;
  const close = async (): Promise<void> => {
    await Promise.all(all.map((each) => each.end('SIGTERM')));
    await Promise.all(Object.values(balancers).map((balancer) => balancer.close()));
  };
  try {
    await Promise.all(
      serviceNames.map(async (name) => {
        running[name] = await start(name, first[name]);
        balancers[name].retarget([running[name].url]);
      }),
    );
    await Promise.all(serviceNames.map((name) => running[name].ready()));
    await until(() => publishesReceiptKeys(urls['auth-stepup']), { what: 'the keys of receipts', timeoutMs: 20_000 });
  } catch (error) {
    console.error(all.map((each) => each.output()).join(''));
    await close();
    throw error;
  }

  return {
    gatewayUrl: urls.gateway,
    notifierUrl: urls.notifier,
    env,
    /** Returns the auth-stepup instance that was started last. */
    auth: (): AuthStepupProcess => {
      if (!auth) throw new Error('auth-stepup was not started.');
      return auth;
    },
    replace: async (name: ServiceName, by: Sources): Promise<void> => {
      const old = running[name];
      const next = await start(name, by);
      await next.ready();
      running[name] = next;
      balancers[name].retarget([next.url]);
      await old.end('SIGTERM');
    },
    /** Returns all log lines of level warn or above, from all instances. */
    output: (): string => all.map((each) => each.output()).join(''),
    close,
  };
}

/**
 * Returns true if auth-stepup has fetched the transfers service's receipt keys and publishes them. Before that, orders can't
 * verify that a payment is paid.
 */
async function publishesReceiptKeys(authUrl: string): Promise<boolean> {
  const response = await fetch(`${authUrl}/.well-known/jwks.json`).catch(() => null);
  const { keys = [] } = ((await response?.json()) ?? {}) as { keys?: { purpose?: string }[] };
  return keys.some(({ purpose }) => purpose === 'receipts');
}
