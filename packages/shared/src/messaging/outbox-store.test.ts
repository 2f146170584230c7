import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { orderCreated } from '@comanda/testing/event-factories';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { createOutboxStore, outboxIndex } from './outbox-store.ts';
import type { OutboxStore } from './outbox.ts';
import { toMessage, type Message } from './publisher.ts';

type Document = { _id: number; outbox: Message[] };

let connection: Connection;
let documents: mongo.Collection<Document>;
let store: OutboxStore;
beforeAll(async () => {
  const own = await isolatedServers('outbox-store');
  connection = await mongoose.createConnection(own.mongodbUri, { dbName: own.database }).asPromise();
  documents = connection.getClient().db(own.database).collection<Document>('documents');
  await documents.createIndex(...outboxIndex);
  store = createOutboxStore(documents as never);
});
afterEach(() => documents.deleteMany({}));
afterAll(() => connection.close());

/** Inserts documents with one event each, which are this old. Returns the documents' ids. */
async function insertWaiting(agesMs: readonly number[]): Promise<number[]> {
  const waiting = agesMs.map((ageMs, index) => ({
    _id: index + 1,
    outbox: [{ ...toMessage(orderCreated({ orderId: index + 1 })), time: new Date(Date.now() - ageMs) }],
  }));
  await documents.insertMany(waiting);
  return waiting.map(({ _id: id }) => id);
}

describe("a claim on documents' outboxes", () => {
  test('returns each document to only one of several instances', async () => {
    const written = await insertWaiting(Array<number>(30).fill(5000));

    const claims = await Promise.all(
      ['one', 'two', 'three'].map((by) => store.claim({ by, olderThanMs: 2000, limit: 100 })),
    );

    const claimed = claims.flatMap((pending) => pending.map(({ documentId }) => documentId as number));
    expect(claimed.toSorted((a, b) => a - b)).toEqual(written);
  });

  test("expires after 10 s if its instance died, even if that instance's clock was ahead", async () => {
    const [expired, ahead, current] = await insertWaiting([5000, 5000, 5000]);
    const claimUntil = (id: number | undefined, inMs: number) => {
      const outbox_claim = { by: 'dead', until: new Date(Date.now() + inMs) };
      return documents.updateOne({ _id: id as number }, { $set: { outbox_claim } as never });
    };
    await Promise.all([claimUntil(expired, -1), claimUntil(ahead, 3_600_000), claimUntil(current, 5000)]);

    const found = await store.claim({ by: 'alive', olderThanMs: 2000, limit: 100 });

    expect(found.map(({ documentId }) => documentId)).toEqual([expired, ahead]);
  });

  test('reads no more documents than its limit, even if thousands are waiting', async () => {
    const waiting = await insertWaiting(Array.from({ length: 3000 }, (_, index) => 60_000 - index));
    await documents.insertMany(Array.from({ length: 3000 }, (_, index) => ({ _id: 1e6 + index, outbox: [] })));
    await connection.db?.command({ profile: 2 });
    const claimed = await store.claim({ by: 'one', olderThanMs: 2000, limit: 200 });
    const ageMs = await store.oldestMs();
    await connection.db?.command({ profile: 0 });

    expect(claimed.map(({ documentId }) => documentId)).toEqual(waiting.slice(0, 200));
    expect(ageMs).toBeGreaterThan(59_000);

    const profile = await connection.db?.collection('system.profile').find({ op: 'query' }).toArray();

    expect(Math.max(...(profile ?? []).map((entry) => Number(entry['keysExamined'])))).toBeLessThanOrEqual(201);
  });
});
