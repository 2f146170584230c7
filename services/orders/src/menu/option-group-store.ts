import type { Versioned } from '@comanda/contracts/checksum';
import { allergens } from '@comanda/contracts/menu';
import { priceMethods } from '@comanda/contracts/price-methods';
import { optionLimits } from '@comanda/contracts/rules';
import type { Translations } from '@comanda/contracts/translations';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { newest } from '@comanda/shared/mongo/connection';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import { translationsSchema } from '../translations-schema.ts';
import type { Option, OptionGroup } from './option-group.ts';

/** A stored group. Prices are decimal strings as in responses, because no query adds them up. */
type GroupDocument = WithOutbox &
  Omit<OptionGroup, 'id' | 'options' | 'name_translations'> & {
    _id: number;
    name_translations: Translations;
    options: Option[];
    /**
     * A new random id for each write. Unlike a version, it never comes again with other content, even after a restore. Release 2.0.0
     * doesn't change it: its new groups have none.
     */
    revision?: string;
  };
export type StoredGroup = { group: OptionGroup; revision: string | undefined };
type Revision = { id: number; version: number; revision: string | undefined };

const idField = { type: Number, required: true, min: 1 };
const units = { type: Number, required: true, min: 0, max: optionLimits.maxUnits };
const name = { type: String, required: true, maxlength: 60 };
const optionSchema = embeddedSchema<Option>({
  id: idField,
  name,
  name_translations: translationsSchema(60),
  kitchen_name: { type: String, maxlength: 24 },
  price: { type: String, required: true, maxlength: 9 },
  max_each: { type: Number, required: true, min: 1, max: optionLimits.maxUnits },
  allergens: { type: [{ type: String, required: true, enum: allergens }] },
  available: { type: Boolean, required: true },
  default: { type: Boolean, required: true },
  option_group_ids: { type: [{ type: Number, required: true, min: 1 }], required: true },
  item_id: { type: Number, min: 1 },
});
export const optionGroupSchema = collectionSchema<GroupDocument>('option_groups', {
  _id: { type: Number, min: 1 },
  name,
  name_translations: translationsSchema(60),
  min: units,
  max: { type: Number, required: true, min: 1, max: optionLimits.maxUnits },
  price_method: { type: String, required: true, enum: priceMethods },
  free: units,
  options: { type: [optionSchema], required: true },
  version: { type: Number, required: true, min: 1 },
  deleted: { type: Boolean, required: true },
  revision: { type: String, maxlength: 64, allowNull: false },
  ...outboxFields,
}).index(...outboxIndex);

const withoutOutbox = { outbox: 0, outbox_claim: 0 } as const;

const toGroup = ({ _id: id, ...document }: Omit<GroupDocument, keyof WithOutbox>): OptionGroup => ({
  id,
  name: document.name,
  name_translations: document.name_translations,
  min: document.min,
  max: document.max,
  price_method: document.price_method,
  free: document.free,
  options: document.options,
  version: document.version,
  deleted: document.deleted,
});
const toFields = ({ id: _id, ...group }: OptionGroup): Omit<GroupDocument, '_id' | 'revision' | keyof WithOutbox> =>
  group;

export type OptionGroupStore = ReturnType<typeof createOptionGroupStore>;

/**
 * Creates the store for option groups. Each write stores a group and its event atomically. The event contains the whole group, so
 * it replaces any older event in the outbox.
 */
export function createOptionGroupStore(connection: Connection) {
  const groups = collectionOf(connection, optionGroupSchema);
  return {
    /** Fetches all groups, sorted by id. */
    getAll: async (session?: Session): Promise<OptionGroup[]> => {
      const options = { projection: withoutOutbox, sort: { _id: 1 as const }, ...(session && { session }) };
      return (await groups.find({ deleted: false }, options).toArray()).map(toGroup);
    },
    find: async (id: number, session?: Session): Promise<OptionGroup | null> => {
      const options = { projection: withoutOutbox, ...(session && { session }) };
      const stored = await groups.findOne({ _id: id, deleted: false }, options);
      return stored && toGroup(stored);
    },
    /** Finds the newest versions of these groups, which may not be durable yet. */
    findNewest: async (ids: readonly number[]): Promise<StoredGroup[]> => {
      const filter = { _id: { $in: [...ids] }, deleted: false };
      const stored = await groups.find(filter, { projection: withoutOutbox, ...newest }).toArray();
      return stored.map((document) => ({ group: toGroup(document), revision: document.revision }));
    },
    /** Finds the newest revisions of these groups, which may not be durable yet. */
    findRevisions: async (ids: readonly number[]): Promise<Revision[]> => {
      const filter = { _id: { $in: [...ids] }, deleted: false };
      const stored = await groups.find(filter, { projection: { version: 1, revision: 1 }, ...newest }).toArray();
      return stored.map(({ _id: id, version, revision }) => ({ id, version, revision }));
    },
    findVersions: async (): Promise<Versioned[]> => {
      const stored = await groups.find({ deleted: false }, { projection: { version: 1 } }).toArray();
      return stored.map(({ _id: id, version }) => ({ id, version }));
    },
    /** Writes the first or next version of a group. @throws WriteConflict if the group has another version */
    write: async (group: OptionGroup, { message, session }: { message: Message; session: Session }): Promise<void> => {
      const fields = { ...toFields(group), revision: message.id, outbox: [message] };
      if (group.version === 1) {
        await groups.insertOne({ _id: group.id, ...fields }, { session });
        return;
      }
      const filter = { _id: group.id, version: group.version - 1 };
      const { matchedCount } = await groups.updateOne(filter, { $set: fields }, { maxTimeMS: 900, session });
      if (matchedCount === 0) throw new WriteConflict();
    },
  };
}
