import mongoose, { type mongo } from 'mongoose';
import { newest } from '../mongo/connection.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Message } from './publisher.ts';
import type { OutboxStore, Pending } from './outbox.ts';

/**
 * A document's fields for its outbox. A write adds its events to `outbox` in the same atomic operation. `outbox_claim` says which
 * instance is publishing them, and until when.
 */
export type WithOutbox = { outbox: Message[]; outbox_claim?: { by: string; until: Date } };

const claimMs = 10_000;
/**
 * How many bytes of outboxes one claim reads into memory, at most. No document in MongoDB can be larger, so at least one outbox
 * always fits.
 */
const maxClaimBytes = 16 * 1024 * 1024;

/** The schema for `WithOutbox`, for a collection that has an outbox. */
export const outboxFields = {
  outbox: {
    type: [
      new mongoose.Schema<Message>(
        {
          id: { type: String, required: true },
          type: { type: String, required: true },
          time: { type: Date, required: true },
          body: { type: String, required: true },
        },
        { _id: false },
      ),
    ],
    allowNull: false,
  },
  outbox_claim: {
    type: new mongoose.Schema(
      { by: { type: String, required: true }, until: { type: Date, required: true } },
      { _id: false },
    ),
    allowNull: false,
  },
};
/** An index that contains only documents with waiting events. Add it to the same schema: `.index(...outboxIndex)`. */
export const outboxIndex = [
  { 'outbox.time': 1 },
  { name: 'outbox_pending', partialFilterExpression: { 'outbox.time': { $exists: true } } },
] as const satisfies [mongo.IndexSpecification, mongo.CreateIndexesOptions];
const hint = outboxIndex[1].name;

/** Counts the documents' events that are not published yet. */
export async function countWaiting(collection: mongo.Collection): Promise<number> {
  const count = { $group: { _id: null, events: { $sum: { $size: '$outbox' } } } };
  const waiting = { $match: { 'outbox.time': { $exists: true } } };
  const [found] = await collection.aggregate<{ events: number }>([waiting, count], { hint }).toArray();
  return found?.events ?? 0;
}

/**
 * Creates the outbox for a collection whose schema has `outboxFields` and `outboxIndex`. Claims expire by the clock of the
 * instance that checks them. If two instances' clocks differ by more than 10 s, an event may be published twice, but none is
 * lost.
 */
export function createOutboxStore(collection: mongo.Collection, clock: Clock = Date.now): OutboxStore {
  const documents = collection as unknown as mongo.Collection<WithOutbox>;
  return {
    claim: async ({ by, olderThanMs, limit }) => {
      const now = clock();
      const free = {
        $or: [
          { outbox_claim: { $exists: false } },
          { 'outbox_claim.until': { $lte: new Date(now) } },
          { 'outbox_claim.until': { $gt: new Date(now + 2 * claimMs) } }, // set by an instance whose clock is ahead
          { 'outbox_claim.by': by },
        ],
      };
      const ids = await findDueIds(documents, { now, olderThanMs, limit, free });
      if (ids.length === 0) return [];
      const outbox_claim = { by, until: new Date(now + claimMs) };
      await documents.updateMany(
        { _id: { $in: ids }, 'outbox.0': { $exists: true }, ...free },
        { $set: { outbox_claim } },
      );
      const found = await documents
        .find({ _id: { $in: ids }, 'outbox_claim.by': by }, { projection: { outbox: 1 } })
        .toArray();
      return found.map(({ _id, outbox }): Pending => ({ documentId: _id, messages: outbox }));
    },
    remove: async (published) => {
      const ids = published.flatMap(({ messages }) => messages.map(({ id }) => id));
      // Does not wait for a majority: if a failover loses this write, the events are only published again.
      await documents.updateMany(
        { _id: { $in: published.map(({ documentId }) => documentId as mongo.ObjectId) } },
        { $pull: { outbox: { id: { $in: ids } } }, $unset: { outbox_claim: '' as const } },
        { writeConcern: { w: 1 } },
      );
    },
    oldestMs: async () => {
      const [oldest] = await documents
        .find({ 'outbox.time': { $exists: true } }, { projection: { 'outbox.time': 1 }, hint })
        .sort({ 'outbox.time': 1 })
        .limit(1)
        .toArray();
      return oldest ? Math.max(0, clock() - Math.min(...oldest.outbox.map(({ time }) => time.getTime()))) : null;
    },
  };
}

type Search = { now: number; olderThanMs: number; limit: number; free: mongo.Filter<WithOutbox> };

/**
 * Returns the ids of the documents with due events. Reads the primary's newest data, because a majority of the members may not
 * have removed the previous batch yet; the claim that follows reads what a majority has. Reads the index from the oldest event
 * on, and stops after `limit` documents or 16 MB of outboxes; sorting would read the whole index each time. An event whose time
 * is in the future is also due: it was written by an instance whose clock is ahead.
 */
async function findDueIds(
  documents: mongo.Collection<WithOutbox>,
  { now, olderThanMs, limit, free }: Search,
): Promise<mongo.WithId<WithOutbox>['_id'][]> {
  const past = { 'outbox.time': { $lte: new Date(now - olderThanMs) } };
  const future = { 'outbox.time': { $gt: new Date(now + olderThanMs) } };
  const projection = { _id: 1, bytes: { $bsonSize: { outbox: '$outbox' } } };
  const found = await documents
    .find<{ _id: mongo.ObjectId; bytes: number }>(
      { $and: [{ $or: [past, future] }, free] },
      { projection, hint, ...newest },
    )
    .limit(limit)
    .toArray();
  let bytes = 0;
  const beyond = found.findIndex((each) => (bytes += each.bytes) > maxClaimBytes);
  return found.slice(0, beyond < 0 ? limit : beyond).map(({ _id }) => _id);
}
