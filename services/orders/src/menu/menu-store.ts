import type { Versioned } from '@comanda/contracts/checksum';
import type { Translations } from '@comanda/contracts/translations';
import type { Connection } from 'mongoose';
import { pricings, type Pricing } from '@comanda/contracts/weight';
import { allergens } from '@comanda/contracts/menu';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { decimal, toDecimal, type Decimal } from '@comanda/shared/mongo/decimal';
import { newest } from '@comanda/shared/mongo/connection';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { isDuplicate, type Session } from '@comanda/shared/mongo/transactions';
import { fromMinor, toMinor } from '../money.ts';
import { translationsSchema } from '../translations-schema.ts';
import { nameKey, type Dish } from './menu-item.ts';

/** A stored dish. The data dictionary defines the Portuguese field names; all other fields have English names. */
type DishDocument = WithOutbox & {
  _id: number;
  itemID: number;
  nome: string;
  descricao: string;
  preco: Decimal;
  imagemURL: string | null;
  /** Absent if the dish is deleted, so that the name can be used again. */
  name_key?: string;
  currency: string;
  category: string | null;
  position: number;
  station: string;
  allergens: Dish['allergens'];
  /** Absent in dishes that an earlier release stored. */
  pricing?: Pricing;
  available: boolean;
  portions_left: number | null;
  /** Absent in dishes from the first release, like the next two fields. */
  name_translations?: Translations;
  description_translations?: Translations;
  category_translations?: Translations;
  /** Absent in dishes from earlier releases, like the next two fields. */
  option_group_ids?: number[];
  kitchen_name?: string | null;
  allergens_stated?: boolean;
  version: number;
  deleted: boolean;
};

export const dishSchema = collectionSchema<DishDocument>('itensMenu', {
  _id: { type: Number, min: 1 },
  itemID: { type: Number, required: true, min: 1 },
  nome: { type: String, required: true, maxlength: 255 },
  descricao: { type: String, required: true, maxlength: 2000 },
  preco: { type: decimal, required: true },
  imagemURL: { type: String, maxlength: 255 },
  name_key: { type: String, allowNull: false },
  currency: { type: String, required: true, maxlength: 3 },
  category: { type: String, maxlength: 64 },
  position: { type: Number, required: true, min: 0 },
  station: { type: String, required: true, maxlength: 32 },
  allergens: { type: [{ type: String, required: true, enum: allergens }], required: true },
  pricing: { type: String, enum: pricings, allowNull: false },
  available: { type: Boolean, required: true },
  portions_left: { type: Number, min: 0 },
  name_translations: translationsSchema(255),
  description_translations: translationsSchema(2000),
  category_translations: translationsSchema(64),
  option_group_ids: { type: [{ type: Number, required: true, min: 1 }], allowNull: false },
  kitchen_name: { type: String, maxlength: 24 },
  allergens_stated: { type: Boolean, allowNull: false },
  version: { type: Number, required: true, min: 1 },
  deleted: { type: Boolean, required: true },
  ...outboxFields,
})
  .index({ itemID: 1 }, { unique: true })
  .index({ name_key: 1 }, { unique: true, partialFilterExpression: { name_key: { $exists: true } } })
  .index(...outboxIndex);

const withoutOutbox = { outbox: 0, outbox_claim: 0 } as const;

const toFields = (dish: Dish) => ({
  nome: dish.name,
  descricao: dish.description,
  preco: toDecimal(fromMinor(dish.priceMinor)),
  imagemURL: dish.imageUrl,
  currency: dish.currency,
  category: dish.category,
  position: dish.position,
  station: dish.station,
  allergens: dish.allergens,
  pricing: dish.pricing,
  available: dish.available,
  portions_left: dish.portionsLeft,
  name_translations: dish.nameTranslations,
  description_translations: dish.descriptionTranslations,
  category_translations: dish.categoryTranslations,
  option_group_ids: [...dish.optionGroupIds],
  kitchen_name: dish.kitchenName,
  allergens_stated: dish.allergensStated,
  version: dish.version,
  deleted: dish.deleted,
});

const toDish = (document: Omit<DishDocument, keyof WithOutbox>): Dish => ({
  id: document.itemID,
  name: document.nome,
  description: document.descricao,
  priceMinor: toMinor(document.preco.toString()),
  currency: document.currency,
  imageUrl: document.imagemURL,
  category: document.category,
  position: document.position,
  station: document.station,
  allergens: document.allergens,
  pricing: document.pricing ?? 'fixed',
  available: document.available,
  portionsLeft: document.portions_left,
  nameTranslations: document.name_translations ?? {},
  descriptionTranslations: document.description_translations ?? {},
  categoryTranslations: document.category_translations ?? {},
  optionGroupIds: document.option_group_ids ?? [],
  kitchenName: document.kitchen_name ?? null,
  allergensStated: document.allergens_stated ?? false,
  version: document.version,
  deleted: document.deleted,
});

/** A dish to store, with its next version and the event for the write. */
export type DishWrite = { dish: Dish; message: Message };

export type MenuStore = ReturnType<typeof createMenuStore>;

/**
 * Creates the store for dishes. Each write stores a dish and its event atomically. The event contains the whole dish, so it
 * replaces any older event in the outbox. This keeps the document small while the broker is down.
 */
export function createMenuStore(connection: Connection) {
  const dishes = collectionOf(connection, dishSchema);
  return {
    getAll: async (session?: Session): Promise<Dish[]> => {
      const options = { projection: withoutOutbox, ...(session && { session, sort: { _id: 1 as const } }) };
      return (await dishes.find({ deleted: false }, options).toArray()).map(toDish);
    },
    findVersions: async (): Promise<Versioned[]> => {
      const stored = await dishes.find({ deleted: false }, { projection: { version: 1 } }).toArray();
      return stored.map(({ _id: id, version }) => ({ id, version }));
    },
    find: async (id: number, session?: Session): Promise<Dish | null> => {
      const options = { projection: withoutOutbox, ...(session && { session }) };
      const stored = await dishes.findOne({ _id: id, deleted: false }, options);
      return stored && toDish(stored);
    },
    /**
     * Finds the newest versions of these dishes, which may not be durable yet. A later write of their portions must check that
     * the versions are still the same.
     */
    findNewest: async ({ ids, names }: IdsOrNames): Promise<Dish[]> => {
      if (ids.length === 0 && names.length === 0) return [];
      const find = async (filter: Readonly<Record<string, unknown>>): Promise<Dish[]> =>
        (await dishes.find(filter, { projection: withoutOutbox, ...newest }).toArray()).map(toDish);
      const byId = { _id: { $in: ids }, deleted: false };
      if (names.length === 0) return find(byId);
      const found = await find({ $or: [byId, { name_key: { $in: names.map(nameKey) } }] });
      const keys = new Set(found.map(({ name }) => nameKey(name)));
      // A missing name may differ from the stored one only in spaces or invisible characters, so all dishes are returned.
      return names.every((name) => keys.has(nameKey(name))) ? found : find({ deleted: false });
    },
    /** Finds the newest versions of these dishes, even of those that are no longer on the menu. */
    findNewestOrDeleted: async (ids: readonly number[]): Promise<Dish[]> =>
      ids.length === 0
        ? []
        : (await dishes.find({ _id: { $in: [...ids] } }, { projection: withoutOutbox, ...newest }).toArray()).map(
            toDish,
          ),
    /**
     * Inserts new dishes, and replaces existing ones, in one statement. Returns `name_taken` if another dish has a new name.
     * @throws WriteConflict if a dish has another version
     */
    write: (
      writes: readonly (DishWrite & { isNew: boolean })[],
      session?: Session,
    ): Promise<'written' | 'name_taken'> =>
      unlessNameTaken(async () => {
        const replaced = writes.filter(({ isNew }) => !isNew);
        const operations = writes.map((write) => (write.isNew ? toInsert(write) : toUpdate(write)));
        const { matchedCount } = await dishes.bulkWrite(operations, { maxTimeMS: 900, ...(session && { session }) });
        if (matchedCount !== replaced.length) throw new WriteConflict();
      }),
    /**
     * Writes the remaining portions of these dishes: all of them or none.
     * @throws WriteConflict if a dish has another version
     */
    updatePortions: async (writes: readonly DishWrite[], session: Session): Promise<void> => {
      if (writes.length === 0) return;
      // One statement for all dishes. The server plans each statement whose filter contains more than an id, which takes time.
      const ids = writes.map(({ dish }) => dish.id);
      const elementOfThisDish = (list: readonly unknown[]) => ({
        $arrayElemAt: [{ $literal: list }, { $indexOfArray: [{ $literal: ids }, '$_id'] }],
      });
      const versionsBefore = writes.map(({ dish }) => dish.version - 1);
      const fieldsAfter = writes.map(({ dish: { portionsLeft, version }, message }) => ({
        portions_left: portionsLeft,
        version,
        outbox: [message],
      }));
      const { matchedCount } = await dishes.updateMany(
        { _id: { $in: ids }, $expr: { $eq: ['$version', elementOfThisDish(versionsBefore)] } },
        [{ $replaceWith: { $mergeObjects: ['$$ROOT', elementOfThisDish(fieldsAfter)] } }],
        { session },
      );
      if (matchedCount !== writes.length) throw new WriteConflict();
    },
  };
}

const toInsert = ({ dish, message }: DishWrite) => ({
  insertOne: {
    document: {
      _id: dish.id,
      itemID: dish.id,
      ...toFields(dish),
      name_key: nameKey(dish.name),
      outbox: [message],
    },
  },
});
const toUpdate = ({ dish, message }: DishWrite) => ({
  updateOne: {
    filter: { _id: dish.id, version: dish.version - 1 },
    update: {
      $set: { ...toFields(dish), ...(!dish.deleted && { name_key: nameKey(dish.name) }), outbox: [message] },
      ...(dish.deleted && { $unset: { name_key: '' as const } }),
    },
  },
});

type IdsOrNames = { ids: readonly number[]; names: readonly string[] };

/** Runs `write`. Returns `name_taken` if the unique index on `name_key` rejects the name. */
async function unlessNameTaken(write: () => Promise<void>): Promise<'written' | 'name_taken'> {
  try {
    await write();
    return 'written';
  } catch (error) {
    if (isDuplicate(error)) return 'name_taken';
    throw error;
  }
}
