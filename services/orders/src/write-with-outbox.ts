import type { Pending } from '@comanda/shared/messaging/outbox';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { collectionOf } from '@comanda/shared/mongo/collections';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session } from '@comanda/shared/mongo/transactions';

type Stored = { _id: number; version: number; history: unknown[]; outbox: Message[] };
type StoredCollection = ReturnType<typeof collectionOf<Stored>>;

/** The maximum number of events in an order's or bill's outbox, and their maximum total size in bytes. */
const maxWaiting = { events: 100, bytes: 4 * 1024 * 1024 };

/** Returns how many events may be in an outbox that includes `added`. Assumes that all are as large as the largest of `added`. */
function waitingAtMost(added: readonly Message[]): number {
  const bytes = Math.max(...added.map(({ body }) => Buffer.byteLength(body)));
  return Math.max(added.length, Math.min(maxWaiting.events, Math.floor(maxWaiting.bytes / bytes)));
}

/**
 * Returns the events to drop while the broker is down. Drops the oldest events, because each newer one contains the whole order
 * or bill. Never drops or counts `order.created` events: some may belong to other orders in the same batch.
 */
function surplusOf(waiting: readonly Message[], added: readonly Message[]): readonly Message[] {
  if (added.length === 0) return [];
  const replaceable = waiting.filter(({ type }) => type !== 'order.created');
  return replaceable.slice(0, Math.max(0, replaceable.length - waitingAtMost(added)));
}

type Written = {
  id: number;
  /** All events in the document's outbox, including those that were just `added`. */
  waiting: readonly Message[];
  added: readonly Message[];
  session?: Session;
};

/**
 * Removes the oldest events if too many are waiting, so that a document can't grow without limit. Returns the events that remain.
 */
export async function limitWaiting(
  collection: Pick<StoredCollection, 'updateOne'>,
  { id, waiting, added, session }: Written,
): Promise<readonly Message[]> {
  const surplus = new Set(surplusOf(waiting, added).map((message) => message.id));
  if (surplus.size === 0) return waiting;
  const removed = { $pull: { outbox: { id: { $in: [...surplus] } } } };
  await collection.updateOne({ _id: id }, removed, { maxTimeMS: 900, ...(session && { session }) });
  return waiting.filter((message) => !surplus.has(message.id));
}

/**
 * A document to write. If `versionBefore` is null, it is new. Otherwise, `fields` replace those of that version, and `history`,
 * `messages` and `added`, by the name of its list, are added.
 */
export type VersionedWrite = {
  id: number;
  versionBefore: number | null;
  fields: Record<string, unknown>;
  history: readonly unknown[];
  messages: readonly Message[];
  added?: Record<string, readonly unknown[]>;
};
/** A change for which the document's current version doesn't matter. It increases the version by `by`. */
export type Growth = { id: number; by: number; fields: Record<string, unknown>; history: readonly unknown[] };

/**
 * Writes any number of documents with one command, in the given order, and reads the outboxes of changed documents with another.
 * Returns the outbox of each document that gets events: all its waiting events, oldest first.
 * @throws WriteConflict if another write has changed a document
 */
export async function writeAll(
  collection: StoredCollection,
  { writes, grown = [] }: { writes: readonly VersionedWrite[]; grown?: readonly Growth[] },
  session: Session,
): Promise<Pending[]> {
  const updates = [...writes.map(toUpdate), ...grown.map(toGrowth)];
  if (updates.length === 0) return [];
  const created = writes.filter(({ versionBefore }) => versionBefore === null).length;
  const { matchedCount, upsertedCount } = await collection.bulkWrite(updates, { session });
  if (upsertedCount < created || matchedCount < updates.length - created) throw new WriteConflict();
  const [pending, changed]: [Pending[], VersionedWrite[]] = [[], []];
  for (const write of writes.filter(({ messages }) => messages.length > 0))
    if (write.versionBefore === null) pending.push({ documentId: write.id, messages: write.messages });
    else changed.push(write);
  if (changed.length === 0) return pending;
  const filter = { _id: { $in: [...new Set(changed.map(({ id }) => id))] } };
  for (const { _id: id, outbox: waiting } of await collection
    .find(filter, { projection: { outbox: 1 }, session })
    .toArray()) {
    const added = changed.flatMap((write) => (write.id === id ? write.messages : []));
    const messages = await limitWaiting(collection, { id, waiting, added, session });
    pending.push({ documentId: id, messages });
  }
  return pending;
}

const toUpdate = ({ id, versionBefore, fields, history, messages, added = {} }: VersionedWrite) =>
  versionBefore === null
    ? {
        updateOne: {
          filter: { _id: id },
          update: { $setOnInsert: { ...fields, history: [...history], outbox: [...messages] } },
          upsert: true,
        },
      }
    : {
        updateOne: {
          filter: { _id: id, version: versionBefore },
          update: { $set: fields, $push: eachOf({ ...added, history, outbox: messages }) },
        },
      };
const eachOf = (lists: Record<string, readonly unknown[]>) =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, { $each: [...list] }]));

/** The filter contains only the id, because the server plans every statement with a longer filter, which takes time. */
const toGrowth = ({ id, by, fields, history }: Growth) => ({
  updateOne: {
    filter: { _id: id },
    update: { $inc: { version: by }, $set: fields, $push: { history: { $each: [...history] } } },
  },
});
