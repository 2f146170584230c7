import type { Connection } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { restaurantSchema, toSettings, toSettingsDocument } from './restaurant-document.ts';
import { defaultSettings, type RestaurantSettings } from './restaurant-settings.ts';

export type SettingsStore = ReturnType<typeof createSettingsStore>;

/** Creates the store for the managers' settings. Batches don't use it: they get the settings together with the counters. */
export function createSettingsStore(connection: Connection) {
  const documents = collectionOf(connection, restaurantSchema);
  return {
    /** Returns the managers' settings, or the defaults if no manager has changed any. */
    get: async (): Promise<RestaurantSettings> => {
      const stored = await documents.findOne({ _id: 'orders' }, { projection: { settings: 1 } });
      return toSettings(stored?.settings);
    },
    /** Writes the settings with the next version. @throws WriteConflict if another write came first */
    update: async (settings: RestaurantSettings): Promise<void> => {
      const before = settings.version - 1;
      const isOfBefore =
        before === defaultSettings.version ? { settings: { $exists: false } } : { 'settings.version': before };
      const { matchedCount } = await documents.updateOne(
        { _id: 'orders', ...isOfBefore },
        { $set: { settings: toSettingsDocument(settings) } },
        { maxTimeMS: 900 },
      );
      if (matchedCount === 0) throw new WriteConflict();
    },
  };
}
