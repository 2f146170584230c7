import type { Connection, mongo } from 'mongoose';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { isDuplicate, type Session } from '@comanda/shared/mongo/transactions';

type EndedSeatingDocument = WithOutbox & { _id: number; table: string; ended_at: Date };

/** Longer than any guest's token is valid, and than a waiter's phone keeps an order that it could not send. */
const retentionS = 30 * 24 * 3600;

export const endedSeatingSchema = collectionSchema<EndedSeatingDocument>('ended_seatings', {
  _id: { type: Number, min: 1 },
  table: { type: String, required: true, maxlength: 16 },
  ended_at: { type: Date, required: true },
  ...outboxFields,
})
  .index(...outboxIndex)
  .index({ ended_at: 1 }, { expireAfterSeconds: retentionS });

/** A seating that has ended, and the event that says so. */
export type EndedSeating = { seating: number; table: string; endedAt: Date; message: Message };
export type EndedSeatingStore = ReturnType<typeof createEndedSeatingStore>;

/** The seatings that have ended in the last 30 days. */
export function createEndedSeatingStore(connection: Connection) {
  const ended = collectionOf(connection, endedSeatingSchema);
  return {
    collection: ended as unknown as mongo.Collection,
    /** Returns false if the seating had ended before: then nothing is written. */
    insert: async ({ seating, table, endedAt, message }: EndedSeating): Promise<boolean> => {
      try {
        await ended.insertOne({ _id: seating, table, ended_at: endedAt, outbox: [message] });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    /** Those of `seatings` that have ended. */
    findEnded: async (seatings: readonly number[], session: Session): Promise<ReadonlySet<number>> => {
      if (seatings.length === 0) return new Set();
      const options = { projection: { _id: 1 }, session } as const;
      const found = await ended.find({ _id: { $in: [...seatings] } }, options).toArray();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}
