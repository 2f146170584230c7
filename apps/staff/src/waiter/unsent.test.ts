import { CallFailure, type Client, type LiveOrder } from '@comanda/client/core';
import { openDeviceTabs } from '@comanda/testing/device-tabs';
import { until } from '@comanda/testing/until';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createBumpQueue } from '../bumps/bump-queue.ts';
import { openReadAllergies } from '../board/read-allergies.ts';
import { openUnsentPayments } from './bill/unsent-payments.ts';
import { countUnsent, openUnsentWork } from '../device/unsent-work.ts';
import { openMoveBills } from './move-bills.ts';
import { linesOf } from './draft.ts';
import { openUnsentOrders } from './unsent-orders.ts';

const opened: { close: () => void }[] = [];
let lastKey = 0;
let device: ReturnType<typeof openDeviceTabs>;
beforeEach(() => {
  device = openDeviceTabs();
});
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  jest.restoreAllMocks();
  device.close();
});

const soldOut = new CallFailure('sold out', {
  code: 'menu_item_unavailable',
  outcome: 'none',
  problem: { items: [{ id: 1, name: 'Prato do dia' }] } as never,
});
const billChanged = new CallFailure('changed', {
  code: 'bill_changed',
  outcome: 'none',
  problem: { amount: '56.20' } as never,
});
const unreachable = new CallFailure('nobody there', { code: 'unreachable', outcome: 'unknown', retryAfterMs: 600_000 });
const broken = new CallFailure('bug', { code: 'internal_error', outcome: 'unknown', retryAfterMs: 600_000 });
const lines = linesOf([
  { dishId: 1, name: 'Prato do dia', price: '9.00', currency: 'BRL', quantity: 1, remarks: 'pouco sal' },
]);
const chosen = { table: '7', seating: null, lines, allergies: 'amendoim' };
const taken = {
  billId: 3,
  table: '7',
  currency: 'BRL',
  method: 'cash',
  part: { rest: true },
  amount: '156.20',
  tip: '0.00',
  received: null,
} as const;

/** Opens a waiter's unsent work, as a page does when it is loaded. `answer` returns the server's response to every call. */
function open(answer: () => unknown) {
  const keys: string[] = [];
  const made: string[] = [];
  const call = (name: string) => (_input: unknown, options: { idempotencyKey?: string }) => {
    made.push(name);
    if (options.idempotencyKey !== undefined) keys.push(options.idempotencyKey);
    return Promise.resolve().then(answer);
  };
  const names = [
    'placeOrder',
    'payBill',
    'closeBill',
    'setBillTable',
    'updateOrder',
    'updateOrderItem',
    'markAllergiesRead',
  ];
  const calls = {
    ...Object.fromEntries(names.map((name) => [name, call(name)])),
    openTable: () => Promise.resolve({ seating: 5 }),
  };
  const client = { calls, newKey: () => `key ${++lastKey}` } as unknown as Client;
  const unsent = openUnsentWork(1);
  const ignore = (): void => {};
  const orders = openUnsentOrders({ client, unsent, onPlaced: ignore });
  const payments = openUnsentPayments({ client, unsent, onDone: ignore });
  const others = [
    ...(['bump', 'served'] as const).map((kind) =>
      createBumpQueue({ client, userId: 1, unsent, kind, onDropped: ignore }),
    ),
    openReadAllergies({ client, unsent }),
    openMoveBills({ client, unsent, onRefused: ignore }),
  ];
  opened.push(orders, payments, unsent, ...others);
  return { orders, payments, keys, made, all: unsent.all };
}
const refuse = (failure: CallFailure) => (): never => {
  throw failure;
};
const placed = (): LiveOrder => ({ id: 9 }) as LiveOrder;

test('a rejected order is shown with the reason after a reload, until the waiter removes it', async () => {
  const { orders } = open(refuse(soldOut));
  orders.add(chosen);
  await until(() => orders.entries.value[0]?.failure, { what: 'the rejection' });

  const reloaded = open(placed);
  const [order] = reloaded.orders.entries.value;
  reloaded.orders.take(order?.key ?? '');

  expect(order).toMatchObject({ state: 'refused', input: { table: '7', lines, allergies: 'amendoim' } });
  expect(order?.failure?.is('menu_item_unavailable') && order.failure.problem.items).toMatchObject([
    { name: 'Prato do dia' },
  ]);
  expect([reloaded.orders.entries.value, reloaded.keys, device.stored.size]).toEqual([[], [], 0]);
});

test('a rejected cash payment is shown with the reason after a reload, until the waiter has read it', async () => {
  const { payments } = open(refuse(billChanged));
  payments.addPayment(taken);
  await until(() => payments.entries.value[0]?.failure, { what: 'the rejection' });

  const reloaded = open(placed).payments;
  const [entry] = reloaded.entries.value;
  reloaded.forget(entry?.key ?? '');

  expect(entry).toMatchObject({ state: 'refused', input: { kind: 'payment', amount: '156.20', method: 'cash' } });
  expect(entry?.failure?.is('bill_changed') && entry.failure.problem.amount).toBe('56.20');
  expect([reloaded.entries.value, device.stored.size]).toEqual([[], 0]);
});

test('an order or payment that always fails holds up only payments of its own bill', async () => {
  const { orders, payments, keys, made } = open(refuse(broken));
  for (const table of ['7', '8']) orders.add({ ...chosen, table });
  for (const billId of [3, 3, 4]) payments.addPayment({ ...taken, billId });
  await until(() => made.length >= 4, { what: 'four attempts' });

  expect([...made].sort()).toEqual(['payBill', 'payBill', 'placeOrder', 'placeOrder']);
  expect(keys).not.toContain(payments.entries.value[1]?.key);
});

describe('a payment that closes its bill', () => {
  const closing = { ...taken, ends: { seating: null } };

  test('closes it once it is recorded, even after a reload', async () => {
    const before = open(refuse(unreachable));
    before.payments.addPayment(closing);
    await until(() => before.made.length > 0, { what: 'an attempt' });
    before.payments.close();

    const { payments, made } = open(() => ({ id: 3 }));
    await until(() => made.includes('closeBill') && payments.entries.value.length === 0, { what: 'the closed bill' });

    expect(before.made).toEqual(['payBill']);
    expect(made).toEqual(['payBill', 'closeBill']);
  });

  test('leaves it open if the server rejects the payment', async () => {
    const { payments, made } = open(refuse(billChanged));
    payments.addPayment(closing);
    await until(() => payments.entries.value[0]?.failure, { what: 'the rejection' });

    expect(made).toEqual(['payBill']);
    expect(payments.entries.value).toHaveLength(1);
  });
});

test('an order that was not sent for 20 minutes is sent only after a tap, with its key', async () => {
  const before = open(refuse(unreachable));
  before.orders.add(chosen);
  await until(() => before.keys.length > 0, { what: 'an attempt' });
  before.orders.close();
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now + 20 * 60_000);
  const { orders, keys } = open(placed);
  const old = await until(() => orders.entries.value.find(({ state }) => state === 'held'), { what: 'the old order' });
  const sentByItself = [...keys];

  orders.sendHeld(old);

  await until(() => orders.entries.value.length === 0, { what: 'the order to be sent' });
  expect([old.input.isStopped, sentByItself, keys]).toEqual([undefined, [], before.keys]);
});

test('a stopped order is no longer sent, but keeps its content', async () => {
  const { orders, keys } = open(refuse(unreachable));
  orders.add(chosen);
  await until(() => keys.length > 0, { what: 'an attempt' });

  for (const order of orders.entries.value) orders.stop(order);

  const reloaded = open(placed);
  await new Promise(setImmediate);
  expect(reloaded.orders.entries.value).toMatchObject([
    { state: 'held', input: { ...chosen, seating: 5, isStopped: true } },
  ]);
  expect(reloaded.keys).toEqual([]);
});

/** User 1's unsent work in the form in which release 1.0.0 stored it. */
const release1 = {
  'kitchen.bumps.1':
    '[{"id":"b-1","orderId":31,"ticket":12,"table":"7","moves":[{"itemId":90,"from":"received","to":"preparing"}],' +
    '"dishes":["2 Feijoada"],"isTicket":true,"wholeOrderTo":"preparing","version":3,"atMs":1764100000000}]',
  'kitchen.reads.1': '[{"orderId":31}]',
  'waiter.served.1':
    '[{"id":"s-1","orderId":32,"ticket":13,"table":"8","moves":[{"itemId":95,"from":"ready","to":"delivered"}],' +
    '"wholeOrderTo":null,"version":4,"atMs":1764100000000}]',
  'waiter.orders.1':
    '[{"key":"o-1","table":"7","seating":5,"lines":[{"dishId":1,"name":"Prato do dia","price":"9.00","currency":"BRL",' +
    '"quantity":1,"remarks":"pouco sal"}],"allergies":"amendoim"}]',
  'waiter.payments.1':
    '[{"kind":"payment","key":"p-1","billId":3,"table":"7","currency":"BRL","method":"cash","part":{"rest":true},' +
    '"amount":"156.20","tip":"0.00","received":null},{"kind":"end","key":"e-1","billId":3,"table":"7","seating":5}]',
  'waiter.moved-bills.1': '[{"kind":"move","table":"9","key":"m-1","billId":4,"from":"8"}]',
};

test('all work that release 1.0.0 has stored is sent with its keys, except an order of unknown age', async () => {
  for (const [name, text] of Object.entries(release1)) device.stored.set(`comanda.${name}`, text);

  const { orders, made, keys, all } = open(refuse(unreachable));
  const taken1 = all.peek().map(({ kind, key }) => `${kind} ${key}`);
  await until(() => orders.entries.value[0]?.state === 'held', { what: 'the order to be held' });
  await until(() => made.length >= 5, { what: 'the attempts' });

  expect(taken1.sort()).toEqual([
    'bump b-1',
    'move m-1',
    'order o-1',
    'payment e-1',
    'payment p-1',
    'read [31,null]',
    'served s-1',
  ]);
  expect(orders.entries.value).toMatchObject([
    { key: 'o-1', input: { table: '7', seating: 5, allergies: 'amendoim' } },
  ]);
  expect(made.sort()).toEqual(['markAllergiesRead', 'payBill', 'setBillTable', 'updateOrder', 'updateOrderItem']);
  expect([keys, countUnsent(1)]).toEqual([['p-1'], { bumps: 1, waiterWork: 4 }]);
  expect([...device.stored.keys()]).toEqual(['comanda.staff.unsent.1']);
});
