import { randomUUID } from 'node:crypto';
import { Transform } from 'node:stream';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { recordEvents } from '@comanda/testing/recorded-events';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startTcpProxy, type TcpProxy } from '@comanda/testing/tcp-proxy';
import { untilReady } from '@comanda/testing/until-ready';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

const { MongoClient } = mongoose.mongo;

const placeOrder = ({ waiter }: OrdersHarness, dish: number, headers: Record<string, string> = {}) =>
  waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] }, headers });

describe('a failing database', () => {
  let mongod: OwnServer;
  let harness: OrdersHarness;
  let dish: number;
  beforeAll(async () => {
    mongod = await startOwnServer('mongodb');
    harness = await startOrdersHarness('orders-mongo-down', {
      settings: { MONGODB_URI: mongod.url },
      responseTimeLimitMs: 1800,
    });
    dish = await harness.createDish({ portions_left: 1000 });
  });
  afterAll(async () => {
    await harness.close();
    await mongod.discard();
  });
  const readiness = async () => (await fetch(`${harness.url}/readyz`)).status;

  test('causes a 503 for every request while it is frozen', async () => {
    const { id, items } = created(await placeOrder(harness, dish));
    const unavailable = { status: 503, body: { code: 'service_unavailable' } };

    mongod.kill('SIGSTOP');
    try {
      const first = await Promise.all([
        ...Array.from({ length: 20 }, () => placeOrder(harness, dish)),
        ...Array.from({ length: 5 }, () => harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' } })),
        harness.waiter('PUT', `/orders/${id}/items/${items[0].id}`, { body: { status: 'cancelled' } }),
        harness.waiter('GET', `/orders/${id}`),
        harness.waiter('GET', '/orders?status=received'),
        harness.waiter('GET', '/menu'),
        harness.manager('PUT', `/menu/${dish}`, { body: { price: '2.00' } }),
        harness.manager('PUT', '/ordering', { body: {} }),
      ]);
      const later = await Promise.all([placeOrder(harness, dish), harness.waiter('GET', '/menu')]);

      expect(first).toMatchObject(first.map(() => unavailable));
      expect(later).toMatchObject(later.map(() => unavailable));
      expect(await until(async () => (await readiness()) === 503, { what: 'readyz to answer 503' })).toBe(true);
    } finally {
      mongod.kill('SIGCONT');
    }
    await untilReady(harness.url);
    await until(async () => (await placeOrder(harness, dish)).status === 201, {
      what: 'an order to be placed',
    });
  });

  test('has exactly one order for each idempotency key after being killed and restarted', async () => {
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const placeUntilAnswered = async (key: string): Promise<number> => {
      for (;;) {
        const response = await placeOrder(harness, dish, { 'idempotency-key': key });
        if (response.status === 201) return response.body.id;
        expect([response.status, response.body.code]).toEqual([503, 'service_unavailable']);
      }
    };

    const placing = Promise.all(keys.map(placeUntilAnswered));
    mongod.kill('SIGKILL');
    await mongod.exited;
    mongod = await mongod.startAgain();
    const ids = await placing;

    const client = await new MongoClient(mongod.url).connect();
    try {
      const stored = await client
        .db(harness.servers.database)
        .collection('pedidos')
        .find({ idempotency_key: { $exists: true } })
        .toArray();
      expect(stored.map(({ pedidoID }) => pedidoID).toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
      await Promise.all(ids.map((id) => harness.events.waitFor('order.created', id)));
    } finally {
      await client.close();
    }
  });
});

describe('a slow database', () => {
  test('causes a 503 if writes take too long', async () => {
    const mongod = await startOwnServer('mongodb');
    const slow = { delayMs: 0 };
    const proxy = await startTcpProxy(mongod.url, {
      fromServer: () =>
        new Transform({
          transform: (chunk: Buffer, _encoding, done) => void setTimeout(() => done(null, chunk), slow.delayMs),
        }),
    });
    const url = new URL(proxy.url);
    url.search = '?directConnection=true';
    const harness = await startOrdersHarness('orders-slow-mongo', {
      settings: { MONGODB_URI: url.href },
      responseTimeLimitMs: 1800,
    });
    try {
      const dish = await harness.createDish({ portions_left: 10 });
      const { id } = created(await placeOrder(harness, dish));
      const key = { 'idempotency-key': randomUUID() };
      slow.delayMs = 600;

      const responses = await Promise.all([
        placeOrder(harness, dish, key),
        harness.waiter('PUT', `/orders/${id}`, { body: { status: 'cancelled' } }),
      ]);
      slow.delayMs = 0;
      await untilReady(harness.url);
      const again = await until(
        async () => {
          const response = await placeOrder(harness, dish, key);
          return response.status === 201 ? response : null;
        },
        { what: 'the order to be placed' },
      );

      expect(responses.map(({ status, body }) => [status, body.outcome])).toEqual([
        [503, 'unknown'],
        [503, 'unknown'],
      ]);
      // After a 503, the order may or may not have been stored.
      const { body: orders } = await harness.waiter('GET', '/orders');
      const ids = (orders as { id: number }[]).map((order) => order.id);
      expect(new Set(ids)).toEqual(new Set([id, again.body.id]));
      expect(ids).toHaveLength(2);
      expect(await harness.events.waitFor('order.created', again.body.id)).toHaveLength(1);
    } finally {
      slow.delayMs = 0;
      await harness.close();
      await proxy.close();
      await mongod.discard();
    }
  });
});

describe('an instance that is killed during a transaction', () => {
  test('loses its locks within 5 s', async () => {
    const mongod = await startOwnServer('mongodb');
    const harness = await startOrdersHarness('orders-killed-instance', { settings: { MONGODB_URI: mongod.url } });
    const killed = await new MongoClient(mongod.url).connect();
    try {
      await killed.db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds: 60 });
      const dish = await harness.createDish({ portions_left: 10 });
      const database = killed.db(harness.servers.database);
      // Waits until the dish's event is removed from its outbox, because that write would conflict with the transaction below.
      await until(() => database.collection('itensMenu').findOne({ itemID: dish, outbox: [] }), {
        what: 'an empty outbox',
      });
      // Leaves behind what a killed process does: its last heartbeat and an open transaction.
      const session = killed.startSession();
      await database
        .collection<{ _id: string }>('instances')
        .updateOne({ _id: 'killed' }, [{ $set: { beat: '$$NOW', sessions: { $literal: [session.id] } } }], {
          upsert: true,
        });
      session.startTransaction();
      await database
        .collection('restaurant')
        .updateOne({ _id: 'orders' as never }, { $inc: { touched: 1 } }, { session });
      await database.collection('itensMenu').updateOne({ itemID: dish }, { $inc: { portions_left: -1 } }, { session });

      const refused = await placeOrder(harness, dish);

      expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable']);
      expect(refused.body.outcome).toBeUndefined();
      await until(async () => (await placeOrder(harness, dish)).status === 201, {
        what: 'the locks to be free',
      });
      expect((await harness.waiter('GET', `/menu/${dish}`)).body.portions_left).toBe(9);
    } finally {
      await killed.close();
      await harness.close();
      await mongod.discard();
    }
  });
});

describe('an outage of the broker', () => {
  test('delays events, but not writes', async () => {
    let broker = await startOwnServer('rabbitmq');
    const harness = await startOrdersHarness('orders-no-broker', { settings: { RABBITMQ_URL: broker.url } });
    const readiness = async () =>
      (await (await fetch(`${harness.url}/readyz`)).json()) as { status: string; dependencies: { rabbitmq: string } };
    try {
      await until(async () => (await readiness()).dependencies.rabbitmq === 'up', {
        what: 'the service to be connected to the broker',
      });

      await broker.stop();
      const dish = await harness.createDish({ portions_left: 100 });
      const placed = await Promise.all(Array.from({ length: 20 }, () => placeOrder(harness, dish)));
      const ids = placed.map((response) => created(response).id as number);
      for (const status of ['preparing', 'ready', 'delivered']) {
        const responses = await Promise.all(
          ids.map((id) => harness.waiter('PUT', `/orders/${id}`, { body: { status } })),
        );
        expect(responses.map((response) => response.status)).toEqual(ids.map(() => 200));
      }
      expect(await readiness()).toMatchObject({ status: 'ready', dependencies: { rabbitmq: 'down' } });

      broker = await broker.startAgain();
      const events = await until(() => recordEvents(broker.url).catch(() => null), {
        timeoutMs: 20_000,
        what: 'the stream to be available again',
      });
      for (const id of ids) {
        await events.waitFor('order.created', id);
        await events.waitFor('order.status_changed', id, 3);
        await events.waitFor('order.item_status_changed', id, 3);
        const ofOrder = events.all.filter(({ subject, type }) => subject === String(id) && type.startsWith('order.'));
        const versions = ofOrder.map(({ data }) => (data as { order: { version: number } }).order.version);
        expect(versions).toEqual([1, 2, 2, 3, 3, 4, 4]);
      }
      const ofDish = await events.waitFor('menu.item_changed', dish);
      expect(ofDish.at(-1)?.data).toMatchObject({ item: { portions_left: 80 } });
      await events.close();
    } finally {
      await harness.close();
      await broker.discard();
    }
  });

  test("doesn't block changes to a large order", async () => {
    const { rabbitmqUrl } = await isolatedServers('orders-full-outbox');
    const port = await freePort();
    const nobody = Object.assign(new URL(rabbitmqUrl), { port: String(port) }).href;
    const harness = await startOrdersHarness('orders-full-outbox', {
      settings: { RABBITMQ_URL: nobody },
      isBrokerAway: true,
    });
    let broker: TcpProxy | undefined;
    try {
      const dish = await harness.createDish({ name: 'é'.repeat(255) });
      const items = Array.from({ length: 50 }, () => ({ item_id: dish, quantity: 1, remarks: 'a'.repeat(500) }));
      const { id } = created(await patient(harness.waiter)('POST', '/orders', { body: { items } }));
      const move = async (index: number): Promise<number> => {
        const status = index % 2 === 0 ? 'preparing' : 'received';
        return (await patient(harness.waiter)('PUT', `/orders/${id}`, { body: { status } })).status;
      };

      const responses: number[] = [];
      while (responses.length < 100) responses.push(await move(responses.length));

      expect(new Set(responses)).toEqual(new Set([200]));
      const stored = await harness.db.collection('pedidos').findOne({ pedidoID: id });
      const waiting = stored?.['outbox'] as { body: string }[];
      const bytes = waiting.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
      expect(bytes).toBeGreaterThan(3 * 1024 * 1024);
      // The limit of 4 MB doesn't include the new order's event. After a response that came too late, there may be one more
      // event.
      expect(bytes).toBeLessThanOrEqual(4 * 1024 * 1024 + 2 * Buffer.byteLength(waiting.at(-1)?.body ?? ''));
      broker = await startTcpProxy(rabbitmqUrl, { port });
      const events = await recordEvents(broker.url);
      expect(await events.waitFor('order.created', id)).toHaveLength(1);
      const moves = waiting.length - 1;
      const published = await events.waitFor('order.status_changed', id, moves);
      const versions = published.map(({ data }) => (data as { order: { version: number } }).order.version);
      expect(versions).toEqual(Array.from({ length: moves }, (_each, index) => 102 - moves + index));
      await events.close();
    } finally {
      await harness.close();
      await broker?.close();
    }
  });

  test("doesn't block changes to a large bill", async () => {
    const harness = await startOrdersHarness('orders-full-bill', {
      settings: { RABBITMQ_URL: 'amqp://127.0.0.1:1' },
      isBrokerAway: true,
    });
    try {
      const dish = await harness.createDish({ name: 'é'.repeat(255) });
      const items = Array.from({ length: 50 }, () => ({ item_id: dish, quantity: 1 }));
      const place = () =>
        patient(harness.waiter)('POST', '/orders', { body: { table: '12', seating: 1, items } }).then(created);
      const { bill_id: id } = await place();
      await place();

      const responses: number[] = [];
      while (responses.length < 65) {
        const body = { included: responses.length % 2 === 1 };
        responses.push((await patient(harness.waiter)('PUT', `/bills/${id}/service-charge`, { body })).status);
      }

      expect(new Set(responses)).toEqual(new Set([200]));
      const stored = await harness.db.collection('bills').findOne({ _id: id });
      const waiting = stored?.['outbox'] as { body: string }[];
      const bytes = waiting.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
      expect(bytes).toBeGreaterThan(2 * 1024 * 1024);
      // After a response that came too late, there may be one event more than the limit of 4 MB allows.
      expect(bytes).toBeLessThanOrEqual(4 * 1024 * 1024 + Buffer.byteLength(waiting.at(-1)?.body ?? ''));
      expect(JSON.parse(waiting.at(-1)?.body ?? '')).toMatchObject({
        data: { bill: { version: stored?.['version'] } },
      });
    } finally {
      await harness.close();
    }
  });
});
