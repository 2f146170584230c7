import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { prepareDatabase } from '@comanda/shared/mongo/prepare-database';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import { ordersPreparation } from '../src/preparation.ts';
import { noteNewestSeating } from '../src/orders/newest-seating-store.ts';

let connection: Connection;
beforeAll(async () => {
  const { mongodbUri, database } = await isolatedServers('newest-seating');
  connection = await mongoose.createConnection(mongodbUri, { dbName: database }).asPromise();
});
afterAll(() => connection.close());

type Counters = { _id: string; newest_seating?: number };
const counters = () => connection.collection<Counters>('restaurant');
const newest = async (): Promise<number | undefined> => (await counters().findOne({ _id: 'orders' }))?.newest_seating;

test('when a database has orders and bills from before, then the preparation notes the newest seating', async () => {
  await prepareDatabase(connection, ordersPreparation, silentLogger);
  expect(await newest()).toBe(0);
  const withoutRules = { bypassDocumentValidation: true };
  for (const [collection, document, expected] of [
    ['pedidos', { _id: 1, pedidoID: 1, seating: 7 }, 7],
    ['bills', { _id: 1, seating: 9 }, 9],
    ['bills', { _id: 2, seating: null }, 9],
    ['pedidos', { _id: 2, pedidoID: 2, seating: 12 }, 12],
  ] as const) {
    await connection.collection(collection).insertOne(document as never, withoutRules);
    await counters().updateOne({ _id: 'orders' }, { $unset: { newest_seating: 1 } });

    await noteNewestSeating(connection);

    expect(await newest()).toBe(expected);
  }

  await counters().updateOne({ _id: 'orders' }, { $set: { newest_seating: 20 } });
  await noteNewestSeating(connection);
  expect(await newest()).toBe(20);
});
