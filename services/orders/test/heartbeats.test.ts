import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checksumOf } from '@comanda/contracts/checksum';
import { heartbeatType, readHeartbeat } from '@comanda/shared/messaging/heartbeat';
import { createStreamReader } from '@comanda/shared/messaging/stream-reader';
import { created } from '@comanda/testing/call';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-heartbeats');
});
afterAll(() => harness.close());

test('heartbeats contain the age of the oldest waiting event and checksums of open orders', async () => {
  const dish = await harness.createDish();
  const { id } = created(
    await harness.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } }),
  );
  await until(() => harness.db.collection('pedidos').findOne({ pedidoID: id, outbox: [] }), {
    what: 'an empty outbox',
  });
  const agesMs: number[] = [];
  const checksums: unknown[] = [];
  const reader = createStreamReader({
    url: harness.servers.rabbitmqUrl,
    name: 'test',
    logger,
    history: 1,
    onMessage: ({ type, content }) => {
      if (type !== heartbeatType) return;
      const heartbeat = readHeartbeat(content);
      agesMs.push(heartbeat.oldestWaitingMs ?? NaN);
      checksums.push(heartbeat.checksums);
    },
    onState: () => undefined,
    onGap: () => undefined,
  });
  const untilAge = (isExpected: (ageMs: number) => boolean) =>
    until(() => agesMs.some(isExpected), { what: 'a heartbeat', timeoutMs: 20_000 });

  await untilAge((ageMs) => ageMs === 0);
  agesMs.length = 0;
  // Another instance has claimed the event and does not publish it.
  const message = { id: crypto.randomUUID(), type: 'order.seen', time: new Date(Date.now() - 60_000), body: '{}' };
  const outbox_claim = { by: 'another', until: new Date(Date.now() + 8000) };
  await harness.db.collection('pedidos').updateOne({ pedidoID: id }, { $set: { outbox: [message], outbox_claim } });
  await untilAge((ageMs) => ageMs >= 60_000);
  agesMs.length = 0;
  await untilAge((ageMs) => ageMs === 0);

  expect(await harness.db.collection('pedidos').findOne({ pedidoID: id })).toMatchObject({ outbox: [] });
  const resource = (each: number) => ({ id: each, version: 1 });
  expect(checksums.at(-1)).toEqual({ open_orders: checksumOf([resource(id)]), menu: checksumOf([resource(dish)]) });
  await reader.close();
});
