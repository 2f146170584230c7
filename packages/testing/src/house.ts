import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { caller } from './call.ts';
import type { Call } from './call.ts';
import { freePort, startServiceProcess } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const password = 'a-password-for-tests';

export type ServiceName = 'gateway' | 'orders' | 'auth-stepup' | 'transfers' | 'notifier';
export type House = {
  services: Record<ServiceName, ServiceProcess>;
  gatewayUrl: string;
  notifierUrl: string;
  /** A caller of the gateway without a token, every answer checked against its contract. */
  call: Call;
  /** Access token of the manager, who was made as a first manager is. */
  managerToken: string;
  /** Registers a customer and signs them in. */
  customer: (name: string) => Promise<{ email: string; password: string; token: string }>;
  runServiceCommand: (
    service: string,
    script: string,
    options: { args: readonly string[]; env: Record<string, string> },
  ) => Promise<string>;
  stop: () => Promise<void>;
};

/** Where the house's servers are; database and prefix keep houses apart that share them. */
export type Servers = {
  mongodbUri: string;
  database: string;
  redisUrl: string;
  redisPrefix: string;
  rabbitmqUrl: string;
};

/** All five services as processes, against real servers; `settings` go to every service. */
export async function startHouse(own: Servers, settings: Record<string, string> = {}): Promise<House> {
  const ports = await Promise.all(Array.from({ length: 5 }, freePort));
  const [orders = 0, authStepup = 0, transfers = 0, notifier = 0, gateway = 0] = ports;
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  const common = {
    NODE_ENV: 'test',
    RABBITMQ_URL: own.rabbitmqUrl,
    REDIS_URL: own.redisUrl,
    REDIS_PREFIX: own.redisPrefix,
    MONGODB_URI: own.mongodbUri,
    JWKS_URL: `${at(authStepup)}/.well-known/jwks.json`,
    AUTH_STEPUP_URL: at(authStepup),
    ORDERS_URL: at(orders),
    TRANSFERS_URL: at(transfers),
    NOTIFIER_URL: at(notifier),
    PUBLIC_URL: at(gateway),
    NOTIFIER_PUBLIC_URL: at(notifier),
    ...settings,
  };
  const secrets = {
    KEY_SEALING_SECRET: randomBytes(32).toString('base64'),
    PIN_PEPPER: `test:${randomBytes(32).toString('base64')}`,
  };
  const env = (service: string, port: number, more: Record<string, string> = {}): Record<string, string> => ({
    ...common,
    ...more,
    PORT: String(port),
    MONGODB_DATABASE: `${own.database}_${service}`,
  });
  const authEnv = env('auth', authStepup, secrets);
  const transfersEnv = env('transfers', transfers, secrets);
  const starting = {
    orders: startServiceProcess('orders', env('orders', orders)),
    'auth-stepup': startServiceProcess('auth-stepup', authEnv),
    transfers: startServiceProcess('transfers', transfersEnv),
    notifier: startServiceProcess('notifier', env('notifier', notifier)),
    gateway: startServiceProcess('gateway', env('gateway', gateway)),
  };
  const stop = async (): Promise<void> => {
    const started = await Promise.allSettled(Object.values(starting));
    const processes = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.all(processes.map((each) => each.end('SIGTERM')));
  };
  try {
    return { ...(await openHouse(starting, { 'auth-stepup': authEnv, transfers: transfersEnv })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until all is ready, and makes the first manager. */
async function openHouse(
  starting: Record<ServiceName, Promise<ServiceProcess>>,
  settings: Record<string, Record<string, string>>,
): Promise<Omit<House, 'stop'>> {
  const services = {
    orders: await starting.orders,
    'auth-stepup': await starting['auth-stepup'],
    transfers: await starting.transfers,
    notifier: await starting.notifier,
    gateway: await starting.gateway,
  };
  await Promise.all(Object.values(services).map((service) => service.ready()));
  const runServiceCommand = runCommand(settings);
  await runServiceCommand('auth-stepup', 'src/create-manager.ts', {
    args: ['--email', 'manager@house.test', '--name', 'Marta'],
    env: { MANAGER_PASSWORD: password },
  });
  const call = caller(services.gateway.url);
  const signIn = async (email: string): Promise<string> => {
    const { status, body, text } = await call('POST', '/auth/login', { body: { email, password } });
    if (status !== 200) throw new Error(`could not sign in: ${text}`);
    return (body as { access_token: string }).access_token;
  };
  return {
    services,
    gatewayUrl: services.gateway.url,
    runServiceCommand,
    notifierUrl: services.notifier.url,
    call,
    managerToken: await signIn('manager@house.test'),
    customer: async (customerName) => {
      const email = `${customerName.toLowerCase()}-${randomBytes(6).toString('hex')}@house.test`;
      await call('POST', '/auth/register', { body: { name: customerName, email, password } });
      return { email, password, token: await signIn(email) };
    },
  };
}

/** Runs a script of a service with the service's own settings; resolves with what it prints. */
const runCommand =
  (settings: Record<string, Record<string, string>>): House['runServiceCommand'] =>
  async (service, script, { args, env }) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=source', `services/${service}/${script}`, ...args],
      { cwd: root, env: { PATH: process.env['PATH'], ...settings[service], ...env } },
    );
    return stdout;
  };
