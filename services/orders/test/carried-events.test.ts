import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, created, type Call, type Called } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { patient } from '@comanda/testing/patient';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { startTcpProxy, type TcpProxy } from '@comanda/testing/tcp-proxy';
import { until } from '@comanda/testing/until';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { holdNumbers } from './support/hold-numbers.ts';
import { conflictsAt, waitingAt } from './support/writer-metrics.ts';

type Stored = {
  _id: number;
  version: number;
  dataHora: Date;
  updated_at: Date;
  created_event?: { order_id: number };
  outbox: { type: string }[];
};

let harness: OrdersHarness;
let broker: TcpProxy | undefined;
let startBroker: () => Promise<RecordedEvents>;
const orders = () => harness.db.collection<Stored>('pedidos');
let seatings = 7000;
const newSeating = (): number => ++seatings;
beforeAll(async () => {
  const { rabbitmqUrl } = await isolatedServers('orders-carried');
  const port = await freePort();
  const nobody = Object.assign(new URL(rabbitmqUrl), { port: String(port) }).href;
  harness = await startOrdersHarness('orders-carried', { settings: { RABBITMQ_URL: nobody }, isBrokerAway: true });
  startBroker = async () => {
    broker = await startTcpProxy(rabbitmqUrl, { port });
    return recordEvents(broker.url);
  };
});
afterAll(async () => {
  await harness?.close();
  await broker?.close();
});

describe('the events of orders placed in one batch', () => {
  test.each([
    ['moves', (bill: number) => ['PUT', `/bills/${bill}/table`, { table: '14' }] as const],
    ['merges', (bill: number, into: number) => ['POST', `/bills/${bill}/merge`, { into }] as const],
  ])("are stored in order if the batch also %s a new order's bill", async (_what, changeOf) => {
    const dish = await harness.createDish();
    const placeAt = (seating: number, call: Call) =>
      call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }], table: '12', seating } });
    const waiter = (sub: number) => harness.as({ sub, role: 'waiter' });
    /** Places an order and changes its bill in one batch. Returns the order; null if the machine was too slow for that. */
    const placeAndChange = async (): Promise<Stored | null> => {
      const [seating, other] = [newSeating(), newSeating()];
      const bill = created(await placeAt(seating, patient(harness.waiter))).bill_id;
      const [method, path, body] = changeOf(bill, created(await placeAt(other, patient(harness.waiter))).bill_id);
      const numbers = await holdNumbers(harness);
      const conflicts = await conflictsAt(harness.url);
      // The first order is a batch that waits for the numbers. The other writes become the next batch, in this order.
      const first = placeAt(newSeating(), waiter(1));
      let isFirstDecided = false;
      void first.then(() => (isFirstDecided = true));
      await until(async () => (await conflictsAt(harness.url)) > conflicts, { what: 'the first batch to be tried' });
      const calls: Promise<Called>[] = [];
      for (const call of [
        () => placeAt(newSeating(), waiter(2)),
        () => placeAt(seating, waiter(3)),
        () => waiter(4)(method, path, { body }),
      ]) {
        calls.push(call());
        const isWaiting = async () => isFirstDecided || (await waitingAt(harness.url)) === calls.length;
        await until(isWaiting, { what: 'the write to wait for the next batch' });
      }
      await numbers.abort();
      await first;
      const [, placed, changed] = await Promise.all(calls);
      if (placed?.status !== 201 || changed?.status !== 200) return null;
      const stored = await orders().findOne({ _id: placed.body.id });
      const isSameBatch = stored?.updated_at.getTime() === stored?.dataHora.getTime();
      return stored?.version === 2 && isSameBatch ? stored : null;
    };

    const { outbox } = await until(placeAndChange, { what: 'a batch that places an order and changes its bill' });

    expect(outbox.map(({ type }) => type)).toEqual(['order.created', 'order.table_changed']);
  });

  test('are published by another instance if their own is killed, before any later changes', async () => {
    const dish = await harness.createDish({ portions_left: 100 });
    const ended = await harness.startInstance();
    const call = caller(ended.url, { token: harness.issuer.token({ sub: 900_002, role: 'waiter' }) });
    const place = () => call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } });
    const ids = (await Promise.all(Array.from({ length: 12 }, place))).map(
      (response) => created(response).id as number,
    );
    await ended.close(); // Without a broker, a closed instance leaves the same documents as a killed one.
    const carried = await orders()
      .find({ _id: { $in: ids }, created_event: { $exists: true } })
      .toArray();
    const carrierId = carried[0]?.created_event?.order_id ?? 0;
    const [moved = 0, cancelled = 0] = carried.flatMap(({ _id: id, created_event: event }) =>
      event?.order_id === carrierId ? id : [],
    );

    const changes = [
      await harness.waiter('PUT', `/orders/${moved}`, { body: { status: 'preparing' } }),
      await harness.waiter('PUT', `/orders/${cancelled}`, { body: { status: 'cancelled' } }),
      await harness.waiter('PUT', `/orders/${carrierId}`, { body: { status: 'preparing' } }),
    ];
    // Another instance has claimed the carrier's events, and publishes them late.
    const outbox_claim = { by: 'another', until: new Date(Date.now() + 8000) };
    await orders().updateOne({ _id: carrierId }, { $set: { outbox_claim } });
    const events = await startBroker();

    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const id of [moved, cancelled, carrierId]) {
      await events.waitFor('order.status_changed', id);
      await events.waitFor('order.created', id);
      const first = events.all.find(({ subject, type }) => subject === String(id) && type.startsWith('order.'));
      expect(first?.type).toBe('order.created');
    }
    await Promise.all(ids.map((id) => events.waitFor('order.created', id)));
    const waiting = () => orders().countDocuments({ 'outbox.0': { $exists: true } });
    await until(async () => (await waiting()) === 0, { what: 'empty outboxes' });
    expect(events.conflictingIds).toEqual([]);
    await events.close();
    await broker?.close(); // The other tests need events that wait.
    broker = undefined;
  });
});
