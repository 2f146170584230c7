import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { connectMongo, type MongoLink } from '../mongo/connection.ts';
import { WriteConflict } from '../mongo/retry-on-conflict.ts';
import { createTransactions, type Session, type Transactions } from '../mongo/transactions.ts';
import { createUnitOfWork } from './unit-of-work.ts';

type Thing = { _id: number; n: number };
type Entry = { who: string };

let link: MongoLink;
let transactions: Transactions;
beforeAll(async () => {
  const { mongodbUri, database } = await isolatedServers('unit-of-work');
  link = connectMongo({ uri: mongodbUri, database, logger, onConnect: () => Promise.resolve() });
  await until(link.isUp, { what: 'MongoDB' });
  transactions = createTransactions({ ...link, logger });
  await link.connection.createCollection('things');
  await link.connection.createCollection('records');
});
afterEach(async () => {
  await things().deleteMany({});
  await records().deleteMany({});
});
afterAll(async () => {
  await transactions.close();
  await link.close();
});
const things = () => link.connection.collection<Thing>('things');
const records = () => link.connection.collection<Entry>('records');
const messages = [{ id: 'e1', type: 'thing.changed', time: new Date(0), body: '{}' }];

function openUnitOfWork() {
  const publishNow = jest.fn();
  const insert = async (entries: readonly Entry[], session: Session): Promise<void> => {
    await records().insertMany([...entries], { session });
  };
  const unitOfWork = createUnitOfWork({
    transactions,
    timeLimitMs: 500,
    records: { insert },
    outboxes: { things: { publishNow } },
  });
  return { unitOfWork, publishNow };
}
const written = {
  value: 'done',
  records: [{ who: 'Ana' }],
  events: [{ outbox: 'things' as const, documentId: 1, messages }],
};
const stored = async () => [await things().countDocuments(), await records().countDocuments()];

test('a unit of work stores a write together with its records, and publishes its events after the commit', async () => {
  const { unitOfWork, publishNow } = openUnitOfWork();

  const value = await unitOfWork.run(async (session) => {
    await things().insertOne({ _id: 1, n: 0 }, { session });
    expect(publishNow).not.toHaveBeenCalled();
    return written;
  });

  expect(value).toBe('done');
  expect(await stored()).toEqual([1, 1]);
  expect(publishNow.mock.calls).toEqual([[1, messages]]);
});

test('a write that fails stores nothing and publishes nothing', async () => {
  const { unitOfWork, publishNow } = openUnitOfWork();

  const failed = unitOfWork.run(async (session) => {
    await things().insertOne({ _id: 1, n: 0 }, { session });
    throw new Error('refused');
  });

  await expect(failed).rejects.toThrow('refused');
  expect(await stored()).toEqual([0, 0]);
  expect(publishNow).not.toHaveBeenCalled();
});

test('a write that reports no change aborts its transaction and still returns its value', async () => {
  const { unitOfWork, publishNow } = openUnitOfWork();

  const value = await unitOfWork.run(async (session) => {
    await things().insertOne({ _id: 1, n: 0 }, { session });
    return { value: 'as it was', unchanged: true };
  });

  expect(value).toBe('as it was');
  expect(await stored()).toEqual([0, 0]);
  expect(publishNow).not.toHaveBeenCalled();
});

test('a write that conflicts with another runs again, and publishes its events once', async () => {
  const { unitOfWork, publishNow } = openUnitOfWork();
  let attempts = 0;

  await unitOfWork.run(async (session) => {
    await things().insertOne({ _id: 1, n: 0 }, { session });
    if (++attempts === 1) throw new WriteConflict();
    return written;
  });

  expect(await stored()).toEqual([1, 1]);
  expect(publishNow).toHaveBeenCalledTimes(1);
});

test('writes with the same key run one after another, and a write that waits too long gets a 503', async () => {
  const { unitOfWork } = openUnitOfWork();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const unchanged = { value: null, unchanged: true } as const;
  const holder = unitOfWork.runLocked('thing 1', async () => {
    await ended;
    return unchanged;
  });
  const other = jest.fn(() => Promise.resolve(unchanged));

  await unitOfWork.runLocked('thing 2', other);
  const waiting = unitOfWork.runLocked('thing 1', other);

  await expect(waiting).rejects.toMatchObject({ status: 503, code: 'service_unavailable' });
  expect(other).toHaveBeenCalledTimes(1);
  end();
  await holder;
});
