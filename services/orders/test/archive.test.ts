import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { codeOf, created, type Call } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { archiveBatch } from '../src/orders/archive-orders.ts';
import { money } from '../src/document-fields.ts';
import { createOrderArchiveStore } from '../src/orders/order-archive-store.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let connection: Connection;
let ana: Call;
beforeAll(async () => {
  // The service archives orders when it starts. With this age limit of ten years, it doesn't archive the orders in these tests.
  harness = await startOrdersHarness('archive', { settings: { ARCHIVE_AFTER_DAYS: '3650' } });
  connection = await mongoose
    .createConnection(harness.servers.mongodbUri, { dbName: harness.servers.database, writeConcern: { w: 'majority' } })
    .asPromise();
  ana = harness.as({ sub: 5, role: 'customer' });
});
afterAll(async () => {
  await connection.close();
  await harness.close();
});

const afterDays = 90;
const august = new Date('2026-08-15T21:00:00Z');
const run = (more: Partial<ReturnType<typeof createOrderArchiveStore>> = {}): Promise<number> =>
  archiveBatch({ archive: { ...createOrderArchiveStore(connection), ...more }, afterDays, clock: Date.now });
const stored = (collection: string, id: number) => harness.db.collection(collection).find({ pedidoID: id }).toArray();

const reopen = (billId: number) =>
  harness.manager('POST', `/bills/${billId}/reopen`, { body: { reason: 'A dish was missing' } });
const statusOf = async (billId: number) =>
  (await harness.db.collection('bills').findOne({ _id: billId as never }))?.['status'] as string;

/** Places an order last August and gives it this status. */
async function placeInAugust(
  status: 'received' | 'delivered' | 'cancelled',
  change: object = {},
  at = august,
): Promise<number> {
  const dish = await harness.createDish();
  const { id } = created(await ana('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } }));
  await inAugust(id, status, { ...change, at });
  return id;
}

/** Gives the order this status. Waits until its events are published, and sets its times and its bill's to last August. */
async function inAugust(
  id: number,
  status: 'received' | 'delivered' | 'cancelled',
  { at = august, ...change }: { at?: Date } = {},
): Promise<void> {
  const steps = { received: [], delivered: ['preparing', 'ready', 'delivered'], cancelled: ['cancelled'] }[status];
  for (const step of steps) await harness.waiter('PUT', `/orders/${id}`, { body: { status: step } });
  const orders = harness.db.collection('pedidos');
  await until(() => orders.findOne({ pedidoID: id, outbox: [] }), { what: 'an empty outbox' });
  await orders.updateOne({ pedidoID: id }, { $set: { dataHora: at, updated_at: at, ...change } });
  const order = await orders.findOne({ pedidoID: id });
  const closed = { status: 'closed', closed_at: at, updated_at: at };
  await harness.db.collection('bills').updateOne({ _id: order?.['bill_id'] as never }, { $set: closed });
}

describe('old orders', () => {
  test('can still be fetched by id after they are archived', async () => {
    const ids = [await placeInAugust('delivered'), await placeInAugust('cancelled')];
    const read = (path: string) => Promise.all(ids.map(async (id) => (await ana('GET', `/orders/${id}${path}`)).body));
    const before = [await read(''), await read('/history')];

    await run();

    const after = [await read(''), await read('/history')];
    const listed = await ana('GET', '/orders?to=2026-09-01T00:00:00.000Z');
    const collections = await Promise.all(
      ids.map(async (id) => [await stored('pedidos', id), await stored('pedidos_2026_08', id)]),
    );
    expect(after).toEqual(before);
    expect((listed.body as { id: number }[]).filter(({ id }) => ids.includes(id))).toEqual([]);
    expect(collections).toMatchObject(ids.map((id) => [[], [{ pedidoID: id }]]));
  });

  test("aren't archived if they are open, recent or have an event that waits to be published", async () => {
    const message = { id: 'a', type: 'order.seen', time: new Date(), body: '{}' };
    const claimed = { outbox: [message], outbox_claim: { by: 'another', until: new Date(Date.now() + 8000) } };
    const ids = [
      await placeInAugust('received'),
      await placeInAugust('delivered', { updated_at: new Date() }),
      await placeInAugust('delivered', claimed),
    ];

    await run();

    const kept = await Promise.all(ids.map(async (id) => (await stored('pedidos', id)).length));
    expect(kept).toEqual([1, 1, 1]);
  });

  test("aren't duplicated if the service is killed between copying and removing them", async () => {
    const id = await placeInAugust('delivered');
    await expect(run({ removeCopied: () => Promise.reject(new Error('killed')) })).rejects.toThrow('killed');
    const between = [await stored('pedidos', id), await stored('pedidos_2026_08', id)].map(({ length }) => length);
    const answered = await ana('GET', `/orders/${id}`);

    await Promise.all([run(), run()]);

    const after = [await stored('pedidos', id), await stored('pedidos_2026_08', id)].map(({ length }) => length);
    expect([between, answered.status, after]).toEqual([[1, 1], 200, [0, 1]]);
  });

  test('are archived in their newest version if they change after being copied', async () => {
    const id = await placeInAugust('delivered');
    const { copy } = createOrderArchiveStore(connection);
    await run({
      copy: async (archivable) => {
        await copy(archivable);
        await harness.db.collection('pedidos').updateOne({ pedidoID: id }, { $inc: { version: 1 } });
      },
    });
    const between = await stored('pedidos', id);

    await run();

    const [archived] = await stored('pedidos_2026_08', id);
    expect(between).toHaveLength(1);
    expect([await stored('pedidos', id), archived?.['version']]).toEqual([[], between[0]?.['version']]);
  });

  test('reject and accept the same changes as before they were archived', async () => {
    const id = await placeInAugust('cancelled');
    await run();
    const put = (body: object, path = '') => harness.waiter('PUT', `/orders/${id}${path}`, { body });

    const responses = [
      await put({ status: 'cancelled' }),
      await put({ status: 'preparing' }),
      await put({ table: '4' }, '/table'),
    ];
    const seen = await harness.waiter('POST', '/orders/seen', { body: { order_ids: [id], device: 'kitchen-1' } });

    expect(responses.map(({ status }) => status)).toEqual([200, 409, 404]);
    expect(seen.status).toBe(204);
    expect([await stored('pedidos', id), (await stored('pedidos_2026_08', id)).length]).toEqual([[], 1]);
  });

  test('return what a request has moved or remade if it is sent again after they were archived', async () => {
    const dish = await harness.createDish();
    const body = { items: [{ item_id: dish, quantity: 3 }], table: '7', seating: 7003 };
    const order = created(await harness.waiter('POST', '/orders', { body }));
    const [item, keys] = [order.items[0].id, [1, 2, 3].map(() => randomUUID())];
    const moveOne = { items: [{ id: item, quantity: 1 }], table: '9', seating: 7004 };
    const requests = [
      ['move-items', { ...moveOne, table: '7', seating: 7003 }],
      ['move-items', moveOne],
      [`items/${item}/remake`, { quantity: 1, reason: 'Burnt' }],
    ] as const;
    const send = (index: number, more: object = {}) => {
      const [path, sent] = requests[index] as (typeof requests)[number];
      const headers = { 'Idempotency-Key': keys[index] as string };
      return harness.waiter('POST', `/orders/${order.id}/${path}`, { body: { ...sent, ...more }, headers });
    };
    const first = [await send(0), await send(1), await send(2)].map((each) => [each.status, each.body.id]);
    await inAugust(order.id, 'delivered');

    await run();

    const again = [await send(0), await send(1), await send(2)];
    expect(await stored('pedidos', order.id)).toEqual([]);
    expect(again.map((each) => [each.status, each.body.id])).toEqual(first);
    expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true', 'true', 'true']);
    expect(codeOf(await send(1, { table: '8' }))).toBe('422 idempotency_key_reused');
    const unknown = { body: { items: [{ id: item }], table: '9' } };
    expect(codeOf(await harness.waiter('POST', `/orders/${order.id}/move-items`, unknown))).toBe('404 not_found');
  });

  test('are archived only after their bills are closed', async () => {
    const dish = await harness.createDish();
    const place = async (seating: number): Promise<number> => {
      const body = { items: [{ item_id: dish, quantity: 1 }], table: '7', seating };
      return created(await harness.waiter('POST', '/orders', { body })).id;
    };
    const ids = [await place(7001), await place(7001), await place(7002)];
    for (const id of ids)
      for (const status of ['preparing', 'ready', 'delivered'])
        await harness.waiter('PUT', `/orders/${id}`, { body: { status } });
    const orders = harness.db.collection('pedidos');
    const bills = harness.db.collection('bills');
    await until(async () => (await orders.countDocuments({ pedidoID: { $in: ids }, outbox: [] })) === 3, {
      what: 'empty outboxes',
    });
    const billOf = async (id: number): Promise<number> =>
      (await orders.findOne({ pedidoID: id }))?.['bill_id'] as number;
    const [closed, open] = [await billOf(ids[0] ?? 0), await billOf(ids[2] ?? 0)];
    await orders.updateMany({ pedidoID: { $in: ids } }, { $set: { dataHora: august, updated_at: august } });
    await bills.updateOne(
      { _id: closed as never },
      { $set: { status: 'closed', closed_at: august, updated_at: august } },
    );
    const read = async (id: number) => (await harness.waiter('GET', `/bills/${id}`)).body;
    const before = await read(closed);

    await run();

    const left = await Promise.all(ids.map(async (id) => (await stored('pedidos', id)).length));
    expect(left).toEqual([0, 0, 1]);
    expect(await read(closed)).toEqual(before);
    expect(await read(open)).toMatchObject({ id: open, status: 'open' });
  });

  test('leave their bill closed once they are archived', async () => {
    const id = await placeInAugust('delivered');
    const billId = (await stored('pedidos', id))[0]?.['bill_id'] as number;
    await run();

    const refused = await reopen(billId);

    expect([codeOf(refused), await statusOf(billId)]).toEqual(['409 bill_not_open', 'closed']);
  });

  test("aren't archived if their bill has just been reopened", async () => {
    const id = await placeInAugust('delivered');
    const billId = (await stored('pedidos', id))[0]?.['bill_id'] as number;
    // A bill is reopened only in the day in which it was closed.
    const sums = Object.fromEntries(
      ['items_total', 'discount_total', 'service_charge', 'rounding', 'total'].map((name) => [name, money(0)]),
    );
    const closing = { ...sums, closed_at: august, by: { id: 9, name: 'Marta' } };
    await harness.db.collection('bills').updateOne({ _id: billId as never }, { $set: { day: 1, closing } });
    const { keepBillsClosed } = createOrderArchiveStore(connection);
    await run({
      keepBillsClosed: async (found) => {
        expect((await reopen(billId)).status).toBe(200);
        return keepBillsClosed(found);
      },
    });

    const left = [await stored('pedidos', id), await stored('pedidos_2026_08', id)].map(({ length }) => length);
    expect([left, await statusOf(billId)]).toEqual([[1, 0], 'open']);
  });

  test('go into the collection for their month, even if it must be created again', async () => {
    const archive = createOrderArchiveStore(connection);
    const months = harness.db.collection('pedidos_2026_08');
    const indexesOf = async () => (await months.indexes()).map(({ name }) => String(name)).toSorted();
    await placeInAugust('delivered');
    await run(archive);
    const before = await indexesOf();
    await months.drop();

    const id = await placeInAugust('delivered');
    await run(archive);

    expect(await stored('pedidos_2026_08', id)).toHaveLength(1);
    expect(await indexesOf()).toEqual(before);
    await expect(months.insertOne({ pedidoID: 'x' })).rejects.toThrow(/Document failed validation/);
  });

  test('stay hidden from other users once they are archived', async () => {
    const id = await placeInAugust('delivered');
    await run();

    const { status } = await harness.as({ sub: 6, role: 'customer' })('GET', `/orders/${id}`);

    expect(status).toBe(404);
  });

  test('are archived as soon as a service starts', async () => {
    const tenYearsAgo = new Date('2016-08-15T21:00:00Z');
    const id = await placeInAugust('delivered', {}, tenYearsAgo);

    await harness.startInstance();

    const archived = harness.db.collection('pedidos_2016_08');
    await until(() => archived.findOne({ pedidoID: id }), { what: 'the archived order' });
    await expect(archived.insertOne({ pedidoID: 'x' })).rejects.toThrow(/Document failed validation/);
  });
});
