import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { prepareDatabase } from '@comanda/shared/mongo/prepare-database';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import { ordersPreparation } from '../src/preparation.ts';
import { noteNewestSeatings } from '../src/orders/newest-seating-store.ts';

let connection: Connection;
beforeAll(async () => {
  const { mongodbUri, database } = await isolatedServers('newest-seating');
  connection = await mongoose.createConnection(mongodbUri, { dbName: database }).asPromise();
});
afterAll(() => connection.close());

type Note = 'newest_seating' | 'newest_ended_seating';
type Counters = { _id: string } & { [name in Note]?: number };
const counters = () => connection.collection<Counters>('restaurant');
const noted = async (note: Note): Promise<number | undefined> => (await counters().findOne({ _id: 'orders' }))?.[note];

test('when a database has orders and bills from before, then the preparation notes the newest seatings', async () => {
  await prepareDatabase(connection, ordersPreparation, silentLogger);
  expect([await noted('newest_seating'), await noted('newest_ended_seating')]).toEqual([0, 0]);
  const withoutRules = { bypassDocumentValidation: true };
  for (const [note, collection, document, expected] of [
    ['newest_seating', 'pedidos', { _id: 1, pedidoID: 1, seating: 7 }, 7],
    ['newest_seating', 'bills', { _id: 1, seating: 9 }, 9],
    ['newest_seating', 'bills', { _id: 2, seating: null }, 9],
    ['newest_seating', 'pedidos', { _id: 2, pedidoID: 2, seating: 12 }, 12],
    ['newest_ended_seating', 'ended_seatings', { _id: 6 }, 6],
    ['newest_ended_seating', 'ended_seatings', { _id: 4 }, 6],
  ] as const) {
    await connection.collection(collection).insertOne(document as never, withoutRules);
    await counters().updateOne({ _id: 'orders' }, { $unset: { [note]: 1 } });

    await noteNewestSeatings(connection);

    expect(await noted(note)).toBe(expected);
  }

  const higher = { newest_seating: 20, newest_ended_seating: 21 };
  await counters().updateOne({ _id: 'orders' }, { $set: higher });
  await noteNewestSeatings(connection);
  expect([await noted('newest_seating'), await noted('newest_ended_seating')]).toEqual([20, 21]);
});
