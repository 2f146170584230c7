import { testSecrets } from '@comanda/testing/test-secrets';
import {
  perService,
  serviceNames,
  stackSettings,
  type ServiceName,
  type StackSettings,
} from '@comanda/local-stack/stack-settings';
import type { Cluster } from '@comanda/local-stack/cluster/start-cluster';
import { startServiceHere } from '@comanda/testing/service-here';
import {
  startAuthStepupHere,
  startAuthStepupProcess,
  type TestingAuthStepup,
} from '@comanda/testing/auth-stepup-process';
import { startBalancer, type Balancer } from '@comanda/testing/balancer';
import { managerCredentials } from '@comanda/testing/credentials';
import { freePort } from '@comanda/local-stack/servers/free-port';
import {
  startServiceProcess,
  type RunningService,
  type ServiceProcess,
  type Started,
} from '@comanda/testing/service-process';
import type { OneNode } from './one-of-each.ts';
import { withoutLimits } from '@comanda/testing/step-up-calls';

/** A server that other tests use too, so a run never causes faults in it. */
type SharedServer = { url: string };
/** The servers for a run. Each is a cluster of three nodes, a single node, or a server shared with other tests. */
export type Servers = {
  mongodb: Cluster['mongodb'] | OneNode | SharedServer;
  redis: Cluster['redis'] | OneNode | SharedServer;
  rabbitmq: Cluster['rabbitmq'] | OneNode | SharedServer;
};
type Instance = { name: ServiceName; number: number; service: RunningService | ServiceProcess };
export type TwoOfEach = {
  instances: readonly Instance[];
  /** The address of the balancer in front of both gateways; `notifierUrl` is the one in front of both notifiers. */
  gatewayUrl: string;
  notifierUrl: string;
  /** Both auth-stepup instances, to which tests can send commands. */
  auths: readonly TestingAuthStepup[];
  settings: StackSettings;
  close: () => Promise<void>;
};

/**
 * `name` is part of the names of databases and Redis keys, so that several runs can use the same cluster. With `here`, the
 * services run in this process, and can't be killed.
 */
export type TwoOfEachOptions = Pick<Started, 'root'> & { name?: string; here?: boolean };

/**
 * Starts two instances of every service on these servers, and creates the first manager. A TCP balancer is in front of each pair
 * of instances.
 */
export async function startTwoOfEach(
  cluster: Servers,
  { name: runName = 'torture', here = false, ...sources }: TwoOfEachOptions = {},
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
  const startAll = <S extends RunningService>(
    name: ServiceName,
    start: (env: Record<string, string>) => Promise<S>,
  ): Promise<(Instance & { service: S })[]> =>
    Promise.all(
      ports[name].map(async (port, index) => ({ name, number: index + 1, service: await start(envOf(name, port)) })),
    );
  // This auth-stepup hashes at bcrypt's lowest cost. Otherwise, the clients would spend most of their time waiting for hashes.
  const startAuth = (env: Record<string, string>): Promise<TestingAuthStepup> =>
    here ? startAuthStepupHere(env) : startAuthStepupProcess(env, sources);
  const [auths, ...others] = await Promise.all([
    startAll('auth-stepup', startAuth),
    ...serviceNames
      .filter((name) => name !== 'auth-stepup')
      .map((name) =>
        startAll<RunningService>(name, (env) =>
          here ? startServiceHere(name, { env }) : startServiceProcess(name, env, sources),
        ),
      ),
  ]);
  const instances: Instance[] = [...auths, ...others.flat()];
  async function close(): Promise<void> {
    await Promise.all(instances.map(({ service }) => service.close()));
    await Promise.all(Object.values(balancers).map((balancer) => balancer.close()));
  }
  try {
    await Promise.all(instances.map(({ service }) => service.ready()));
    await auths[0]?.service.createManager({ name: 'Marta', ...managerCredentials });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    instances,
    gatewayUrl: balancers.gateway.url,
    notifierUrl: balancers.notifier.url,
    auths: auths.map(({ service }) => service),
    settings,
    close,
  };
}

const unlimited = { ...withoutLimits, LOG_LEVEL: 'warn', SOCKETS_PER_USER: '1000' };
