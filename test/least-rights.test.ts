import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { MongoClient, type Db } from 'mongodb';
import { perService, serviceNames, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';
import { caller, codeOf, created, type Call } from '@comanda/testing/call';
import { managerCredentials, newEmail, password } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { freeUrls } from '@comanda/testing/stack';
import {
  choosePin,
  consentTo,
  depositKey,
  openAccount,
  tokenFor,
  transferKey,
  withoutLimits,
  wrongPin,
  stepUp,
} from '@comanda/testing/step-up-calls';
import { testSecrets } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import { createBrokerAccounts, type BrokerAccounts } from './least-rights/broker-accounts.ts';
import { startGuardedMongodb, startGuardedRedis, type GuardedServer } from './least-rights/guarded-servers.ts';
import { runCommand } from '@comanda/testing/run-command';

// All five services run with accounts that have only the necessary rights: the accounts from deploy/rights for MongoDB and Redis,
// and those from the commands in docs/run/least-privilege.md for RabbitMQ.

const withDatabase = ['auth-stepup', 'orders', 'transfers'] as const;
type Settings = Record<string, string>;

let mongodb: GuardedServer;
let redis: GuardedServer;
let broker: BrokerAccounts;
let settings: Record<ServiceName, Settings>;
let services: ServiceProcess[] = [];
let gatewayUrl: string;
let anyone: Call;
let manager: Call;

const run = (service: ServiceName, script: string, given: { args?: string[]; env?: Settings } = {}) =>
  runCommand(service, script, { ...given, env: { ...settings[service], ...given.env } });

beforeAll(async () => {
  [mongodb, redis] = await Promise.all([startGuardedMongodb(), startGuardedRedis()]);
  broker = await createBrokerAccounts(await isolatedServers('least-rights'));
  const urls = await freeUrls();
  const stack = stackSettings({
    urls,
    servers: { mongodbUri: '', redisUrl: '', rabbitmqUrl: '' },
    secrets: testSecrets(),
  });
  settings = perService((name) => ({
    ...stack[name],
    ...withoutLimits,
    MONGODB_URI: mongodb.urlOf(name),
    REDIS_URL: redis.urlOf(name),
    RABBITMQ_URL: broker.urlOf(name),
  }));
  await Promise.all(
    withDatabase.map((name) => run(name, 'prepare', { env: { MONGODB_URI: mongodb.urlOf(`${name}-prepare`) } })),
  );
  // This auth-stepup hashes at bcrypt's lowest cost, because the hashing time has no effect on the rights that it needs.
  const files: Partial<Record<ServiceName, string>> = { 'auth-stepup': 'test/support/testing-process.ts' };
  services = await Promise.all(
    serviceNames.map((name) => {
      const { [name]: file = 'src/main.ts' } = files;
      return startServiceProcess(name, settings[name], { prepares: false, file });
    }),
  );
  await Promise.all(services.map((service) => service.ready()));
  const { email } = managerCredentials;
  const args = ['--email', email, '--name', 'Marta'];
  await run('auth-stepup', 'create-manager', { args, env: { MANAGER_PASSWORD: password } });
  gatewayUrl = urls.gateway;
  anyone = caller(gatewayUrl);
  manager = await signIn(email);
  created(await choosePin(manager));
}, 180_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGTERM')));
  await Promise.all([mongodb?.discard(), redis?.discard(), broker?.remove()]);
});

async function signIn(email: string): Promise<Call> {
  const { body } = await anyone('POST', '/auth/login', { body: { email, password } });
  return caller(gatewayUrl, { token: body.access_token });
}
async function newCustomer(money = '100.00') {
  const email = newEmail('ana');
  created(await anyone('POST', '/auth/register', { body: { name: 'Ana', email, password } }));
  const call = await signIn(email);
  created(await choosePin(call));
  const account = await openAccount(call);
  const headers = { 'x-step-up-token': await tokenFor(manager, depositKey) };
  created(await manager('POST', `/accounts/${account}/deposits`, { headers, body: { amount: money } }));
  return { call, account };
}
const newDish = async (): Promise<number> =>
  created(await manager('POST', '/menu', { body: { name: randomUUID(), price: '20.00' } })).id;
/** Returns the log lines that show that a service's account lacks a right. */
const refusals = (): string[] =>
  services.flatMap((service) =>
    service
      .output()
      .split('\n')
      .filter((line) =>
        /not authorized|NOPERM|can't run this command|ACCESS_REFUSED|"code":"internal_error"/i.test(line),
      ),
  );

describe('services whose accounts have only the rights that they need', () => {
  test('serve guests, from the order until the table is closed', async () => {
    const { table_token: code } = (await manager('PUT', '/tables/7')).body;
    const { body } = await anyone('POST', '/auth/guest', { body: { table_token: code, name: 'Rui' } });
    const guest = caller(gatewayUrl, { token: body.access_token });
    const items = [{ item_id: await newDish(), quantity: 2 }];
    const placed = created(await guest('POST', '/orders', { body: { items } }));
    for (const status of ['preparing', 'ready', 'delivered'])
      expect(codeOf(await manager('PUT', `/orders/${placed.id}`, { body: { status } }))).toBe('200');
    const called = created(await guest('POST', '/calls', { body: { kind: 'bill' } }));
    expect(codeOf(await manager('PUT', `/calls/${called.id}`, { body: { status: 'taken' } }))).toBe('200');
    const rest = { method: 'cash', part: { rest: true }, expected_amount: '40.00' };
    created(await manager('POST', `/bills/${placed.bill_id}/payments`, { body: rest }));

    const closed = await manager('POST', `/bills/${placed.bill_id}/close`, { body: { end_seating: true } });

    expect(codeOf(closed)).toBe('200');
    expect(codeOf(await guest('POST', '/orders', { body: { items } }))).toBe('409 seating_closed');
    expect(refusals()).toEqual([]);
  });

  test('post a transfer and a bill payment', async () => {
    const [{ call, account }, other] = [await newCustomer(), await newCustomer()];
    const transfer = { from_account_id: account, to_account_id: other.account, amount: '5.00' };
    const headers = { 'x-step-up-token': await tokenFor(call, transferKey) };
    created(await call('POST', '/accounts/internal-transfers', { headers, body: transfer }));
    const items = [{ item_id: await newDish(), quantity: 2 }];
    const { bill_id: billId } = created(await call('POST', '/orders', { body: { items } }));
    const part = { method: 'account', part: { rest: true }, expected_amount: '40.00' };
    const { id } = created(await call('POST', `/bills/${billId}/payments`, { body: part }));
    const what = { payment_id: id, from_account_id: account, amount: '40.00', currency: 'BRL' };
    const consent = { 'x-step-up-token': await consentTo(call, { type: 'bill_payment', ...what }) };

    created(await call('POST', '/accounts/bill-payments', { headers: consent, body: what }));

    const isPaid = async () => (await manager('GET', `/bills/${billId}`)).body.remaining === '0.00';
    await until(isPaid, { what: 'the payment to be settled' });
    expect((await call('GET', `/accounts/${account}`)).body.balance).toBe('55.00');
    expect(await run('transfers', 'verify-ledger')).toContain('The ledger is intact');
    expect(refusals()).toEqual([]);
  });

  test('pause and resume sign-ups', async () => {
    for (const stopped of [true, false]) {
      const headers = { 'x-step-up-token': await tokenFor(manager, 'stop.manage') };
      expect(codeOf(await manager('PUT', '/stops/sign_ups', { body: { stopped }, headers }))).toBe('200');
    }
    await run('auth-stepup', 'after-restore');
    await run('transfers', 'after-restore');
    expect(refusals()).toEqual([]);
  });

  test('seat guests and move them to another table', async () => {
    const tableCode = (await manager('PUT', '/tables/8')).body.table_token;
    await manager('PUT', '/tables/9');
    await anyone('POST', '/auth/guest', { body: { table_token: tableCode, name: 'Rui' } });

    const moved = await manager('POST', '/tables/8/move', { body: { to: '9' } });
    const removed = [await manager('DELETE', '/tables/8'), await manager('DELETE', '/tables/9')];

    expect([moved, ...removed].map(codeOf)).toEqual(['200', '204', '204']);
    expect(refusals()).toEqual([]);
  });

  test('register a tablet and let a waiter sign in on it', async () => {
    const email = newEmail('rui');
    const first = 'carpete-lua-garfo';
    const adding = { 'x-step-up-token': await tokenFor(manager, 'user.manage') };
    const body = { name: 'Rui', email, password: first, role: 'waiter' };
    const { id } = created(await manager('POST', '/users', { headers: adding, body }));
    const signInWith = async (secret: string): Promise<Call> => {
      const signedIn = await anyone('POST', '/auth/login', { body: { email, password: secret } });
      return caller(gatewayUrl, { token: signedIn.body.access_token });
    };
    await (
      await signInWith(first)
    )('PUT', '/auth/password', { body: { current: first, password } });
    const pin = { password, tablet_pin: '7391' };
    expect(codeOf(await (await signInWith(password))('PUT', '/auth/tablet-pin', { body: pin }))).toBe('204');
    const registering = { 'x-step-up-token': await tokenFor(manager, 'tablet.register') };
    const registered = created(await manager('POST', '/tablets', { headers: registering, body: { name: 'Pass' } }));
    const signInThere = async (tabletPin: string): Promise<string> => {
      const on = { tablet_credential: registered.tablet_credential, user_id: id, tablet_pin: tabletPin };
      return codeOf(await anyone('POST', '/auth/tablet/login', { body: on }));
    };

    expect([await signInThere('4826'), await signInThere('7391')]).toEqual(['403 tablet_pin_invalid', '200']);
    expect(codeOf(await manager('DELETE', `/tablets/${registered.tablet.id}`))).toBe('204');
    expect(refusals()).toEqual([]);
  });

  test('block a PIN after three wrong attempts', async () => {
    const { call } = await newCustomer();
    for (let tries = 0; tries < 3; tries++) await stepUp(call, wrongPin);

    expect(codeOf(await stepUp(call))).toBe('429 transaction_password_blocked');
    await run('auth-stepup', 'rotate-keys');
    expect(codeOf(await call('GET', '/auth/sessions'))).toBe('200');
    expect(codeOf(await manager('GET', '/audit'))).toBe('200');
    expect(refusals()).toEqual([]);
  });

  test('each get a confirmation from RabbitMQ for an event', async () => {
    await newCustomer();
    await manager('PUT', '/tables/10');
    expect(codeOf(await manager('POST', '/tables/10/open'))).toBe('200');
    created(await manager('POST', '/orders', { body: { items: [{ item_id: await newDish(), quantity: 1 }] } }));

    for (const [account, name] of Object.entries({
      orders: 'pedidos',
      'auth-stepup': 'tables',
      transfers: 'transfers',
    })) {
      const client = await new MongoClient(mongodb.urlOf(account)).connect();
      const documents = client.db(`comanda_${account === 'auth-stepup' ? 'auth' : account}`).collection(name);
      const waiting = () => documents.countDocuments({ 'outbox.0': { $exists: true } });
      expect(await documents.countDocuments()).toBeGreaterThan(0);
      await until(async () => (await waiting()) === 0, { what: `published events of ${name}` });
      await client.close();
    }
    expect(refusals()).toEqual([]);
  });
});

describe("a service's account", () => {
  type Attempt = { database: string; attempt: (db: Db) => Promise<unknown> };
  test.each<[account: string, what: string, Attempt]>([
    [
      'transfers',
      'removes a row of the ledger',
      { database: 'transfers', attempt: (db) => db.collection('transfers').deleteOne({}) },
    ],
    [
      'transfers',
      'changes a checkpoint',
      { database: 'transfers', attempt: (db) => db.collection('checkpoints').updateOne({}, { $set: { a: 1 } }) },
    ],
    [
      'transfers',
      "removes the ledger's validation rules",
      { database: 'transfers', attempt: (db) => db.command({ collMod: 'transfers', validator: {} }) },
    ],
    ['transfers', 'drops the ledger', { database: 'transfers', attempt: (db) => db.collection('transfers').drop() }],
    ['transfers', 'reads users', { database: 'auth', attempt: (db) => db.collection('usuarios').findOne() }],
    [
      'auth-stepup',
      'changes the audit trail',
      { database: 'auth', attempt: (db) => db.collection('audit').updateOne({}, { $set: { a: 1 } }) },
    ],
    [
      'auth-stepup',
      'removes security events',
      { database: 'auth', attempt: (db) => db.collection('security_events').deleteMany({}) },
    ],
    ['auth-stepup', 'reads accounts', { database: 'transfers', attempt: (db) => db.collection('accounts').findOne() }],
    [
      'orders',
      'removes the validation rules for orders',
      { database: 'orders', attempt: (db) => db.command({ collMod: 'pedidos', validator: {} }) },
    ],
    ['orders', 'drops orders', { database: 'orders', attempt: (db) => db.collection('pedidos').drop() }],
    ['orders', 'reads PIN hashes', { database: 'auth', attempt: (db) => db.collection('usuarios').findOne() }],
    ['orders-prepare', 'reads PIN hashes', { database: 'auth', attempt: (db) => db.collection('usuarios').findOne() }],
  ])('is rejected by MongoDB when %s %s', async (account, _what, { database, attempt }) => {
    const client = await new MongoClient(mongodb.urlOf(account)).connect();
    const refusal = await attempt(client.db(`comanda_${database}`)).catch((error: unknown) => error);
    await client.close();

    expect(refusal).toMatchObject({ codeName: 'Unauthorized' });
  });

  test('is rejected by Redis when the gateway spends a step-up token or unblocks a PIN', async () => {
    const client = new Redis(redis.urlOf('gateway'));
    const errorOf = (done: Promise<unknown>) =>
      done.then(
        () => 'done',
        ({ message }: Error) => message,
      );

    expect(await errorOf(client.set('comanda:jti:{1}:x', '1'))).toMatch(/^NOPERM/);
    expect(await errorOf(client.del('comanda:attempts:{1}'))).toMatch(/^NOPERM/);
    expect(await errorOf(client.flushall())).toMatch(/^NOPERM/);
    client.disconnect();
  });
});
