import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import { restaurantSchema } from './restaurant-document.ts';

export type DatabaseEpochStore = ReturnType<typeof createDatabaseEpochStore>;

/** Creates the store for the database's epoch, a random id. */
export function createDatabaseEpochStore(connection: Connection) {
  const documents = collectionOf(connection, restaurantSchema);
  return {
    /** Returns the database's epoch. It changes when the database is restored from a backup. */
    get: async (): Promise<string> => {
      const stored = await documents.findOne({ _id: 'orders' }, { projection: { database_epoch: 1 } });
      if (stored?.database_epoch === undefined) throw new Error('The epoch of the database is missing.');
      return stored.database_epoch;
    },
    /** Stores a new random epoch, and skips `skipped` ids of dishes, option groups, options and calls. Returns the new epoch. */
    begin: async (skipped: number, session: Session): Promise<string> => {
      const database_epoch = randomUUID();
      await documents.updateOne({ _id: 'orders' }, { $set: { database_epoch } }, { session });
      await documents.updateOne(
        { _id: 'dishes' },
        { $inc: { last_dish_id: skipped, last_option_group_id: skipped, last_option_id: skipped } },
        { session },
      );
      await documents.updateOne({ _id: 'calls' }, { $inc: { last_call_id: skipped } }, { session });
      return database_epoch;
    },
  };
}
