import { CallFailure, type Client, type LiveOrder } from '@comanda/client';
import { until } from '@comanda/testing/until';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { memoryStorage } from '@comanda/testing/memory-storage';
import { openPaymentOutbox } from './bill/payment-outbox.ts';
import { openOrderOutbox } from './outbox.ts';

const device = new Map<string, string>();
const opened: { close: () => void }[] = [];
beforeEach(() => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: memoryStorage(device),
  });
});
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  jest.restoreAllMocks();
  device.clear();
  Reflect.deleteProperty(globalThis, 'localStorage');
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
const lines = [{ dishId: 1, name: 'Prato do dia', price: '9.00', currency: 'BRL', quantity: 1, remarks: 'pouco sal' }];
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

/** The outboxes as a page opens them, also after a reload. `answer`: what the server says to an order and to a payment. */
function open(answer: () => LiveOrder) {
  const keys: string[] = [];
  const call = (_input: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
    keys.push(idempotencyKey);
    return Promise.resolve().then(answer);
  };
  const calls = { openTable: () => Promise.resolve({ seating: 5 }), placeOrder: call, payBill: call };
  const client = { calls, newKey: () => `key ${device.size}` } as unknown as Client;
  const orders = openOrderOutbox({ client, userId: 1, onPlaced: () => undefined });
  const payments = openPaymentOutbox({ client, userId: 1, onDone: () => undefined });
  opened.push(orders, payments);
  return { orders, payments, keys };
}
const refuse = (failure: CallFailure) => (): never => {
  throw failure;
};
const placed = (): LiveOrder => ({ id: 9 }) as LiveOrder;

test('when an order is refused, then it is there with the reason after a reload, until it is taken out', async () => {
  const { orders } = open(refuse(soldOut));
  orders.add(chosen);
  await until(() => orders.orders.value[0]?.refused, { what: 'the refusal' });

  const reloaded = open(placed);
  const [order] = reloaded.orders.orders.value;
  reloaded.orders.take(order?.key ?? '');

  expect(order).toMatchObject({ table: '7', lines, allergies: 'amendoim', held: 'refused' });
  expect(order?.refused?.is('menu_item_unavailable') && order.refused.problem.items).toMatchObject([
    { name: 'Prato do dia' },
  ]);
  expect([reloaded.orders.orders.value, reloaded.keys, device.size]).toEqual([[], [], 0]);
});

test('when cash that was taken is refused, then it is there with the reason after a reload, until somebody has read it', async () => {
  const { payments } = open(refuse(billChanged));
  payments.addPayment(taken);
  await until(() => payments.entries.value[0]?.refused, { what: 'the refusal' });

  const reloaded = open(placed).payments;
  const [entry] = reloaded.entries.value;
  reloaded.forget(entry?.key ?? '');

  expect(entry).toMatchObject({ kind: 'payment', amount: '156.20', method: 'cash' });
  expect(entry?.refused?.is('bill_changed') && entry.refused.problem.amount).toBe('56.20');
  expect([reloaded.entries.value, device.size]).toEqual([[], 0]);
});

test('when an order was not sent for 20 minutes, then only a tap sends it, with the key that it had', async () => {
  const before = open(refuse(unreachable));
  before.orders.add(chosen);
  await until(() => before.keys.length > 0, { what: 'a try' });
  before.orders.close();
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now + 20 * 60_000);
  const { orders, keys } = open(placed);
  const old = await until(() => orders.orders.value.find(({ held }) => held), { what: 'the old order' });
  const sentByItself = [...keys];

  orders.sendHeld(old.key);

  await until(() => orders.orders.value.length === 0, { what: 'the order to be sent' });
  expect([old.held, sentByItself, keys]).toEqual(['old', [], before.keys]);
});

test('when an order is stopped, then it is not sent any more, and nothing of it is lost', async () => {
  const { orders, keys } = open(refuse(unreachable));
  orders.add(chosen);
  await until(() => keys.length > 0, { what: 'a try' });

  orders.stop(orders.orders.value[0]?.key ?? '');

  const reloaded = open(placed);
  await new Promise(setImmediate);
  expect(reloaded.orders.orders.value).toMatchObject([{ ...chosen, seating: 5, held: 'stopped' }]);
  expect(reloaded.keys).toEqual([]);
});
