import type { Connection } from 'mongoose';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';

type EndedSeatingDocument = WithOutbox & { _id: number; table: string; ended_at: Date; joined_into?: number };

/**
 * How long an ended seating is stored, in seconds. This is longer than a guest's token is valid, and longer than a waiter's phone
 * stores an unsent order.
 */
const retentionS = 30 * 24 * 3600;

export const endedSeatingSchema = collectionSchema<EndedSeatingDocument>('ended_seatings', {
  _id: { type: Number, min: 1 },
  table: { type: String, required: true, maxlength: 16 },
  ended_at: { type: Date, required: true },
  joined_into: { type: Number, min: 1, allowNull: false },
  ...outboxFields,
})
  .index(...outboxIndex)
  .index({ ended_at: 1 }, { expireAfterSeconds: retentionS });

/** How a seating ended. `joined`: its guests are now at the seating `into`. `closed`: its guests have left. */
export type SeatingEnd = { kind: 'closed' } | { kind: 'joined'; into: number };
/** Returns true if the seating was closed. A closed seating accepts no orders and no moved orders. */
export const isClosed = (ends: ReadonlyMap<number, SeatingEnd>, seating: number | null): boolean =>
  seating !== null && ends.get(seating)?.kind === 'closed';
/** Returns the seating that `seating` was joined into, or else `seating` itself. */
export function whereJoined(ends: ReadonlyMap<number, SeatingEnd>, seating: number | null): number | null {
  const end = seating === null ? undefined : ends.get(seating);
  return end?.kind === 'joined' ? end.into : seating;
}
/** An ended seating, with the event for its end. */
export type EndedSeating = { seating: number; table: string; endedAt: Date; message: Message };
export type EndedSeatingStore = ReturnType<typeof createEndedSeatingStore>;

/** Creates the store for seatings that have ended in the last 30 days. */
export function createEndedSeatingStore(connection: Connection) {
  const ended = collectionOf(connection, endedSeatingSchema);
  return {
    /** Stores the end. Returns false, without writing, if the seating had already ended. */
    insert: async ({ seating, table, endedAt, message }: EndedSeating, session: Session): Promise<boolean> => {
      const first = { table, ended_at: endedAt, outbox: [message] };
      const { upsertedCount } = await ended.updateOne(
        { _id: seating },
        { $setOnInsert: first },
        { upsert: true, session },
      );
      return upsertedCount === 1;
    },
    /** Closes a seating that was joined into another one. Returns false, without writing, if it wasn't joined. */
    closeJoined: async ({ seating, table, endedAt, message }: EndedSeating, session: Session): Promise<boolean> => {
      const { matchedCount } = await ended.updateOne(
        { _id: seating, joined_into: { $exists: true } },
        { $set: { table, ended_at: endedAt }, $unset: { joined_into: 1 }, $push: { outbox: message } },
        { session },
      );
      return matchedCount === 1;
    },
    /**
     * Sends all further orders for `seating`, and for seatings that were joined into it, to `into`. A closed seating stays
     * closed.
     */
    join: async (
      { seating, table, endedAt, into }: Omit<EndedSeating, 'message'> & { into: number },
      session: Session,
    ): Promise<void> => {
      const joined = { $or: [{ _id: seating, joined_into: { $exists: true } }, { joined_into: seating }] };
      await ended.updateMany(joined, { $set: { joined_into: into } }, { session });
      const first = { table, ended_at: endedAt, joined_into: into, outbox: [] };
      await ended.updateOne({ _id: seating }, { $setOnInsert: first }, { upsert: true, session });
    },
    /**
     * Finds out which of `seatings` have ended, and how. If a seating was joined into one that was closed later, it counts as
     * closed too.
     */
    findEnded: async (seatings: readonly number[], session: Session): Promise<ReadonlyMap<number, SeatingEnd>> => {
      if (seatings.length === 0) return new Map();
      const find = (ids: readonly number[]) =>
        ended.find({ _id: { $in: [...ids] } }, { projection: { joined_into: 1 }, session }).toArray();
      const found = await find(seatings);
      const into = found.flatMap((each) => each.joined_into ?? []);
      const closed = new Set((into.length === 0 ? [] : await find(into)).map(({ _id }) => _id));
      return new Map(
        found.map(({ _id, joined_into: other }): [number, SeatingEnd] => [
          _id,
          other === undefined || closed.has(other) ? { kind: 'closed' } : { kind: 'joined', into: other },
        ]),
      );
    },
  };
}
