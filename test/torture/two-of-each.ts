import { testSecrets } from '@comanda/testing/test-secrets';
import { perService, serviceNames, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';
import type { Cluster } from '@comanda/local-stack/cluster/start-cluster';
import { startAuthStepupProcess } from '@comanda/testing/auth-stepup-process';
import { startBalancer, type Balancer } from '@comanda/testing/balancer';
import { managerCredentials } from '@comanda/testing/credentials';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { startServiceProcess, type ServiceProcess, type Started } from '@comanda/testing/service-process';
import { withoutLimits } from '@comanda/testing/step-up-calls';

type Instance = { name: ServiceName; number: number; process: ServiceProcess };
export type TwoOfEach = {
  instances: readonly Instance[];
  /** One address for both gateways, and one for both notifiers. */
  gatewayUrl: string;
  notifierUrl: string;
  close: () => Promise<void>;
};

/** `name`: of the databases and of what is in Redis, so that runs on one cluster find nothing of each other. */
export type TwoOfEachOptions = Pick<Started, 'root'> & { name?: string };

/** Two instances of every service on the cluster, each pair behind a TCP balancer, and the first manager. */
export async function startTwoOfEach(
  cluster: Cluster,
  { name: runName = 'torture', ...sources }: TwoOfEachOptions = {},
): Promise<TwoOfEach> {
  const ports = {} as Record<ServiceName, string[]>;
  const balancers = {} as Record<ServiceName, Balancer>;
  for (const name of serviceNames) {
    ports[name] = [String(await freePort()), String(await freePort())];
    balancers[name] = await startBalancer(ports[name].map((port) => `http://127.0.0.1:${port}`));
  }
  const urls = perService((name) => balancers[name].url);
  const servers = {
    mongodbUri: cluster.mongodb.url,
    database: runName,
    redisUrl: cluster.redis.url,
    redisPrefix: `${runName}:`,
    rabbitmqUrl: cluster.rabbitmq.url,
  };
  const settings = stackSettings({ urls, servers, secrets: testSecrets() });
  const envOf = (name: ServiceName, port: string) => ({ ...settings[name], ...unlimited, PORT: port });
  const startAll = <P extends ServiceProcess>(
    name: ServiceName,
    start: (env: Record<string, string>) => Promise<P>,
  ): Promise<(Instance & { process: P })[]> =>
    Promise.all(
      ports[name].map(async (port, index) => ({ name, number: index + 1, process: await start(envOf(name, port)) })),
    );
  // auth-stepup hashes at bcrypt's lowest cost: else the clients would do little but wait for it.
  const [auths, ...others] = await Promise.all([
    startAll('auth-stepup', (env) => startAuthStepupProcess(env, sources)),
    ...serviceNames
      .filter((name) => name !== 'auth-stepup')
      .map((name) => startAll(name, (env) => startServiceProcess(name, env, sources))),
  ]);
  const instances: Instance[] = [...auths, ...others.flat()];
  async function close(): Promise<void> {
    await Promise.all(instances.map((instance) => instance.process.end('SIGTERM')));
    await Promise.all(Object.values(balancers).map((balancer) => balancer.close()));
  }
  try {
    await Promise.all(instances.map(({ process }) => process.ready()));
    await auths[0]?.process.createManager({ name: 'Marta', ...managerCredentials });
  } catch (error) {
    await close();
    throw error;
  }
  return { instances, gatewayUrl: balancers.gateway.url, notifierUrl: balancers.notifier.url, close };
}

const unlimited = { ...withoutLimits, LOG_LEVEL: 'warn', SOCKETS_PER_USER: '1000' };
