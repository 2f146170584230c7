import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startOwnReplicaSet, type OwnReplicaSet } from '@comanda/testing/own-replica-set';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { connectMongo, mongoProblem, newest, type MongoLink } from './connection.ts';
import { createTransactions, isUnknownCommit, type Transactions } from './transactions.ts';

/**
 * MongoDB's code for a write that no majority has confirmed in time. Unlike other failures, it comes with a response, and the
 * connection stays open.
 */
const writeConcernTimeout = 64;

let set: OwnReplicaSet;
let link: MongoLink;
let transactions: Transactions;
beforeAll(async () => {
  set = await startOwnReplicaSet();
  link = connectMongo({ uri: set.url, database: 'lost-majority', logger, onConnect: () => Promise.resolve() });
  await until(link.isUp, { what: 'MongoDB to be ready', timeoutMs: 20_000 });
  transactions = createTransactions({ ...link, logger });
  // On a busy machine, the new secondary needs some time to catch up, so the first write may fail.
  const isStored = (): Promise<boolean> =>
    things()
      .updateOne({ _id: 0 }, { $set: {} }, { upsert: true })
      .then(
        () => true,
        () => false,
      );
  await until(isStored, { what: 'a write of a majority', timeoutMs: 20_000 });
  await transactions.run({ deadline: 0 }, (session) => things().insertOne({ _id: 1 }, { session })); // opens a session
});
afterEach(async () => {
  set.secondary.continue();
  await until(link.isUp, { what: 'a majority', timeoutMs: 20_000 });
});
afterAll(async () => {
  await transactions?.close();
  await link?.close();
  await set?.discard();
});

const things = () => link.connection.collection<{ _id: number }>('things');
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("writes that don't reach a majority", () => {
  test('fail within the time limit of their write concern', async () => {
    set.secondary.pause();

    const failure = await failureOf(things().insertOne({ _id: 2 }));

    expect(failure).toMatchObject({ code: writeConcernTimeout });
    expect(mongoProblem(failure)?.code).toBe('service_unavailable');
  });

  test('make a commit fail within the time limit of its write concern, with an unknown outcome', async () => {
    set.secondary.pause();

    const failure = await failureOf(
      transactions.run({ deadline: 0 }, (session) => things().insertOne({ _id: 3 }, { session })),
    );

    expect(failure).toMatchObject({ code: writeConcernTimeout });
    expect(isUnknownCommit(failure)).toBe(true);
  });

  test("aren't visible to a read, unless the read requests the newest data", async () => {
    set.secondary.pause();
    await failureOf(things().insertOne({ _id: 4 }));

    const seen = [await things().findOne({ _id: 4 }), await things().findOne({ _id: 4 }, newest)];

    expect(seen).toEqual([null, { _id: 4 }]);
  });
});
