import { setTimeout as sleep } from 'node:timers/promises';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { startAuthStepupProcess, type AuthStepupProcess, type TestUser } from '@comanda/testing/auth-stepup-process';
import { caller, created } from '@comanda/testing/call';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { internalErrors, startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { freeUrls } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { testSecrets } from '@comanda/testing/test-secrets';
import { fundAll, killServer } from './killable-stack.ts';

/** Something that can be killed or frozen. While it is, nothing else is done to it. */
export type Target = {
  name: string;
  /** Ends it with SIGKILL, and starts it again. */
  kill: () => Promise<void>;
  /** Stops it for a while, and lets it go on. */
  freeze: (forMs: number) => Promise<void>;
};
export type Diner = TestUser & { account: number; emptyAccount: number };
export type BillKillStack = Awaited<ReturnType<typeof startBillKillStack>>;

const ofService = (name: string, service: ServiceProcess): Target => ({
  name,
  kill: async () => {
    await service.end('SIGKILL');
    await service.start();
  },
  freeze: async (forMs) => {
    process.kill(service.pid(), 'SIGSTOP');
    await sleep(forMs);
    process.kill(service.pid(), 'SIGCONT');
  },
});

/** `keep`: the server that runs now. */
function ofServer(name: string, get: () => OwnServer, keep: (server: OwnServer) => void): Target {
  return {
    name,
    kill: async () => keep(await killServer(get())),
    freeze: async (forMs) => {
      get().kill('SIGSTOP');
      await sleep(forMs);
      get().kill('SIGCONT');
    },
  };
}

/**
 * Two instances of transfers, orders and auth-stepup as processes, on their own mongod and redis-server: all of them can be
 * killed and frozen. A second auth-stepup, to which nothing is done, issues the tokens.
 */
export async function startBillKillStack({ rabbitmqUrl, diners: count }: { rabbitmqUrl: string; diners: number }) {
  let [mongod, redis] = await Promise.all([startOwnServer('mongodb'), startOwnServer('redis')]);
  const secrets = testSecrets();
  const servers = {
    mongodbUri: mongod.url,
    database: 'bill_kills',
    redisUrl: redis.url,
    redisPrefix: 'kills:',
    rabbitmqUrl,
  };
  const settings = stackSettings({ urls: await freeUrls(), servers, secrets });
  const quiet = { LOG_LEVEL: 'error', ...withoutLimits };
  const [auth, orders, first, second] = await Promise.all([
    startAuthStepupProcess({ ...settings['auth-stepup'], ...quiet }),
    startServiceProcess('orders', { ...settings.orders, ...quiet }),
    startServiceProcess('transfers', { ...settings.transfers, ...quiet }),
    startServiceProcess('transfers', { ...settings.transfers, ...quiet, PORT: '0' }),
  ]);
  const services = [auth, orders, first, second];
  const ready = () => Promise.all(services.map((service) => service.ready()));
  await ready();
  const issuer = await startAuthStepupProcess({ ...settings['auth-stepup'], ...quiet, PORT: '0' });
  const ledger = {
    uri: mongod.url,
    database: `${servers.database}_transfers`,
    secret: secrets.transfersSealingSecret,
    jwksUrl: auth.jwksUrl,
  };
  const manager = await issuer.manager();
  const diners = await Promise.all(Array.from({ length: count }, () => sitDown(issuer, first.url)));
  await fundAll(ledger, diners);
  const menu = caller(orders.url, { token: manager.token });
  const dish = created(await menu('POST', '/menu', { body: { name: 'Feijoada', price: '20.00' } }));
  return {
    issuer,
    manager,
    diners,
    dish: dish.id as number,
    ordersUrl: orders.url,
    transfersUrls: [first.url, second.url] as const,
    ledger,
    ordersDatabase: `${servers.database}_orders`,
    targets: [
      ofService('transfers 1', first),
      ofService('transfers 2', second),
      ofService('orders', orders),
      ofService('auth-stepup', auth),
      ofServer(
        'MongoDB',
        () => mongod,
        (server) => (mongod = server),
      ),
      ofServer(
        'Redis',
        () => redis,
        (server) => (redis = server),
      ),
    ] as const,
    ready,
    internalErrors: () => internalErrors([...services, issuer]),
    close: async () => {
      await Promise.all([...services, issuer].map((service) => service.end('SIGTERM')));
      await Promise.all([mongod.discard(), redis.discard()]);
    },
  };
}

/** A customer with two accounts: one is funded, the other one stays empty. */
async function sitDown(issuer: AuthStepupProcess, transfersUrl: string): Promise<Diner> {
  const user = await issuer.customer();
  const call = caller(transfersUrl, { token: user.token });
  const open = async (): Promise<number> => created(await call('POST', '/accounts', { body: {} })).id;
  return { ...user, account: await open(), emptyAccount: await open() };
}
