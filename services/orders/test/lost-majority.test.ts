import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { caller, created, type Called } from '@comanda/testing/call';
import { startOwnReplicaSet, type OwnReplicaSet } from '@comanda/testing/own-replica-set';
import { until } from '@comanda/testing/until';
import { untilReady } from '@comanda/testing/until-ready';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let set: OwnReplicaSet;
let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  set = await startOwnReplicaSet();
  harness = await startOrdersHarness('orders-majority', {
    settings: { MONGODB_URI: set.url },
    responseTimeLimitMs: 1800,
  });
  dish = await harness.createDish({ portions_left: 1000 });
});
afterAll(async () => {
  await harness?.close();
  await set?.discard();
});
afterEach(async () => {
  set.secondary.continue();
  await untilReady(harness.url);
});

const readiness = async (): Promise<number> => (await fetch(`${harness.url}/readyz`)).status;
const placeOrder = (key = randomUUID(), call = harness.waiter) =>
  call('POST', '/orders', {
    body: { items: [{ item_id: dish, quantity: 1 }] },
    headers: { 'idempotency-key': key },
  });
const putStatus = (id: number, status: string) => harness.waiter('PUT', `/orders/${id}`, { body: { status } });

test('writes get a 503 while there is no majority of servers', async () => {
  const ids = [];
  for (let index = 0; index < 3; index++) ids.push(created(await placeOrder()).id);
  const [moved, cancelled, seen] = ids;

  set.secondary.pause();
  const responses = await Promise.all([
    ...Array.from({ length: 20 }, () => placeOrder()),
    putStatus(cancelled, 'cancelled'),
    putStatus(moved, 'preparing'),
    harness.waiter('POST', '/orders/seen', { body: { order_ids: [seen], device: 'kitchen-1' } }),
    harness.manager('PUT', `/menu/${dish}`, { body: { price: '2.00' } }),
    harness.manager('POST', '/menu', { body: { name: `Dish ${randomUUID()}`, price: '2.00' } }),
    harness.manager('PUT', '/ordering', { body: {} }),
  ]);
  await until(async () => (await readiness()) === 503, { what: 'readyz to answer 503' });
  const later = await Promise.all([placeOrder(), putStatus(seen, 'preparing')]);
  const reads = await Promise.all([harness.waiter('GET', '/menu'), harness.waiter('GET', `/orders/${moved}`)]);
  set.secondary.continue();
  await untilReady(harness.url);
  const recovered = await repeatWhileBusy(() => placeOrder());

  expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
    responses.map(() => [503, 'service_unavailable']),
  );
  // Leaves out the first 21 responses, to the new orders and the cancellation: some of these writes were still queued.
  expect(responses.slice(21).map(({ body }) => body.outcome)).toEqual(Array(5).fill('unknown'));
  expect(later.map(({ status }) => status)).toEqual([503, 503]);
  expect(reads.map(({ status }) => status)).toEqual([200, 200]);
  expect(recovered.status).toBe(201);
});

/** Retries a call while it gets a 503. Even a ready service may reject writes while the restored member is catching up. */
async function repeatWhileBusy(call: () => Promise<Called>): Promise<Called> {
  let response = await call();
  const isServed = async (): Promise<boolean> => response.status !== 503 || (response = await call()).status !== 503;
  await until(isServed, { what: 'an answer that is not 503' });
  return response;
}

test('a retried order gets a 201 only after a majority of servers has stored it', async () => {
  const key = randomUUID();

  const second = await harness.startInstance();
  const viaSecond = caller(second.url, { token: harness.issuer.token({ sub: 900_002, role: 'waiter' }) });

  set.secondary.pause();
  const placing = placeOrder(key);
  await until(() => harness.db.collection('pedidos').findOne({ idempotency_key: `900002/${key}` }), {
    what: 'the order to be stored without a majority',
  });
  const repeated = await placeOrder(key, viaSecond);
  const first = await placing;
  set.secondary.continue();
  await untilReady(harness.url);
  const last = await repeatWhileBusy(() => placeOrder(key));

  expect(first.status).toBe(503);
  expect([409, 503]).toContain(repeated.status);
  expect([last.status, last.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
});

test('a retried change gets a 200 only after a majority of servers has stored it', async () => {
  const { id } = created(await placeOrder());

  set.secondary.pause();
  const first = await putStatus(id, 'preparing');
  const repeated = await putStatus(id, 'preparing');
  const read = await harness.waiter('GET', `/orders/${id}`);
  const listed = await harness.waiter('GET', '/orders?limit=1');
  set.secondary.continue();
  await untilReady(harness.url);
  const last = await repeatWhileBusy(() => putStatus(id, 'preparing'));

  expect([first.status, repeated.status]).toEqual([503, 503]);
  expect([read.body.status, listed.body[0].status]).toEqual(['received', 'received']);
  expect([last.status, last.body.version]).toEqual([200, 2]);
});
