import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { untilReady } from '@comanda/testing/until-ready';
import { created } from '@comanda/testing/call';
import { startOwnServer } from '@comanda/testing/own-server';
import type { OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { recordEvents } from '@comanda/testing/recorded-events';
import { startOrdersHarness } from './support/harness.ts';
import type { OrdersHarness } from './support/harness.ts';

const { MongoClient } = mongoose.mongo;

describe('with a database that fails', () => {
  let mongod: OwnServer;
  let harness: OrdersHarness;
  let dish: number;
  beforeAll(async () => {
    mongod = await startOwnServer('mongodb');
    harness = await startOrdersHarness('orders-mongo-down', { MONGODB_URI: mongod.url });
    dish = await harness.createDish({ portions_left: 1000 });
  }, 60_000);
  afterAll(async () => {
    await harness.close();
    await mongod.discard();
  });
  const order = (headers: Record<string, string> = {}) =>
    harness.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] }, headers });
  const readiness = async () => (await fetch(`${harness.url}/readyz`)).status;

  test('when it freezes, then every call is 503 within 2 s, those that wait included, and it recovers by itself', async () => {
    const { id, items } = created(await order());
    // What this process itself lost on a busy machine is not the service's delay.
    const lag = monitorEventLoopDelay({ resolution: 10 });
    lag.enable();
    mongod.kill('SIGSTOP');
    try {
      const timed = async (call: Promise<{ status: number; body: { code: string } }>) => {
        const begun = performance.now();
        const { status, body } = await call;
        const ms = performance.now() - begun;
        return { status, code: body.code, inTime: ms < 2000 + lag.max / 1e6 || ms };
      };
      const calls = [
        ...Array.from({ length: 20 }, () => order()),
        ...Array.from({ length: 5 }, () => harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' } })),
        harness.waiter('PUT', `/orders/${id}/items/${items[0].id}`, { body: { status: 'cancelled' } }),
        harness.waiter('GET', `/orders/${id}`),
        harness.waiter('GET', '/orders?status=received'),
        harness.waiter('GET', '/menu'),
        harness.manager('PUT', `/menu/${dish}`, { body: { price: '2.00' } }),
        harness.manager('PUT', '/ordering', { body: {} }),
      ];
      const first = await Promise.all(calls.map(timed));
      expect(first).toEqual(first.map(() => ({ status: 503, code: 'service_unavailable', inTime: true })));
      const later = await Promise.all([timed(order()), timed(harness.waiter('GET', '/menu'))]);
      expect(later).toEqual(later.map(() => ({ status: 503, code: 'service_unavailable', inTime: true })));
      expect(await until(async () => (await readiness()) === 503, { what: 'readyz to say so' })).toBe(true);
    } finally {
      lag.disable();
      mongod.kill('SIGCONT');
    }
    await untilReady(harness.url);
    await until(async () => (await order()).status === 201, { timeoutMs: 10_000, what: 'an order to be taken' });
  }, 40_000);

  test('when it is killed while orders come in, then each key ends in one order once it is back', async () => {
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const placeUntilAnswered = async (key: string): Promise<number> => {
      for (;;) {
        const answer = await order({ 'idempotency-key': key });
        if (answer.status === 201) return answer.body.id;
        expect([answer.status, answer.body.code]).toEqual([503, 'service_unavailable']);
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
  }, 60_000);
});

describe('an instance that died in mid-transaction', () => {
  test('when its database would keep the locks for a minute, then the others free its dish within 5 s', async () => {
    const mongod = await startOwnServer('mongodb');
    const harness = await startOrdersHarness('orders-died', { MONGODB_URI: mongod.url });
    const dead = await new MongoClient(mongod.url).connect();
    try {
      await dead.db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds: 60 });
      const dish = await harness.createDish({ portions_left: 10 });
      const database = dead.db(harness.servers.database);
      // Its event is published first: taking it out of the document would be a conflict.
      await until(() => database.collection('itensMenu').findOne({ itemID: dish, outbox: [] }), { what: 'the event' });
      // What a process leaves behind that was killed: its last heartbeat, and a transaction that nobody will end.
      const session = dead.startSession();
      await database
        .collection<{ _id: string }>('instances')
        .updateOne({ _id: 'dead' }, [{ $set: { beat: '$$NOW', sessions: { $literal: [session.id] } } }], {
          upsert: true,
        });
      session.startTransaction();
      await database
        .collection('restaurant')
        .updateOne({ _id: 'orders' as never }, { $inc: { touched: 1 } }, { session });
      await database.collection('itensMenu').updateOne({ itemID: dish }, { $inc: { portions_left: -1 } }, { session });
      const order = () => harness.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } });
      const held = await order();
      expect([held.status, held.body.code]).toEqual([503, 'service_unavailable']);
      expect(held.body.outcome).toBeUndefined();
      await until(async () => (await order()).status === 201, { timeoutMs: 5000, what: 'the dish to be free' });
      expect((await harness.waiter('GET', `/menu/${dish}`)).body.portions_left).toBe(9);
    } finally {
      await dead.close();
      await harness.close();
      await mongod.discard();
    }
  }, 60_000);
});

describe('without a broker', () => {
  test('when it is away, then every write goes through, and once it is back all events come, in the order of versions', async () => {
    let broker = await startOwnServer('rabbitmq');
    const harness = await startOrdersHarness('orders-no-broker', { RABBITMQ_URL: broker.url });
    const readiness = async () =>
      (await (await fetch(`${harness.url}/readyz`)).json()) as { status: string; dependencies: { rabbitmq: string } };
    try {
      await until(async () => (await readiness()).dependencies.rabbitmq === 'up', {
        timeoutMs: 15_000,
        what: 'a broker',
      });
      await broker.stop();
      const dish = await harness.createDish({ portions_left: 100 });
      const placed = await Promise.all(
        Array.from({ length: 20 }, () =>
          harness.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } }),
        ),
      );
      const ids = placed.map((answer) => created(answer).id as number);
      for (const status of ['preparing', 'ready', 'delivered'])
        await Promise.all(
          ids.map(async (id) =>
            expect((await harness.waiter('PUT', `/orders/${id}`, { body: { status } })).status).toBe(200),
          ),
        );
      expect(await readiness()).toMatchObject({ status: 'ready', dependencies: { rabbitmq: 'down' } });
      broker = await broker.startAgain();
      const events = await until(() => recordEvents(broker.url).catch(() => null), {
        timeoutMs: 20_000,
        what: 'the stream to be there again',
      });
      for (const id of ids) {
        await events.waitFor('order.created', id);
        await events.waitFor('order.status_changed', id, 3);
        const about = events.all.filter(({ subject, type }) => subject === String(id) && type.startsWith('order.'));
        const versions = about.map(({ data }) => (data as { order: { version: number } }).order.version);
        expect(versions).toEqual([1, 2, 2, 3, 3, 4, 4]);
      }
      const told = await events.waitFor('menu.item_changed', dish);
      expect(told.at(-1)?.data).toMatchObject({ item: { portions_left: 80 } });
      await events.close();
    } finally {
      await harness.close();
      await broker.discard();
    }
  }, 90_000);
});
