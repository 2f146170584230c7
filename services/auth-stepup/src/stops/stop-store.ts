import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { isDuplicate, type Session } from '@comanda/shared/mongo/transactions';
import type { Connection, mongo } from 'mongoose';
import { nothingStopped, type Stop, type Stops } from './stop.ts';

type StopsDocument = Partial<WithOutbox> & Stops & { _id: 'stops' };
const stopsId = 'stops';

const stop = embeddedSchema<Stop>({
  since: { type: Date, required: true },
  by: { type: Number, required: true },
  reason: { type: String, maxlength: 200 },
});
export const stopsSchema = collectionSchema<StopsDocument>('stops', {
  _id: { type: String, enum: [stopsId] },
  transfers: { type: stop },
  sign_ups: { type: stop },
  version: { type: Number, required: true, min: 1 },
  ...outboxFields,
}).index(...outboxIndex);

export type StopStore = ReturnType<typeof createStopStore>;

/**
 * Creates the store for the stops that managers have set. A single document in `stops` contains them; while that document is
 * missing, nothing is stopped.
 */
export function createStopStore(connection: Connection) {
  const collection = collectionOf(connection, stopsSchema);
  return {
    /** The raw collection, for publishing the outbox. */
    collection: collection as unknown as mongo.Collection,
    get: async (session?: Session): Promise<Stops> => {
      const stored = await collection.findOne(
        { _id: stopsId },
        { projection: { outbox: 0, outbox_claim: 0 }, ...(session && { session }) },
      );
      if (!stored) return nothingStopped;
      const { transfers, sign_ups, version } = stored;
      return { transfers, sign_ups, version };
    },
    /**
     * Writes the stops with the next version. Returns all events in the outbox, oldest first.
     * @throws WriteConflict if another change came first
     */
    update: async (
      { transfers, sign_ups, version }: Stops,
      { message, session }: { message: Message; session: Session },
    ): Promise<readonly Message[]> => {
      const before = version - 1;
      try {
        const stored = await collection.findOneAndUpdate(
          { _id: stopsId, version: before },
          { $set: { transfers, sign_ups, version }, $push: { outbox: message } },
          { upsert: before === nothingStopped.version, returnDocument: 'after', session },
        );
        if (!stored) throw new WriteConflict();
        return stored.outbox ?? [];
      } catch (error) {
        throw isDuplicate(error) ? new WriteConflict() : error;
      }
    },
  };
}
