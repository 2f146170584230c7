import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient, type Document } from 'mongodb';
import { startFakeBank, type FakeBank, type Fault } from '@comanda/local-stack/bank/fake-bank';
import { budget } from '@comanda/testing/budget';
import { caller, created, type Call, type Called } from '@comanda/testing/call';
import { isolatedServers, type IsolatedServers } from '@comanda/testing/isolated-servers';
import { importOf } from '@comanda/testing/service-here';
import { startStack, type Stack } from '@comanda/testing/stack';
import { choosePin, consentTo, registerCustomer, withoutLimits } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { recordPix } from './pix/pix-history.ts';

// Kills transfers and orders while Pix are paid and refunded, and restores their databases. What the killed services have stored
// is followed in the model of services/transfers/test/support/pix-saga-model.ts.

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
type Killed = 'transfers' | 'orders';

let servers: IsolatedServers;
let bank: FakeBank;
let stack: Stack;
let manager: Call;
let mongo: MongoClient;
let replayPix: (history: readonly string[]) => string | null;
beforeAll(async () => {
  bank = await startFakeBank();
  servers = await isolatedServers('pix-kills');
  const settings = { ...withoutLimits, ...bank.settings, PIX_ASK_EVERY_S: '1' };
  stack = await startStack(servers, settings, ['transfers', 'orders']);
  mongo = await new MongoClient(servers.mongodbUri).connect();
  ({ replayPix } = (await importOf('transfers', 'test/support/pix-replay.ts')) as { replayPix: typeof replayPix });
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await choosePin(manager));
  created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '50.00' } }));
});
afterAll(async () => {
  await stack.close();
  await mongo.close();
  await bank.close();
});

const answered = ({ status }: Called): boolean => status < 500;
/** Repeats a call until a service answers it. */
async function untilAnswered(make: () => Promise<Called>): Promise<Called> {
  let last: Called | undefined;
  await until(
    async () => {
      last = await make();
      return answered(last);
    },
    { what: 'an answer', timeoutMs: 30_000 },
  );
  if (!last) throw new Error('there is no answer');
  return last;
}
/** Reserves a bill as a new customer, because each may ask for ten codes a minute. */
async function reserve(): Promise<Json> {
  const { call } = await registerCustomer(stack, 'Ana');
  const order = { items: [{ name: 'Feijoada', quantity: 1 }] };
  const { bill_id: id } = created(await call('POST', '/orders', { body: order }));
  const { remaining } = (await call('GET', `/bills/${id}`)).body;
  const body = { method: 'pix', part: { rest: true }, expected_amount: remaining };
  const payment = created(await call('POST', `/bills/${id}/payments`, { body }));
  payers.set(payment.id, call);
  return payment;
}
const payers = new Map<number, Call>();
const charge = (payment: Json): Promise<Called> => {
  const body = { payment_id: payment.id, amount: payment.total, currency: 'BRL' };
  return (payers.get(payment.id) ?? manager)('POST', '/pix/charges', { body });
};
const receiptNow = async (e2e: string): Promise<Json> => (await manager('GET', `/pix/receipts/${e2e}`)).body;
const paymentNow = async ({ bill_id: bill, id }: Json): Promise<Json> =>
  (await manager('GET', `/bills/${bill}/payments/${id}`)).body;
const untilState = (e2e: string, state: string): Promise<unknown> =>
  until(async () => (await receiptNow(e2e)).state === state, { what: `${e2e} to be ${state}`, timeoutMs: 30_000 });
async function giveBack(e2e: string, payment: Json): Promise<void> {
  const amount = payment.total as string;
  const token = await consentTo(manager, { type: 'pix_refund', end_to_end_id: e2e, amount, currency: 'BRL' });
  const headers = { 'x-step-up-token': token, 'idempotency-key': `back-${e2e}` };
  const send = () => manager('POST', `/pix/receipts/${e2e}/refunds`, { body: { amount, currency: 'BRL' }, headers });
  // The token is spent once. If its answer was lost, the refund is there, or another token is needed.
  await untilAnswered(async () => {
    const response = await send();
    if (response.status !== 401) return response;
    return (await receiptNow(e2e)).refunds.length > 0 ? { ...response, status: 201 } : response;
  });
}

/** The steps of a Pix, as calls at the bank. */
const steps: [name: string, method: string, path: RegExp][] = [
  ['asks for the charge', 'GET', /\/cob\//],
  ['creates the charge', 'PUT', /\/cob\//],
  ['asks what was paid', 'GET', /\/pix$/],
  ['asks for the Pix', 'GET', /\/pix\/\w+$/],
  ['asks for the refund', 'GET', /\/devolucao\//],
  ['asks to return the money', 'PUT', /\/devolucao\//],
];
/** When a service is killed: before the bank does its part, before its answer arrives, or just after that. */
const moments = ['before', 'lost', 'soon'] as const;
const faultAt: Record<(typeof moments)[number], Fault | null> = { before: { status: 503 }, lost: 'lost', soon: null };
/** Orders hears only what follows the bank's answer, so it is killed just after that. */
const all = steps.flatMap(([name, method, path]) => [
  ...moments.map((moment) => ({ name, method, path, moment, killed: 'transfers' as const })),
  { name, method, path, moment: 'soon' as const, killed: 'orders' as const },
]);
/** A lost answer is the hardest moment: the bank has acted, and nobody knows. */
const hardest = all.filter(({ name, moment, killed }) =>
  killed === 'orders' ? name === 'asks what was paid' || name === 'asks to return the money' : moment === 'lost',
);
const cases = budget(hardest, all);

describe('a Pix', () => {
  test.each(cases)('has one end if $killed is killed when transfers $name ($moment)', async (given) => {
    const { method, path, moment, killed } = given;
    const recorder = await recordPix(mongo, servers.database);
    const payment = await reserve();
    const isOfMoney = path.source.includes('pix$');
    let isArmed = !isOfMoney;
    let isKilled = false;
    let restarted: Promise<void> = Promise.resolve();
    bank.setFault((request) => {
      if (!isArmed || request.method !== method || !path.test(request.path)) return null;
      isArmed = false;
      isKilled = true;
      restarted = kill(killed, moment === 'soon' ? Math.random() * 60 : 0);
      return faultAt[moment];
    });

    const { txid } = (await untilAnswered(() => charge(payment))).body;
    isArmed ||= isOfMoney;
    const e2e = bank.pay({ txid });
    await untilState(e2e, 'settled');
    const isRefunded = /devolucao|\\w/.test(path.source);
    if (isRefunded) await giveBack(e2e, payment);
    await restarted;
    bank.setFault(null);

    const state = isRefunded ? 'refunded' : 'settled';
    await until(async () => (await receiptNow(e2e)).state === state, { what: `it to be ${state}`, timeoutMs: 10_000 });
    const { status, pix } = await paymentNow(payment);
    expect([status, pix.confirmed_by, pix.end_to_end_id]).toEqual([isRefunded ? 'refunded' : 'paid', 'bank', e2e]);
    expect(bank.returned(e2e)).toBe(isRefunded ? Number(payment.total) * 100 : 0);
    expect(isKilled).toBe(true);
    const about = { billId: payment.bill_id, paymentId: payment.id, endToEndId: e2e };
    const history = await recorder.historyOf(about);
    expect(history.at(-1)).toBe(isRefunded ? 'refunded refunded' : 'paid settled');
    expect(replayPix(history)).toBeNull();
  });

  /** Kills a service after a pause in milliseconds, and starts it again. */
  async function kill(name: Killed, afterMs: number): Promise<void> {
    await sleep(afterMs);
    await stack.processOf(name).end('SIGKILL');
    await stack.processOf(name).start();
    await stack.processOf(name).ready();
  }
});

type Backup = { name: string; documents: Document[] }[];
const databaseOf = (name: Killed) => mongo.db(`${servers.database}_${name}`);
async function backUp(name: Killed): Promise<Backup> {
  const collections = await databaseOf(name).collections();
  const options = { promoteValues: false } as const;
  return Promise.all(
    collections
      .filter(({ collectionName }) => !['instances', 'preparations'].includes(collectionName))
      .map(async (each) => ({ name: each.collectionName, documents: await each.find({}, options).toArray() })),
  );
}
/** Restores one database, as an operator does: both services are stopped, and then told by their commands. */
async function restore(name: Killed, backup: Backup): Promise<void> {
  await Promise.all([stack.processOf('orders').end('SIGTERM'), stack.processOf('transfers').end('SIGTERM')]);
  for (const { name: collection, documents } of backup) {
    await databaseOf(name).collection(collection).deleteMany({});
    if (documents.length > 0) await databaseOf(name).collection(collection).insertMany(documents);
  }
  for (const service of ['orders', 'transfers'])
    await stack.runServiceCommand(service, 'src/after-restore.ts', { args: [], env: {} });
  for (const service of ['orders', 'transfers'] as const) {
    await stack.processOf(service).start();
    await stack.processOf(service).ready();
  }
}

describe('after a restore', () => {
  test('of orders, what was paid is paid again, and what was refunded is refunded', async () => {
    const [kept, back] = [await reserve(), await reserve()];
    const [first, second] = [created(await charge(kept)), created(await charge(back))];
    const backup = await backUp('orders');
    const [paid, returned] = [bank.pay({ txid: first.txid }), bank.pay({ txid: second.txid })];
    await untilState(paid, 'settled');
    await untilState(returned, 'settled');
    await giveBack(returned, back);
    await untilState(returned, 'refunded');

    await restore('orders', backup);

    await until(async () => (await paymentNow(kept)).status === 'paid', { what: 'the payment', timeoutMs: 20_000 });
    await until(async () => (await paymentNow(back)).status === 'refunded', { what: 'the refund', timeoutMs: 20_000 });
    expect((await paymentNow(kept)).pix).toEqual({ confirmed_by: 'bank', end_to_end_id: paid });
    await untilState(paid, 'settled');
  });

  test('of transfers, Pix since the backup are found again, and pay what they have paid', async () => {
    const [payment, other] = [await reserve(), await reserve()];
    const backup = await backUp('transfers');
    const { txid } = created(await charge(payment));
    const e2e = bank.pay({ txid });
    await untilState(e2e, 'settled');
    const unmatched = bank.pay({ txid });
    await untilState(unmatched, 'unmatched');
    const assigned = await manager('POST', `/pix/receipts/${unmatched}/assign`, { body: { payment_id: other.id } });
    expect(assigned.body.state).toBe('settled');

    await restore('transfers', backup);

    for (const [id, pays] of [
      [e2e, payment],
      [unmatched, other],
    ] as const) {
      await until(async () => (await receiptNow(id)).state === 'settled', { what: 'the receipt', timeoutMs: 90_000 });
      expect((await receiptNow(id)).payment_id).toBe(pays.id);
      expect((await paymentNow(pays)).status).toBe('paid');
    }
  });
});
