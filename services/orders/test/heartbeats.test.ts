import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checksumOf } from '@comanda/contracts/checksum';
import { heartbeatType, readHeartbeat } from '@comanda/shared/messaging/heartbeat';
import { created } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-heartbeats');
});
afterAll(() => harness.close());

test('heartbeats contain the age of the oldest waiting event and checksums of open orders, dishes and option groups', async () => {
  const dish = await harness.createDish();
  const ponto = { name: 'Ponto', min: 0, max: 1, options: [{ name: 'Ao ponto', price: '0' }] };
  const group = created(await harness.manager('POST', '/option-groups', { body: ponto }));
  const { id } = created(
    await harness.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } }),
  );
  await until(() => harness.db.collection('pedidos').findOne({ pedidoID: id, outbox: [] }), {
    what: 'an empty outbox',
  });
  let from = harness.events.messages.length;
  const heartbeats = () =>
    harness.events.messages
      .slice(from)
      .filter(({ type }) => type === heartbeatType)
      .map(({ body }) => readHeartbeat(Buffer.from(body)));
  const untilAge = async (isExpected: (ageMs: number) => boolean) => {
    const heartbeat = await until(
      () => heartbeats().find(({ oldestWaitingMs = NaN }) => isExpected(oldestWaitingMs)) ?? null,
      { what: 'a heartbeat', timeoutMs: 20_000 },
    );
    from = harness.events.messages.length;
    return heartbeat;
  };

  await untilAge((ageMs) => ageMs === 0);
  // Another instance has claimed this event for 8 s and does not publish it.
  const message = { id: crypto.randomUUID(), type: 'order.seen', time: new Date(Date.now() - 60_000), body: '{}' };
  const outbox_claim = { by: 'another', until: new Date(Date.now() + 8000) };
  await harness.db.collection('pedidos').updateOne({ pedidoID: id }, { $set: { outbox: [message], outbox_claim } });
  await untilAge((ageMs) => ageMs >= 60_000);
  const { checksums } = await untilAge((ageMs) => ageMs === 0);

  expect(await harness.db.collection('pedidos').findOne({ pedidoID: id })).toMatchObject({ outbox: [] });
  const resource = (each: number) => ({ id: each, version: 1 });
  expect(checksums).toEqual({
    open_orders: checksumOf([resource(id)]),
    menu: checksumOf([resource(dish)]),
    option_groups: checksumOf([resource(group.id)]),
  });
});
