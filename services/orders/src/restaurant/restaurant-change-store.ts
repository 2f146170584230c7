import type { RestaurantValues } from '@comanda/contracts/restaurant-changes';
import { auditDays } from '@comanda/contracts/rules';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import type { Actor } from '../actor.ts';
import type { ChangePosition } from '../change-pages.ts';
import { olderThan } from '../menu/menu-change-store.ts';
import { actorSchema } from '../orders/order-document.ts';

/** A manager's change of the settings. `before` and `after` contain only the settings that changed. */
export type RestaurantChange = { at: Date; actor: Actor; before: RestaurantValues; after: RestaurantValues };
export type StoredRestaurantChange = RestaurantChange & { id: string };
type ReplacedLimits = { until: Date; limits: NonNullable<RestaurantValues['category_limits']> };
export type RestaurantChangeStore = ReturnType<typeof createRestaurantChangeStore>;

export const restaurantChangeSchema = collectionSchema<RestaurantChange>('restaurant_changes', {
  at: { type: Date, required: true },
  actor: { type: actorSchema, required: true },
  before: { type: Object, required: true },
  after: { type: Object, required: true },
})
  .index({ at: -1, _id: -1 })
  .index({ at: 1 }, { expireAfterSeconds: auditDays * 24 * 3600 });

/** Creates the store for changes of the restaurant's settings. MongoDB deletes them after 180 days. */
export function createRestaurantChangeStore(connection: Connection) {
  const changes = collectionOf(connection, restaurantChangeSchema);
  return {
    insert: async (records: readonly RestaurantChange[], session: Session): Promise<void> => {
      if (records.length > 0) await changes.insertMany([...records], { session });
    },
    /** Finds the category limits that were replaced after this time, oldest first, each with the time until when they held. */
    findReplacedLimits: async (since: Date): Promise<ReplacedLimits[]> => {
      const filter = { at: { $gt: since }, 'before.category_limits': { $exists: true } };
      const found = await changes.find(filter).sort({ at: 1, _id: 1 }).toArray();
      return found.map(({ at: until, before }) => ({ until, limits: before.category_limits ?? [] }));
    },
    /** Fetches changes, newest first. With `after`, only changes that are older than this position. */
    list: async ({
      after,
      limit,
    }: {
      after: ChangePosition | null;
      limit: number;
    }): Promise<StoredRestaurantChange[]> => {
      const documents = await changes.find(olderThan(after)).sort({ at: -1, _id: -1 }).limit(limit).toArray();
      return documents.map(({ _id, ...change }) => ({ ...change, id: _id.toHexString() }));
    },
  };
}
