import type { Connection } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { defaultSettings } from './restaurant-settings.ts';
import { restaurantSchema } from './restaurant-store.ts';

type Earlier = {
  _id: 'settings';
  name?: string;
  service_charge?: { rate: string; optional: boolean };
  tip_suggestions?: string[];
  waiter_discount_limit?: string;
  version?: number;
};

/** Before 1.0.0, what managers set had a document of its own: it goes to the counters. It may be repeated. */
export async function moveSettings(connection: Connection): Promise<void> {
  const earlier = connection.collection<Earlier>(restaurantSchema.get('collection') ?? '');
  const found = await earlier.findOne({ _id: 'settings' });
  if (!found) return;
  const settings = {
    name: found.name ?? defaultSettings.name,
    service_charge: found.service_charge ?? defaultSettings.serviceCharge,
    tip_suggestions: found.tip_suggestions ?? [...defaultSettings.tipSuggestions],
    waiter_discount_limit: found.waiter_discount_limit ?? defaultSettings.waiterDiscountLimit,
    version: found.version ?? 1,
  };
  const withoutSettings = { _id: 'orders', settings: { $exists: false } } as const;
  await collectionOf(connection, restaurantSchema).updateOne(withoutSettings, { $set: { settings } });
  await earlier.deleteOne({ _id: 'settings' });
}
