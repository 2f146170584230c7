import type { Connection } from 'mongoose';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session } from '@comanda/shared/mongo/transactions';
import {
  restaurantSchema,
  toProfile,
  toProfileDocument,
  toSettings,
  toSettingsDocument,
} from './restaurant-document.ts';
import { defaultSettings, type ManagedSettings } from './restaurant-settings.ts';

export type SettingsStore = ReturnType<typeof createSettingsStore>;

const projection = { settings: 1, logo: 1, accent: 1, category_limits: 1, wifi: 1 } as const;

/** Creates the store for the managers' settings. Batches don't use it: they get the settings together with the counters. */
export function createSettingsStore(connection: Connection) {
  const documents = collectionOf(connection, restaurantSchema);
  return {
    /** Returns the managers' settings, or the defaults if no manager has changed any. */
    get: async (session?: Session): Promise<ManagedSettings> => {
      const stored = await documents.findOne({ _id: 'orders' }, { projection, ...(session && { session }) });
      return { ...toSettings(stored?.settings), ...toProfile(stored ?? {}) };
    },
    /**
     * Writes the settings with the next version. The event contains all settings, so it replaces an older one in the outbox.
     * @throws WriteConflict if another write came first
     */
    update: async (
      settings: ManagedSettings,
      { message, session }: { message: Message; session: Session },
    ): Promise<void> => {
      const before = settings.version - 1;
      const isOfBefore =
        before === defaultSettings.version ? { settings: { $exists: false } } : { 'settings.version': before };
      const fields = { settings: toSettingsDocument(settings), ...toProfileDocument(settings), outbox: [message] };
      const { matchedCount } = await documents.updateOne(
        { _id: 'orders', ...isOfBefore },
        { $set: fields },
        { maxTimeMS: 900, session },
      );
      if (matchedCount === 0) throw new WriteConflict();
    },
  };
}
