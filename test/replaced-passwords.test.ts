import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { perService, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';
import { startBalancer, type Balancer } from '@comanda/testing/balancer';
import { caller, codeOf, type Call, type Called } from '@comanda/testing/call';
import { createCommandClient } from '@comanda/testing/auth-stepup-process';
import { managerCredentials } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { choosePin, stepUp, withoutLimits } from '@comanda/testing/step-up-calls';
import { testSecrets } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import { createBrokerAccounts, type BrokerAccounts } from './least-rights/broker-accounts.ts';
import { startGuardedMongodb, startGuardedRedis, type GuardedServer } from './least-rights/guarded-servers.ts';
import { runCommand } from '@comanda/testing/run-command';

// Follows docs/run/upgrade-scale-rotate.md to replace passwords. The gateway and auth-stepup, which together use all three
// servers, get new passwords while staff sign in, check PINs and open tables.

type Settings = Record<string, string>;
/** The URLs at which a service reaches its servers. They contain the service's passwords. */
type Urls = { MONGODB_URI: string; REDIS_URL: string; RABBITMQ_URL: string };
const replaced = ['auth-stepup', 'gateway'] as const;
type Replaced = (typeof replaced)[number];
const workers = 2;

let mongodb: GuardedServer;
let redis: GuardedServer;
let broker: BrokerAccounts;
let settings: Record<ServiceName, Settings>;
let balancers: Record<Replaced, Balancer>;
const running = {} as Record<Replaced, ServiceProcess>;
const started: ServiceProcess[] = [];
let events: RecordedEvents;
let manager: Call;
/** Functions that close everything that the tests have opened. */
const closing: (() => unknown)[] = [];

const oldUrls = (name: Replaced): Urls => ({
  MONGODB_URI: mongodb.urlOf(name),
  REDIS_URL: redis.urlOf(name),
  RABBITMQ_URL: broker.urlOf(name),
});

async function start(name: Replaced, urls: Urls): Promise<ServiceProcess> {
  // This auth-stepup hashes at bcrypt's lowest cost, because hashing times don't matter in this test.
  const file = name === 'auth-stepup' ? 'test/support/testing-process.ts' : 'src/main.ts';
  const service = await startServiceProcess(name, { ...settings[name], ...urls }, { prepares: false, file });
  started.push(service);
  await service.ready();
  return service;
}

/** Starts a new instance of a service, then drains and stops the old one. */
async function replace(name: Replaced, urls: Urls): Promise<void> {
  const old = running[name];
  running[name] = await start(name, urls);
  balancers[name].retarget([running[name].url]);
  await old?.end('SIGTERM');
}

beforeAll(async () => {
  const servers = await isolatedServers('replaced-passwords');
  [mongodb, redis, broker] = await Promise.all([
    startGuardedMongodb(),
    startGuardedRedis(),
    createBrokerAccounts(servers),
  ]);
  events = await recordEvents(servers.rabbitmqUrl);
  balancers = { 'auth-stepup': await startBalancer([]), gateway: await startBalancer([]) };
  const urls = { 'auth-stepup': balancers['auth-stepup'].url };
  const none = { mongodbUri: '', redisUrl: '', rabbitmqUrl: '' };
  const stack = stackSettings({ urls, servers: none, secrets: testSecrets() });
  // The gateway's default timeout of 10 s may be too short on a busy machine.
  const patience = { UPSTREAM_TIMEOUT_MS: '60000' };
  const common = { ...withoutLimits, ...patience, DRAIN_DELAY_MS: '3000', LOG_LEVEL: 'warn', PORT: '0' };
  settings = perService((name) => ({ ...stack[name], ...common }));
  const env = { ...settings['auth-stepup'], ...oldUrls('auth-stepup') };
  await runCommand('auth-stepup', 'prepare', { env: { ...env, MONGODB_URI: mongodb.urlOf('auth-stepup-prepare') } });
  for (const name of replaced) await replace(name, oldUrls(name));
  const run = createCommandClient(running['auth-stepup']);
  await run('addUser', { ...managerCredentials, name: 'Marta', role: 'manager' });
  manager = await signIn();
  await choosePin(manager);
}, 180_000);
afterAll(async () => {
  for (const close of closing) await close();
  await Promise.all(started.map((service) => service.end('SIGKILL')));
  await events?.close();
  await Promise.all(Object.values(balancers ?? {}).map((balancer) => balancer.close()));
  await Promise.all([mongodb?.discard(), redis?.discard(), broker?.remove()]);
});

const anyone = (): Call => caller(balancers.gateway.url);
const logIn = (): Promise<Called> => anyone()('POST', '/auth/login', { body: managerCredentials });
const signIn = async (): Promise<Call> => {
  const { body } = await logIn();
  return caller(balancers.gateway.url, { token: body.access_token });
};

/** Signs in, checks a PIN and opens a new table, again and again until `stop` is called. */
function work() {
  const responses: Record<string, number> = {};
  const opened: string[] = [];
  let isStopped = false;
  const count = async (what: string, called: Promise<Called>): Promise<string> => {
    const response = await called.then(codeOf, String);
    responses[`${what}: ${response}`] = (responses[`${what}: ${response}`] ?? 0) + 1;
    return response;
  };
  const go = async (): Promise<void> => {
    while (!isStopped) {
      const table = `T-${randomUUID().slice(0, 12)}`;
      await count('sign-in', logIn());
      await count('PIN', stepUp(manager));
      await count('table', manager('PUT', `/tables/${table}`));
      if ((await count('opened', manager('POST', `/tables/${table}/open`))) === '200') opened.push(table);
    }
  };
  const working = Promise.all(Array.from({ length: workers }, go));
  return {
    opened,
    /** Waits until `more` tables have been opened from now on, or until a call has failed. */
    goOn: (more: number): Promise<unknown> => {
      const goal = opened.length + more;
      const isDone = (): boolean => opened.length >= goal || Object.keys(responses).length > 4;
      return until(isDone, { what: 'opened tables', timeoutMs: 60_000 });
    },
    stop: async () => {
      isStopped = true;
      await working;
      return responses;
    },
  };
}

/** Returns what the servers' administrator does before and after the services are replaced. */
async function openAdministration() {
  const client = await new MongoClient(mongodb.urlOf('root')).connect();
  const [admin, store] = [client.db('admin'), new Redis(redis.urlOf('root'))];
  closing.push(
    () => client.close(),
    () => store.disconnect(),
  );
  const newPassword = randomBytes(16).toString('hex');
  const withNew = (url: string): string => Object.assign(new URL(url), { password: newPassword }).href;
  return {
    addNew: async (): Promise<Record<Replaced, Urls>> => {
      const { users } = await admin.command({ usersInfo: 'auth-stepup' });
      await admin.command({ createUser: 'auth-stepup-2', pwd: newPassword, roles: users[0].roles });
      for (const name of replaced) await store.acl('SETUSER', name, `>${newPassword}`);
      return {
        'auth-stepup': {
          MONGODB_URI: withNew(mongodb.urlOf('auth-stepup-2')),
          REDIS_URL: withNew(redis.urlOf('auth-stepup')),
          RABBITMQ_URL: await broker.addSecond('auth-stepup'),
        },
        gateway: { ...oldUrls('gateway'), REDIS_URL: withNew(redis.urlOf('gateway')) },
      };
    },
    removeOld: async (): Promise<void> => {
      await admin.command({ dropUser: 'auth-stepup' });
      await broker.removeFirst('auth-stepup');
      for (const name of replaced) await store.acl('SETUSER', name, `<${new URL(redis.urlOf(name)).password}`);
    },
    /** Closes the connection to Redis that has this port on the client's side. */
    closeInRedis: (port: number): Promise<unknown> => store.client('KILL', 'ADDR', `127.0.0.1:${port}`),
  };
}

/** Opens connections with auth-stepup's old passwords, as an attacker who knows them could. */
async function connectWithOld({ MONGODB_URI, REDIS_URL, RABBITMQ_URL }: Urls) {
  const inMongodb = await new MongoClient(MONGODB_URI).connect();
  closing.push(() => inMongodb.close());
  const inRedis = new Redis(REDIS_URL, { lazyConnect: true, retryStrategy: () => null });
  inRedis.on('error', () => undefined);
  closing.push(() => inRedis.disconnect());
  await inRedis.connect();
  const inRabbitmq = await connect(RABBITMQ_URL);
  inRabbitmq.on('error', () => undefined);
  return {
    readMongodb: () => inMongodb.db('comanda_auth').collection('usuarios').findOne(),
    redis: inRedis,
    rabbitmqClosed: once(inRabbitmq, 'close'),
  };
}

/** Returns how each server responds to a new connection with an old password. */
async function refusalsOf({ MONGODB_URI, REDIS_URL, RABBITMQ_URL }: Urls): Promise<string[]> {
  const client = new MongoClient(MONGODB_URI);
  const store = new Redis(REDIS_URL, { lazyConnect: true, retryStrategy: () => null });
  const said: string[] = [];
  store.on('error', ({ message }: Error) => said.push(message));
  closing.push(
    () => client.close(),
    () => store.disconnect(),
  );
  await refusalOf(store.connect());
  return [await refusalOf(client.connect()), said.join(), await refusalOf(connect(RABBITMQ_URL))];
}

const refusalOf = (done: Promise<unknown>): Promise<string> =>
  done.then(
    () => 'accepted',
    (error: Error & { codeName?: string }) => error.codeName ?? error.message,
  );

// Starting four processes and draining two takes a minute with 40% of a core, and three minutes while other tests are running.
test("replacing the passwords of MongoDB, Redis and RabbitMQ doesn't make any call fail", async () => {
  const old = oldUrls('auth-stepup');
  const administration = await openAdministration();
  const outsider = await connectWithOld(old);
  const load = work();
  await load.goOn(3);

  const urls = await administration.addNew();
  for (const name of replaced) await replace(name, urls[name]);
  await load.goOn(3);
  await administration.removeOld();
  await load.goOn(10);
  const responses = await load.stop();

  expect(Object.keys(responses).toSorted()).toEqual(['PIN: 201', 'opened: 200', 'sign-in: 200', 'table: 201']);
  for (const table of load.opened) await events.waitFor('table.changed', table);
  expect(events.conflictingIds).toEqual([]);
  // When a password is removed, MongoDB and RabbitMQ close its connections. In Redis, an administrator must close them.
  expect(await refusalOf(outsider.readMongodb())).toBe('Unauthorized');
  await outsider.rabbitmqClosed;
  const ended = once(outsider.redis, 'end');
  expect(await refusalOf(outsider.redis.ping())).toBe('accepted');
  await administration.closeInRedis(outsider.redis.stream.localPort ?? 0);
  await ended;
  expect(await refusalsOf(old)).toEqual([
    'AuthenticationFailed',
    expect.stringContaining('WRONGPASS'),
    expect.stringContaining('ACCESS_REFUSED'),
  ]);
}, 300_000);
