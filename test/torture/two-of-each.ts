import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Cluster } from '../../scripts/cluster/start-cluster.ts';
import { startBalancer } from '@comanda/testing/balancer';
import type { Balancer } from '@comanda/testing/balancer';
import { managerCredentials, password } from '@comanda/testing/credentials';
import { freePort, startServiceProcess } from '@comanda/testing/service-process';
import type { ServiceProcess } from '@comanda/testing/service-process';

const root = fileURLToPath(new URL('../..', import.meta.url));
const names = ['orders', 'auth-stepup', 'transfers', 'notifier', 'gateway'] as const;
type Name = (typeof names)[number];

type Instance = { name: Name; number: number; process: ServiceProcess };
export type TwoOfEach = {
  instances: readonly Instance[];
  /** One address for both gateways, and one for both notifiers. */
  gatewayUrl: string;
  notifierUrl: string;
  close: () => Promise<void>;
};

/** Two instances of every service on the cluster, each pair behind a TCP balancer, and the first manager. */
export async function startTwoOfEach(cluster: Cluster): Promise<TwoOfEach> {
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, [await freePort(), await freePort()]] as const)),
  ) as Record<Name, [number, number]>;
  const urls = (name: Name): string[] => ports[name].map((port) => `http://127.0.0.1:${port}`);
  const balancers = new Map<Name, Balancer>(
    await Promise.all(names.map(async (name) => [name, await startBalancer(urls(name))] as const)),
  );
  const urlOf = (name: Name): string => balancers.get(name)?.url ?? '';
  const secrets = {
    KEY_SEALING_SECRET: `test:${randomBytes(32).toString('base64')}`,
    PIN_PEPPER: `test:${randomBytes(32).toString('base64')}`,
  };
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    MONGODB_URI: cluster.mongodb.url,
    REDIS_URL: cluster.redis.url,
    RABBITMQ_URL: cluster.rabbitmq.url,
    JWKS_URL: `${urlOf('auth-stepup')}/.well-known/jwks.json`,
    AUTH_STEPUP_URL: urlOf('auth-stepup'),
    ORDERS_URL: urlOf('orders'),
    TRANSFERS_URL: urlOf('transfers'),
    NOTIFIER_URL: urlOf('notifier'),
    PUBLIC_URL: urlOf('gateway'),
    NOTIFIER_PUBLIC_URL: urlOf('notifier'),
    RATE_LIMIT_USER: '1000000',
    RATE_LIMIT_ADDRESS: '1000000',
    RATE_LIMIT_ADDRESS_USERS: '1000000',
    RATE_LIMIT_STEP_UP: '1000000',
    RATE_LIMIT_SIGN_IN: '1000000',
    RATE_LIMIT_SIGN_IN_ADDRESS: '1000000',
    RATE_LIMIT_REGISTRATION: '1000000',
    SOCKETS_PER_USER: '1000',
  };
  const settingsOf = (name: Name): Record<string, string> => ({
    ...env,
    ...((name === 'auth-stepup' || name === 'transfers') && secrets),
    MONGODB_DATABASE: `torture_${name.replace('-', '_')}`,
  });
  const instances = await Promise.all(
    names.flatMap((name) =>
      ports[name].map(async (port, index) => ({
        name,
        number: index + 1,
        process: await startServiceProcess(name, { ...settingsOf(name), PORT: String(port) }),
      })),
    ),
  );
  await Promise.all(instances.map(({ process }) => process.ready()));
  await promisify(execFile)(
    process.execPath,
    '--conditions=source services/auth-stepup/src/create-manager.ts --name Marta --email'
      .split(' ')
      .concat(managerCredentials.email),
    { cwd: root, env: { PATH: process.env['PATH'], ...settingsOf('auth-stepup'), MANAGER_PASSWORD: password } },
  );
  return {
    instances,
    gatewayUrl: urlOf('gateway'),
    notifierUrl: urlOf('notifier'),
    close: async () => {
      await Promise.all(instances.map((instance) => instance.process.end('SIGTERM')));
      await Promise.all([...balancers.values()].map((balancer) => balancer.close()));
    },
  };
}
