import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '@comanda/local-stack/root';
import { testSecrets } from './test-secrets.ts';
import {
  perService,
  serviceNames,
  stackSettings,
  type ServiceName,
  type StackSettings,
} from '@comanda/local-stack/stack-settings';
import {
  startAuthStepupHere,
  startAuthStepupProcess,
  type AuthStepup,
  type NewManager,
  type TestingAuthStepup,
} from './auth-stepup-process.ts';
import { caller, type Call } from './call.ts';
import { managerCredentials, newEmail, password } from './credentials.ts';
import { compileCacheDir } from './environment.ts';
import { isolatedServers, type IsolatedServers } from './isolated-servers.ts';
import { reuseDatabases } from './reused-databases.ts';
import { startServiceHere } from './service-here.ts';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { startServiceProcess, type RunningService, type ServiceProcess } from './service-process.ts';
import { until } from './until.ts';

type Settings = Record<string, string>;
type RunServiceCommand = (
  service: string,
  script: string,
  options: { args: readonly string[]; env: Settings },
) => Promise<string>;

export type Customer = { email: string; password: string; token: string };
type CreateManager = (manager: NewManager) => Promise<void>;

/** All five services, and functions to use them in tests. `A` is the type of the auth-stepup service. */
type StackOn<A extends RunningService> = {
  services: Record<ServiceName, RunningService>;
  gatewayUrl: string;
  notifierUrl: string;
  /** Calls the gateway without a token. Checks every response against its contract. */
  call: Call;
  /** The auth-stepup service, which is also in `services`. */
  auth: A;
  createManager: CreateManager;
  /** The first manager's access token. */
  managerToken: string;
  /** Adds a customer and signs them in. */
  customer: (name: string) => Promise<Customer>;
  /** Runs one of a service's scripts with the service's settings, and returns its output. */
  runServiceCommand: RunServiceCommand;
  close: () => Promise<void>;
};

/** A stack whose auth-stepup accepts the test commands and hashes at bcrypt's lowest cost. */
export type Stack = StackOn<TestingAuthStepup> & {
  /** Returns a service that runs in its own process. @throws Error if the service runs in this process */
  processOf: (name: ServiceName) => ServiceProcess;
};
/** A stack for benchmarks, which hashes passwords and PINs as in production. */
export type ProductionStack = StackOn<ServiceProcess>;

/**
 * Starts all five services with real databases and brokers, and waits until they are ready. `settings` apply to each service. The
 * services run in this process (see `startServiceHere`), except for those in `processes`, which a test can stop or kill.
 */
export async function startStack(
  servers: IsolatedServers,
  settings: Settings = {},
  processes: readonly ServiceName[] = [],
): Promise<Stack> {
  const started = new Map<ServiceName, ServiceProcess>();
  const keep = <S extends ServiceProcess>(name: ServiceName, service: S): S => {
    started.set(name, service);
    return service;
  };
  const stack = await startServices<TestingAuthStepup>(servers, settings, {
    start: async (name, env) =>
      processes.includes(name) ? keep(name, await startServiceProcess(name, env)) : startServiceHere(name, { env }),
    startAuthStepup: async (env) =>
      processes.includes('auth-stepup')
        ? keep('auth-stepup', await startAuthStepupProcess(env))
        : startAuthStepupHere(env),
    createManager: ({ auth }, manager) => auth.createManager(manager),
    createCustomer: ({ auth }, name) => newCustomer(auth, name),
  });
  const processOf = (name: ServiceName): ServiceProcess => {
    const found = started.get(name);
    if (!found) throw new Error(`${name} runs in this process: name it in the processes of startStack`);
    return found;
  };
  return { ...stack, processOf };
}

/**
 * Starts all five services in this process, with databases that an earlier test file may have returned (see `reuseDatabases`).
 * `name` makes new databases easy to recognize.
 */
export async function startStackHere(name: string, settings: Settings = {}): Promise<Stack> {
  const { servers, giveBack } = await reuseDatabases(await isolatedServers(name), 'stack');
  const stack = await startStack(servers, settings);
  return {
    ...stack,
    close: async () => {
      await stack.close();
      giveBack();
    },
  };
}

export const startProductionStack = (servers: IsolatedServers, settings: Settings = {}): Promise<ProductionStack> =>
  startServices(servers, settings, {
    start: startServiceProcess,
    startAuthStepup: (env) => startServiceProcess('auth-stepup', env),
    createManager: async ({ runServiceCommand }, { name, email, password: secret }) => {
      const args = ['--email', email, '--name', name];
      await runServiceCommand('auth-stepup', 'src/create-manager.ts', { args, env: { MANAGER_PASSWORD: secret } });
    },
    createCustomer: ({ call }, name) => registerCustomer(call, name),
  });

type Variant<A> = {
  start: (name: ServiceName, env: Settings) => Promise<RunningService>;
  startAuthStepup: (env: Settings) => Promise<A>;
  createManager: (started: { auth: A; runServiceCommand: RunServiceCommand }, manager: NewManager) => Promise<void>;
  createCustomer: (started: { auth: A; call: Call }, name: string) => Promise<Customer>;
};

async function startServices<A extends RunningService>(
  servers: IsolatedServers,
  settings: Settings,
  { start, startAuthStepup, createManager, createCustomer }: Variant<A>,
): Promise<StackOn<A>> {
  const env = await settingsOf(servers, settings);
  const starting = {
    'auth-stepup': startAuthStepup(env['auth-stepup']),
    orders: start('orders', env.orders),
    transfers: start('transfers', env.transfers),
    notifier: start('notifier', env.notifier),
    gateway: start('gateway', env.gateway),
  };
  const close = async (): Promise<void> => {
    const started = await Promise.allSettled(Object.values(starting));
    const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.all(running.map((each) => each.close()));
  };
  try {
    const services = {
      'auth-stepup': await starting['auth-stepup'],
      orders: await starting.orders,
      transfers: await starting.transfers,
      notifier: await starting.notifier,
      gateway: await starting.gateway,
    };
    // Waits for one service after another, because each wait repeats its check. auth-stepup comes first: a service that finds no
    // keys there tries again only after a second.
    for (const service of Object.values(services)) await service.ready();
    const auth = services['auth-stepup'];
    await until(() => publishesReceiptKeys(auth.url), { what: 'the keys of receipts', timeoutMs: 60_000 });
    const runServiceCommand = commandRunner(env);
    const opened = await openStack(services, (manager) => createManager({ auth, runServiceCommand }, manager));
    return {
      ...opened,
      customer: (name) => createCustomer({ auth, call: opened.call }, name),
      auth,
      runServiceCommand,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Returns true if auth-stepup has fetched the transfers service's receipt keys. Before that, orders rejects the receipts that
 * prove payments.
 */
async function publishesReceiptKeys(authUrl: string): Promise<boolean> {
  const response = await fetch(`${authUrl}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: { purpose?: string }[] };
  return keys.some(({ purpose }) => purpose === 'receipts');
}

/** Returns a URL on this machine for each service, with a port that is currently free. */
export async function freeUrls(): Promise<Record<ServiceName, string>> {
  const ports = await Promise.all(serviceNames.map(() => freePort()));
  return perService((name) => `http://127.0.0.1:${ports[serviceNames.indexOf(name)]}`);
}

/** Returns each service's settings, with free ports and a separate secret for each service. */
async function settingsOf(servers: IsolatedServers, settings: Settings): Promise<StackSettings> {
  const stack = stackSettings({ urls: await freeUrls(), servers, secrets: testSecrets() });
  // Raised, because all calls in a test come from the same address.
  const limits = { RATE_LIMIT_SIGN_IN_ADDRESS: '1000000', RATE_LIMIT_REGISTRATION: '1000000' };
  return perService((name) => ({ ...stack[name], ...limits, ...settings }));
}

/** Creates the first manager, and returns the functions with which tests use the stack. */
async function openStack(
  services: Record<ServiceName, RunningService>,
  createManager: CreateManager,
): Promise<Omit<ProductionStack, 'auth' | 'customer' | 'runServiceCommand' | 'close'>> {
  await createManager({ name: 'Marta', ...managerCredentials });
  const call = caller(services.gateway.url);
  return {
    services,
    gatewayUrl: services.gateway.url,
    notifierUrl: services.notifier.url,
    createManager,
    call,
    managerToken: await signIn(call, managerCredentials.email),
  };
}

export async function signIn(call: Call, email: string): Promise<string> {
  const { status, body, text } = await call('POST', '/auth/login', { body: { email, password } });
  if (status !== 200) throw new Error(`could not sign in: ${text}`);
  return (body as { access_token: string }).access_token;
}
/** Adds a customer directly, which is faster than a registration, because no password is checked and hashed. */
export async function newCustomer(auth: AuthStepup, name: string): Promise<Customer> {
  const { email, token } = await auth.customer(name);
  return { email, password, token };
}

async function registerCustomer(call: Call, name: string): Promise<Customer> {
  const email = newEmail(name);
  await call('POST', '/auth/register', { body: { name, email, password } });
  return { email, password, token: await signIn(call, email) };
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
