import type { mongo } from 'mongoose';
import type { Message } from './publisher.ts';
import type { OutboxStore, Pending } from './outbox.ts';

/** What the outbox keeps inside a document. A write appends to `outbox` in the same atomic operation. */
export type WithOutbox = { outbox: Message[]; outboxClaim?: { by: string; until: Date } };

const claimMs = 10_000;

/** Finds the documents with events that wait, and no others: an emptied outbox is not in it. */
const pendingIndex = {
  key: { 'outbox.time': 1 },
  name: 'outbox_pending',
  partialFilterExpression: { 'outbox.time': { $exists: true } },
} as const;

/** To be run before the store is used, as often as one likes. */
export async function prepareOutbox(collection: Pick<mongo.Collection, 'createIndexes'>): Promise<void> {
  await collection.createIndexes([pendingIndex]);
}

/**
 * The outbox of a collection whose documents have `outbox: Message[]`. A claim goes by this machine's clock: where two
 * differ by more than 10 s, an event may be published twice, never not at all.
 */
export function createOutboxStore(collection: mongo.Collection): OutboxStore {
  const documents = collection as unknown as mongo.Collection<WithOutbox>;
  return {
    claim: async ({ by, olderThanMs, limit }) => {
      const now = Date.now();
      const free = {
        $or: [
          { outboxClaim: { $exists: false } },
          { 'outboxClaim.until': { $lte: new Date(now) } },
          { 'outboxClaim.until': { $gt: new Date(now + 2 * claimMs) } }, // by a clock that is ahead
          { 'outboxClaim.by': by },
        ],
      };
      const ids = await oldEnough(documents, { now, olderThanMs, limit, free });
      if (ids.length === 0) return [];
      const claim = { by, until: new Date(now + claimMs) };
      await documents.updateMany({ _id: { $in: ids }, ...free }, { $set: { outboxClaim: claim } });
      const found = await documents
        .find({ _id: { $in: ids }, 'outboxClaim.by': by }, { projection: { outbox: 1 } })
        .toArray();
      return found.map(({ _id, outbox }): Pending => ({ documentId: _id, messages: outbox }));
    },
    remove: async (published) => {
      const ids = published.flatMap(({ messages }) => messages.map(({ id }) => id));
      // One that is forgotten in a failover is published again, and that is all.
      await documents.updateMany(
        { _id: { $in: published.map(({ documentId }) => documentId as mongo.ObjectId) } },
        { $pull: { outbox: { id: { $in: ids } } }, $unset: { outboxClaim: '' as const } },
        { writeConcern: { w: 1 } },
      );
    },
    oldestMs: async () => {
      const [oldest] = await documents
        .find({ 'outbox.time': { $exists: true } }, { projection: { 'outbox.time': 1 }, hint: pendingIndex.name })
        .sort({ 'outbox.time': 1 })
        .limit(1)
        .toArray();
      const times = oldest?.outbox.map(({ time }) => time.getTime()) ?? [];
      return times.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...times));
    },
  };
}

type Search = { now: number; olderThanMs: number; limit: number; free: mongo.Filter<WithOutbox> };

/**
 * Walks the index of what waits, from the oldest, and stops at `limit`: a sort would read all of it, each time.
 * An event from the future was written by a clock that is ahead, and is taken as well rather than waited for.
 */
async function oldEnough(
  documents: mongo.Collection<WithOutbox>,
  { now, olderThanMs, limit, free }: Search,
): Promise<mongo.WithId<WithOutbox>['_id'][]> {
  const past = { 'outbox.time': { $lte: new Date(now - olderThanMs) } };
  const future = { 'outbox.time': { $gt: new Date(now + olderThanMs) } };
  const found = await documents
    .find({ $and: [{ $or: [past, future] }, free] }, { projection: { _id: 1 }, hint: pendingIndex.name })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}
