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
  /** Absent in changes from earlier releases. */
  option_group_id?: number | null;
  /** The name of the dish or of the option group. */
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
  option_group_id: { type: Number },
  item_name: { type: String, maxlength: 255 },
  before: { type: Object, required: true },
  after: { type: Object, required: true },
})
  .index({ at: -1, _id: -1 })
  .index({ item_id: 1, at: -1, _id: -1 })
  .index({ option_group_id: 1, at: -1, _id: -1 }, { partialFilterExpression: { option_group_id: { $gt: 0 } } })
  .index({ at: 1 }, { expireAfterSeconds: auditDays * 24 * 3600 });

/** Creates the store for changes to dishes, option groups and ordering, in `menu_changes`. MongoDB deletes them after 180 days. */
export function createMenuChangeStore(connection: Connection) {
  const changes = collectionOf(connection, menuChangeSchema);
  return {
    insert: async (records: readonly MenuChange[], session: Session): Promise<void> => {
      if (records.length === 0) return;
      const documents = records.map(({ dish, optionGroup, ...change }) => ({
        ...change,
        item_id: dish?.id ?? null,
        option_group_id: optionGroup?.id ?? null,
        item_name: (dish ?? optionGroup)?.name ?? null,
      }));
      await changes.insertMany(documents, { session });
    },
    /**
     * Fetches changes, newest first. With `after`, only changes that are older than this position; with `dishId` or
     * `optionGroupId`, only changes to this dish or group.
     */
    list: async (page: {
      dishId: number | undefined;
      optionGroupId: number | undefined;
      after: ChangePosition | null;
      limit: number;
    }): Promise<StoredMenuChange[]> => {
      const { dishId, optionGroupId, after, limit } = page;
      const documents = await changes
        .find({
          ...(dishId !== undefined && { item_id: dishId }),
          ...(optionGroupId !== undefined && { option_group_id: optionGroupId }),
          ...olderThan(after),
        })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return documents.map(toChange);
    },
  };
}

function toChange({ _id, ...document }: mongo.WithId<ChangeDocument>): StoredMenuChange {
  const { item_id: dishId, option_group_id: groupId = null, item_name: name, ...change } = document;
  const named = (id: number | null) => (id === null || name === null ? null : { id, name });
  return { ...change, id: _id.toHexString(), dish: named(dishId), optionGroup: named(groupId) };
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
