import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { created } from '@comanda/testing/call';
import { nextVersion } from '../src/orders/order-rules.ts';
import { createOrderStore } from '../src/orders/order-store.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let connection: Connection;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-order-store');
  const { mongodbUri, database: dbName } = harness.servers;
  connection = await mongoose.createConnection(mongodbUri, { dbName }).asPromise();
});
afterAll(async () => {
  await connection.close();
  await harness.close();
});

test('a move keeps a request that has changed nothing, even if another instance has just added it', async () => {
  const orders = createOrderStore(connection);
  const { id } = created(
    await harness.waiter('POST', '/orders', {
      body: { items: [{ item_id: await harness.createDish(), quantity: 1 }], table: '7' },
    }),
  );
  const [before] = await orders.findNewest([id]);
  if (!before) throw new Error('there is no order');
  const withRequest = (key: string) => ({ ...before, moveRequests: [{ key, fingerprint: key }] });
  const write = (order: typeof before) =>
    connection.withSession((session) => orders.updateAll([{ before, order, history: [], messages: [] }], session));

  await write(withRequest('unmoved'));
  await write({ ...nextVersion(withRequest('moved'), new Date()), table: '9' });

  const found = await orders.findByRequestKeys(['unmoved', 'moved']);
  expect(found.map(({ request }) => request.key)).toEqual(['unmoved', 'moved']);
});
