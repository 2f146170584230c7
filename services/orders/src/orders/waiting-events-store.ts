import type { mongo } from 'mongoose';
import type { Pending } from '@comanda/shared/messaging/outbox';
import type { Message } from '@comanda/shared/messaging/publisher';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session } from '@comanda/shared/mongo/transactions';

/** So many events of one order or bill may wait for the broker, and no more than fit into so many bytes. */
const maxWaiting = { events: 100, bytes: 4 * 1024 * 1024 };

/** How many events may wait, these included. All events of a resource are about as large as its newest. */
function waitingAtMost(added: readonly Message[]): number {
  const bytes = Math.max(...added.map(({ body }) => Buffer.byteLength(body)));
  return Math.max(added.length, Math.min(maxWaiting.events, Math.floor(maxWaiting.bytes / bytes)));
}

/**
 * The events that give way while the broker is away: the oldest, because each newer one has the whole resource. The one
 * that tells of an order's arrival stays.
 */
function surplusOf(waiting: readonly Message[], added: readonly Message[]): readonly Message[] {
  if (added.length === 0) return [];
  const count = Math.max(0, waiting.length - waitingAtMost(added));
  return waiting.filter(({ type }) => type !== 'order.created').slice(0, count);
}

type Written = {
  id: number;
  /** The outbox of the document, with those that were `added` just now. */
  waiting: readonly Message[];
  added: readonly Message[];
  session?: Session;
};

/** Removes events of a document of which too many wait: it must not grow without a limit. Returns those that stay. */
export async function limitWaiting(
  collection: Pick<mongo.Collection, 'updateOne'>,
  { id, waiting, added, session }: Written,
): Promise<readonly Message[]> {
  const surplus = new Set(surplusOf(waiting, added).map((message) => message.id));
  if (surplus.size === 0) return waiting;
  const removed = { $pull: { outbox: { id: { $in: [...surplus] } } } };
  await collection.updateOne({ _id: id as never }, removed as never, { maxTimeMS: 900, ...(session && { session }) });
  return waiting.filter((message) => !surplus.has(message.id));
}

type Stored = { _id: number; version: number; history: unknown[]; outbox: Message[] };
/**
 * A new document, of no version before, or a change of a document of this version: its fields as they are after it, with
 * its history and its events.
 */
export type VersionedWrite = {
  id: number;
  versionBefore: number | null;
  fields: Record<string, unknown>;
  history: readonly unknown[];
  messages: readonly Message[];
};
/** A change that does not depend on the version before: it counts it up by `by`. */
export type Growth = { id: number; by: number; fields: Record<string, unknown>; history: readonly unknown[] };

/**
 * Writes any number of documents with one command, in this order; another one reads the outboxes of those that were changed.
 * Returns the whole outbox of each document, oldest event first, without those that gave way.
 * @throws WriteConflict
 */
export async function writeAll(
  collection: mongo.Collection<Stored>,
  { writes, grown = [] }: { writes: readonly VersionedWrite[]; grown?: readonly Growth[] },
  session: Session,
): Promise<Pending[]> {
  const updates = [...writes.map(toUpdate), ...grown.map(toGrowth)];
  if (updates.length === 0) return [];
  const created = writes.filter(({ versionBefore }) => versionBefore === null).length;
  const { matchedCount, upsertedCount } = await collection.bulkWrite(updates, { session });
  if (upsertedCount < created || matchedCount < updates.length - created) throw new WriteConflict();
  const [pending, told]: [Pending[], VersionedWrite[]] = [[], []];
  for (const write of writes.filter(({ messages }) => messages.length > 0))
    if (write.versionBefore === null) pending.push({ documentId: write.id, messages: write.messages });
    else told.push(write);
  if (told.length === 0) return pending;
  const filter = { _id: { $in: [...new Set(told.map(({ id }) => id))] } };
  for (const { _id: id, outbox: waiting } of await collection
    .find(filter, { projection: { outbox: 1 }, session })
    .toArray()) {
    const added = told.flatMap((write) => (write.id === id ? write.messages : []));
    const messages = await limitWaiting(collection as never, { id, waiting, added, session });
    pending.push({ documentId: id, messages });
  }
  return pending;
}

const toUpdate = ({ id, versionBefore, fields, history, messages }: VersionedWrite) =>
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
          update: { $set: fields, $push: { history: { $each: [...history] }, outbox: { $each: [...messages] } } },
        },
      };

/** By its id only: the server plans each statement whose filter has more. */
const toGrowth = ({ id, by, fields, history }: Growth) => ({
  updateOne: {
    filter: { _id: id },
    update: { $inc: { version: by }, $set: fields, $push: { history: { $each: [...history] } } },
  },
});
