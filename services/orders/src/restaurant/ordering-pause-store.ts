import type { Connection } from 'mongoose';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { OrderingPause } from './ordering-pause.ts';
import { restaurantSchema } from './restaurant-document.ts';

export type OrderingPauseStore = ReturnType<typeof createOrderingPauseStore>;

/** Creates the store for the ordering pause, during which customers can't order. */
export function createOrderingPauseStore(connection: Connection) {
  const documents = collectionOf(connection, restaurantSchema);
  return {
    get: async (session?: Session): Promise<OrderingPause> => {
      const options = { projection: { outbox: 0 }, ...(session && { session }) };
      const stored = await documents.findOne({ _id: 'ordering' }, options);
      if (stored?.version === undefined) throw new Error('The pause of ordering is missing.');
      return { until: stored.paused_until ?? null, reason: stored.reason ?? null, version: stored.version };
    },
    /**
     * Writes a pause with the next version. Returns all events in the document's outbox after the write, oldest first.
     * @throws WriteConflict if another write came first
     */
    update: async (
      { until, reason, version }: OrderingPause,
      { message, session }: { message: Message; session: Session },
    ): Promise<readonly Message[]> => {
      const stored = await documents.findOneAndUpdate(
        { _id: 'ordering', version: version - 1 },
        { $set: { paused_until: until, reason, version }, $push: { outbox: message } },
        { returnDocument: 'after', maxTimeMS: 900, session },
      );
      if (!stored) throw new WriteConflict();
      return stored.outbox ?? [];
    },
  };
}
