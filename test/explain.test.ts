import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { run, type Finished } from '@comanda/local-stack/servers/command';
import { caller, created, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { isolatedServers, type IsolatedServers } from '@comanda/testing/isolated-servers';
import { startStack, type Stack } from '@comanda/testing/stack';
import {
  choosePin,
  consentTo,
  depositKey,
  openAccount,
  registerCustomer,
  tokenFor,
  transferKey,
  withoutLimits,
  type RegisteredCustomer,
} from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { MongoClient, type Db } from 'mongodb';

let servers: IsolatedServers;
let stack: Stack;
let manager: Call;
let mongo: MongoClient;
let ordersDb: Db;
let transfersDb: Db;
let ana: RegisteredCustomer & { account: number };
const names = ['Ana', 'sem cebola', 'amendoim', 'aniversário'];

beforeAll(async () => {
  servers = await isolatedServers('explain');
  stack = await startStack(servers, withoutLimits);
  mongo = await new MongoClient(servers.mongodbUri).connect();
  ordersDb = mongo.db(`${servers.database}_orders`);
  transfersDb = mongo.db(`${servers.database}_transfers`);
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await choosePin(manager));
  const customer = await registerCustomer(stack, 'Ana');
  created(await choosePin(customer.call));
  ana = { ...customer, account: await openAccount(customer.call) };
  const headers = { 'x-step-up-token': await tokenFor(manager, depositKey) };
  created(await manager('POST', `/accounts/${ana.account}/deposits`, { body: { amount: '100.00' }, headers }));
});
afterAll(async () => {
  await stack?.close();
  await mongo?.close();
});

function explain(...args: string[]): Promise<Finished> {
  const { database, mongodbUri } = servers;
  const DATABASES = [`${database}_orders`, `${database}_auth`, `${database}_transfers`].join();
  return run({
    command: process.execPath,
    args: ['--conditions=source', `${root}/scripts/explain.ts`, ...args],
    env: { PATH: process.env['PATH'], MONGODB_URI: mongodbUri, DATABASES },
  });
}
const untilPublished = (db: Db, collection: string): Promise<unknown> =>
  until(async () => (await db.collection(collection).countDocuments({ 'outbox.0': { $exists: true } })) === 0, {
    what: `published events of ${collection}`,
  });
async function placeOrder(station = 'kitchen'): Promise<{ id: number; billId: number }> {
  const dish = created(
    await patient(manager)('POST', '/menu', {
      body: { name: `Moqueca ${crypto.randomUUID()}`, price: '20.00', station },
    }),
  );
  const body = {
    items: [{ item_id: dish.id, quantity: 2, remarks: 'sem cebola' }],
    allergies: 'amendoim',
    table: '12',
  };
  const order = created(await patient(ana.call)('POST', '/orders', { body }));
  return { id: order.id, billId: order.bill_id };
}

type Archived = { collection: string; change?: object };
async function archive(id: number, { collection, change = {} }: Archived): Promise<void> {
  await untilPublished(ordersDb, 'pedidos');
  const stored = await ordersDb.collection<{ _id: number }>('pedidos').findOneAndDelete({ _id: id });
  await ordersDb.collection<{ _id: number }>(collection).insertOne({ ...stored!, ...change });
}

describe('an order', () => {
  test('when it is explained, then the page has its state, its history, its bill and the transfer that paid it, and no name', async () => {
    const { id, billId } = await placeOrder('grill');
    await manager('PUT', `/orders/${id}`, { body: { status: 'preparing' } });
    await manager('POST', '/orders/seen', { body: { order_ids: [id], device: 'grill-1', stations: ['grill'] } });
    await manager('PUT', `/orders/${id}/allergies-read`, { body: { stations: ['bar'] } });
    const payment = created(
      await ana.call('POST', `/bills/${billId}/payments`, {
        body: { method: 'account', part: { rest: true }, expected_amount: '40.00' },
      }),
    );
    const what = { payment_id: payment.id, from_account_id: ana.account, amount: '40.00', currency: 'BRL' };
    const headers = { 'x-step-up-token': await consentTo(ana.call, { type: 'bill_payment', ...what }) };
    const transfer = created(await ana.call('POST', '/accounts/bill-payments', { body: what, headers }));
    await Promise.all([untilPublished(ordersDb, 'pedidos'), untilPublished(ordersDb, 'bills')]);

    const { code, output } = await explain('order', String(id));

    expect(code).toBe(0);
    for (const line of [
      `Order ${id}\n  preparing, ticket `,
      'table 12',
      ` by customer ${ana.id}`,
      'shown at all its stations ',
      'allergies: 8 characters, NOT YET read at all its stations',
      ' on grill-1 and has NOT read the allergies',
      'remark: 10 characters',
      'received -> preparing  by manager ',
      'Events of the order\n  all are published',
      `payment ${payment.id}: paid, account, 40.00 BRL`,
      `bill_payment of payment ${payment.id}: transfer ${transfer.id}, posted `,
      `${servers.database}_orders.pedidos, version `,
    ])
      expect(output).toContain(line);
    expect(names.filter((name) => output.includes(name))).toEqual([]);
  });

  test('when an event of it waits, then the page says so', async () => {
    const { id } = await placeOrder();
    const message = { id: crypto.randomUUID(), type: 'order.created', time: new Date(), body: '{}' };
    // In the archive, where no sweep publishes it meanwhile.
    await archive(id, { collection: 'pedidos_2026_02', change: { outbox: [message] } });

    const { output } = await explain('order', String(id));

    expect(output).toMatch(/Events of the order\n {2}order\.created of .* WAITS to be published/);
  });

  test('when names are asked for, then it has them, and what guests have written', async () => {
    const { id } = await placeOrder();

    const { output } = await explain('order', String(id), '--names');

    expect(output).toContain(`customer ${ana.id} (Ana`);
    expect(output).toContain('remark: "sem cebola"');
    expect(output).toContain('allergies: "amendoim"');
  });

  test('when it is in the archive, then it is found there', async () => {
    const { id } = await placeOrder();
    await archive(id, { collection: 'pedidos_2026_01' });

    const { code, output } = await explain('order', String(id));

    expect(code).toBe(0);
    expect(output).toContain(`${servers.database}_orders.pedidos_2026_01, version 1`);
  });
});

describe('a transfer', () => {
  async function transfer(amount: string) {
    const to = await openAccount((await registerCustomer(stack, 'Bia')).call);
    const body = { from_account_id: ana.account, to_account_id: to, amount, description: 'aniversário' };
    const headers = { 'x-step-up-token': await tokenFor(ana.call, transferKey) };
    return { to, answer: await ana.call('POST', '/accounts/internal-transfers', { body, headers }) };
  }

  test('when it is explained, then the page has both entries with their chains, the consent and the receipt, and no name', async () => {
    const { to, answer } = await transfer('12.50');
    const { id } = created(answer);
    await untilPublished(transfersDb, 'transfers');
    const isSpent = () =>
      mongo.db(`${servers.database}_auth`).collection('security_events').findOne({ type: 'step_up_spent' });
    await until(isSpent, { what: 'the event of the spent token' });

    const { code, output } = await explain('transfer', String(id));

    expect(code).toBe(0);
    expect(output).toContain(`posted, internal_transfer, 12.50 BRL from account ${ana.account} to account ${to}`);
    expect(output).toMatch(
      new RegExp(
        `account ${ana.account} of customer ${ana.id}: entry \\d+, -12\\.50 BRL, balance [\\d.]+ BRL, continues entry \\d+`,
      ),
    );
    expect(output).toMatch(
      new RegExp(
        `account ${to} of customer \\d+: entry 1, 12\\.50 BRL, balance 12\\.50 BRL, the first of this account`,
      ),
    );
    expect(output).toMatch(/step_up_issued .*\n {2}step_up_spent .*\n {2}signed .* for internal_transfer\.create/);
    expect(output).toMatch(/Receipt\n {2}signed with the key \S+/);
    expect(output).toContain('Events of the transfer\n  all are published');
    expect([...names, 'Bia'].filter((name) => output.includes(name))).toEqual([]);
  });

  test('when somebody has changed the entry before, then the page says that the chain is broken', async () => {
    const { answer } = await transfer('1.00');
    const { id } = created(answer);
    const rows = transfersDb.collection<{ _id: number; entries: { account: number; seq: number; hash: string }[] }>(
      'transfers',
    );
    const payer = (await rows.findOne({ _id: id }))!.entries[0]!;
    const before = { entries: { $elemMatch: { account: payer.account, seq: payer.seq - 1 } } };
    const earlier = (await rows.findOne(before))!.entries.find(({ account }) => account === payer.account);
    const setHash = (hash: string) => rows.updateOne(before, { $set: { 'entries.$.hash': hash } });
    await setHash('another');

    const { output } = await explain('transfer', String(id));

    await setHash(earlier!.hash);
    expect(output).toContain(`DOES NOT CONTINUE entry ${payer.seq - 1}`);
  });

  test('when it was refused, then the page says why, and that nothing has moved', async () => {
    const { answer } = await transfer('100000.00');
    expect(answer.status).toBe(422);
    const refused = await transfersDb.collection<{ _id: number }>('transfers').findOne({ status: 'refused' });
    const { _id: id } = refused!;

    const { output } = await explain('transfer', String(id));

    expect(output).toContain('refused: insufficient_funds; nothing has moved');
  });
});

describe('what cannot be explained', () => {
  test.each([
    [[], 'What is to be explained? Use npm run explain -- order ID, or npm run explain -- transfer ID.'],
    [['table', '7'], 'What is to be explained? table is unknown. Use npm run explain'],
    [['order', 'x'], 'The id of the order must be one whole number from 1, but is "x".'],
    [['order', '999999'], 'There is no order 999999 in '],
    [['transfer', '999999'], 'There is no transfer 999999 in '],
  ])('when it is %j, then one line says so', async (args, message) => {
    const { code, output } = await explain(...args);

    expect(code).toBe(1);
    expect(output).toContain(message);
    expect(output.split('\n')).toHaveLength(1);
  });
});
