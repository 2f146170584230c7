import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startAuthStepupProcess } from './auth-stepup-process.ts';
import type { AuthStepupProcess } from './auth-stepup-process.ts';
import { caller } from './call.ts';
import type { Call } from './call.ts';
import { managerCredentials, newEmail, password } from './credentials.ts';
import { compileCacheDir } from './environment.ts';
import type { IsolatedServers } from './isolated-servers.ts';
import { freePort, startServiceProcess } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export type ServiceName = 'gateway' | 'orders' | 'auth-stepup' | 'transfers' | 'notifier';
type Settings = Record<string, string>;
type RunServiceCommand = (
  service: string,
  script: string,
  options: { args: readonly string[]; env: Settings },
) => Promise<string>;

/** All five services as processes. */
export type Stack = {
  services: Record<ServiceName, ServiceProcess>;
  gatewayUrl: string;
  notifierUrl: string;
  /** Calls the gateway without a token; every answer is checked against its contract. */
  call: Call;
  /** Access token of the first manager, who was created with the command for that. */
  managerToken: string;
  /** Registers a customer and signs them in. */
  customer: (name: string) => Promise<{ email: string; password: string; token: string }>;
  /** Runs a script of a service with the service's settings; resolves with what it prints. */
  runServiceCommand: RunServiceCommand;
  close: () => Promise<void>;
};

/** A stack whose auth-stepup takes the commands of tests too: users without the time of a hash, step-up tokens. */
export type StackWithAuthCommands = Stack & { auth: AuthStepupProcess };

/** Starts all five services as processes against real servers, and waits until they are ready; `settings` go to each. */
export async function startStack(servers: IsolatedServers, settings: Settings = {}): Promise<Stack> {
  const { auth: _auth, ...stack } = await startServices(servers, settings, (env) =>
    startServiceProcess('auth-stepup', env),
  );
  return stack;
}

export const startStackWithAuthCommands = (
  servers: IsolatedServers,
  settings: Settings = {},
): Promise<StackWithAuthCommands> => startServices(servers, settings, startAuthStepupProcess);

async function startServices<A extends ServiceProcess>(
  servers: IsolatedServers,
  settings: Settings,
  startAuthStepup: (env: Settings) => Promise<A>,
): Promise<Stack & { auth: A }> {
  const env = await settingsOf(servers, settings);
  const starting = {
    orders: startServiceProcess('orders', env.orders),
    'auth-stepup': startAuthStepup(env['auth-stepup']),
    transfers: startServiceProcess('transfers', env.transfers),
    notifier: startServiceProcess('notifier', env.notifier),
    gateway: startServiceProcess('gateway', env.gateway),
  };
  const close = async (): Promise<void> => {
    const started = await Promise.allSettled(Object.values(starting));
    const processes = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.all(processes.map((each) => each.end('SIGTERM')));
  };
  try {
    const services = {
      orders: await starting.orders,
      'auth-stepup': await starting['auth-stepup'],
      transfers: await starting.transfers,
      notifier: await starting.notifier,
      gateway: await starting.gateway,
    };
    await Promise.all(Object.values(services).map((service) => service.ready()));
    return { ...(await openStack(services, env)), auth: services['auth-stepup'], close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What each service is started with. */
async function settingsOf(servers: IsolatedServers, settings: Settings): Promise<Record<ServiceName, Settings>> {
  const ports = await Promise.all(Array.from({ length: 5 }, freePort));
  const [orders = 0, authStepup = 0, transfers = 0, notifier = 0, gateway = 0] = ports;
  const urlOf = (port: number): string => `http://127.0.0.1:${port}`;
  const common = {
    NODE_ENV: 'test',
    RABBITMQ_URL: servers.rabbitmqUrl,
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: servers.redisPrefix,
    MONGODB_URI: servers.mongodbUri,
    JWKS_URL: `${urlOf(authStepup)}/.well-known/jwks.json`,
    AUTH_STEPUP_URL: urlOf(authStepup),
    ORDERS_URL: urlOf(orders),
    TRANSFERS_URL: urlOf(transfers),
    NOTIFIER_URL: urlOf(notifier),
    PUBLIC_URL: urlOf(gateway),
    NOTIFIER_PUBLIC_URL: urlOf(notifier),
    // All calls of a test come from one address.
    RATE_LIMIT_SIGN_IN_ADDRESS: '1000000',
    RATE_LIMIT_REGISTRATION: '1000000',
    ...settings,
  };
  const secrets = {
    KEY_SEALING_SECRET: `test:${randomBytes(32).toString('base64')}`,
    PIN_PEPPER: `test:${randomBytes(32).toString('base64')}`,
  };
  const own = (port: number, database: string): Settings => ({
    PORT: String(port),
    MONGODB_DATABASE: `${servers.database}_${database}`,
  });
  return {
    orders: { ...common, ...own(orders, 'orders') },
    'auth-stepup': { ...common, ...secrets, ...own(authStepup, 'auth') },
    transfers: { ...common, ...secrets, ...own(transfers, 'transfers') },
    notifier: { ...common, ...own(notifier, 'notifier') },
    gateway: { ...common, ...own(gateway, 'gateway') },
  };
}

/** Creates the first manager, and gives what tests use. */
async function openStack(
  services: Record<ServiceName, ServiceProcess>,
  env: Record<ServiceName, Settings>,
): Promise<Omit<Stack, 'close'>> {
  const runServiceCommand = commandRunner(env);
  await runServiceCommand('auth-stepup', 'src/create-manager.ts', {
    args: ['--email', managerCredentials.email, '--name', 'Marta'],
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
    notifierUrl: services.notifier.url,
    runServiceCommand,
    call,
    managerToken: await signIn(managerCredentials.email),
    customer: async (name) => {
      const email = newEmail(name);
      await call('POST', '/auth/register', { body: { name, email, password } });
      return { email, password, token: await signIn(email) };
    },
  };
}

const commandRunner =
  (settings: Record<string, Settings>): RunServiceCommand =>
  async (service, script, { args, env }) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=source', `services/${service}/${script}`, ...args],
      {
        cwd: root,
        env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCacheDir(), ...settings[service], ...env },
      },
    );
    return stdout;
  };
