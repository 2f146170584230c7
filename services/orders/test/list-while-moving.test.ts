import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { budget } from '@comanda/testing/budget';
import { created } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let mongod: OwnServer;
let harness: OrdersHarness;
beforeAll(async () => {
  mongod = await startOwnServer('mongodb');
  harness = await startOrdersHarness('orders-list-moving', { settings: { MONGODB_URI: mongod.url } });
  const client = await new mongoose.mongo.MongoClient(mongod.url).connect();
  // Makes MongoDB yield after each document of a query, so that writes happen in between.
  await client.db('admin').command({ setParameter: 1, internalQueryExecYieldIterations: 1 });
  await client.close();
});
afterAll(async () => {
  await harness?.close();
  await mongod?.discard();
});

async function readIds(path: string): Promise<number[]> {
  const { body, headers } = await harness.waiter('GET', path);
  const [, next] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
  return [...body.map(({ id }: { id: number }) => id), ...(next === undefined ? [] : await readIds(next))];
}

const readings = budget(24, 60);

test('each order is listed exactly once while its status changes', async () => {
  const dish = await harness.createDish();
  const body = { items: [{ item_id: dish, quantity: 1 }] };
  const placed = await Promise.all(
    Array.from({ length: 120 }, () => patient(harness.waiter)('POST', '/orders', { body })),
  );
  const ids = placed.map((response) => created(response).id as number).toSorted((a, b) => a - b);
  const load = { isRunning: true };
  const moveToAndFro = async (own: readonly number[]): Promise<void> => {
    for (let round = 0; load.isRunning; round++)
      for (const id of own)
        await harness.waiter('PUT', `/orders/${id}`, { body: { status: round % 2 === 0 ? 'preparing' : 'received' } });
  };
  const moving = Promise.all([0, 1, 2, 3].map((rest) => moveToAndFro(ids.filter((id) => id % 4 === rest))));

  const lists: number[][] = [];
  for (let reading = 0; reading < readings; reading++)
    lists.push(
      await readIds(`/orders?status=received,preparing&sort=created_at&limit=${reading % 2 === 0 ? 200 : 25}`),
    );
  load.isRunning = false;
  await moving;

  const wrong = lists.filter((list) => list.toSorted((a, b) => a - b).join() !== ids.join());
  expect(wrong).toEqual([]);
});
