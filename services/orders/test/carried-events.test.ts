import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, created } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { startTcpProxy, type TcpProxy } from '@comanda/testing/tcp-proxy';
import { until } from '@comanda/testing/until';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

type Stored = { _id: number; created_event?: { order_id: number } };

let harness: OrdersHarness;
let broker: TcpProxy | undefined;
let startBroker: () => Promise<RecordedEvents>;
const orders = () => harness.db.collection<Stored>('pedidos');
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
      .find({ created_event: { $exists: true } })
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
  });
});
