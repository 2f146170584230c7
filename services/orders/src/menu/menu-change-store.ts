import { roles } from '@comanda/contracts/endpoint';
import { menuChangeTypes, type MenuValues } from '@comanda/contracts/menu-changes';
import { auditDays } from '@comanda/contracts/rules';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import mongoose, { type Connection, type mongo } from 'mongoose';
import type { Actor } from '../actor.ts';
import type { ChangePosition } from '../change-pages.ts';
import type { MenuChange } from './menu-change.ts';

type ChangeDocument = {
  at: Date;
  actor: Actor;
  type: MenuChange['type'];
  item_id: number | null;
  item_name: string | null;
  before: MenuValues;
  after: MenuValues;
};
export type StoredMenuChange = MenuChange & { id: string };
export type MenuChangeStore = ReturnType<typeof createMenuChangeStore>;

export const menuChangeSchema = collectionSchema<ChangeDocument>('menu_changes', {
  at: { type: Date, required: true },
  actor: {
    type: embeddedSchema<Actor>({
      id: { type: Number, required: true },
      name: { type: String, required: true, maxlength: 255 },
      role: { type: String, required: true, enum: roles },
    }),
    required: true,
  },
  type: { type: String, required: true, enum: menuChangeTypes },
  item_id: { type: Number },
  item_name: { type: String, maxlength: 255 },
  before: { type: Object, required: true },
  after: { type: Object, required: true },
})
  .index({ at: -1, _id: -1 })
  .index({ item_id: 1, at: -1, _id: -1 })
  .index({ at: 1 }, { expireAfterSeconds: auditDays * 24 * 3600 });

/** Creates the store for changes to dishes and ordering, in `menu_changes`. MongoDB deletes them after 180 days. */
export function createMenuChangeStore(connection: Connection) {
  const changes = collectionOf(connection, menuChangeSchema);
  return {
    insert: async (records: readonly MenuChange[], session: Session): Promise<void> => {
      if (records.length === 0) return;
      const documents = records.map(({ dish, ...change }) => ({
        ...change,
        item_id: dish?.id ?? null,
        item_name: dish?.name ?? null,
      }));
      await changes.insertMany(documents, { session });
    },
    /**
     * Fetches changes, newest first. With `after`, only changes that are older than this position; with `dishId`, only changes to
     * this dish.
     */
    list: async (page: {
      dishId: number | undefined;
      after: ChangePosition | null;
      limit: number;
    }): Promise<StoredMenuChange[]> => {
      const { dishId, after, limit } = page;
      const documents = await changes
        .find({ ...(dishId !== undefined && { item_id: dishId }), ...olderThan(after) })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return documents.map(toChange);
    },
  };
}

function toChange({ _id, item_id: id, item_name: name, ...change }: mongo.WithId<ChangeDocument>): StoredMenuChange {
  return { ...change, id: _id.toHexString(), dish: id === null || name === null ? null : { id, name } };
}

/** Returns the filter for changes that are older than this position; for the first page, a filter for all changes. */
export const olderThan = (position: ChangePosition | null) =>
  position === null
    ? {}
    : {
        $or: [
          { at: { $lt: position.at } },
          { at: position.at, _id: { $lt: new mongoose.mongo.ObjectId(position.id) } },
        ],
      };
