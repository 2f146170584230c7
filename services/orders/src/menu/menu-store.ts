import mongoose from 'mongoose';
import type { Connection, mongo } from 'mongoose';
import type { Message } from '@comanda/shared/messaging/publisher';
import { fromMinor, toMinor } from '../money.ts';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Session } from '@comanda/shared/mongo/transactions';
import { nameKey } from './menu-item.ts';
import type { Dish } from './menu-item.ts';

const { Decimal128 } = mongoose.mongo;

/** A dish as it is stored: the names that the data dictionary fixes, and English ones beside them. */
type DishDocument = {
  _id: number;
  itemID: number;
  nome: string;
  descricao: string;
  preco: mongo.Decimal128;
  imagemURL: string | null;
  /** Absent once deleted: the name is free again. */
  name_key?: string;
  currency: string;
  category: string | null;
  position: number;
  station: string;
  allergens: Dish['allergens'];
  available: boolean;
  portions_left: number | null;
  version: number;
  deleted: boolean;
  outbox: Message[];
};

const dishSchema = new mongoose.Schema(
  {
    _id: Number,
    itemID: { type: Number, required: true },
    nome: { type: String, required: true, maxlength: 255 },
    descricao: { type: String },
    preco: { type: mongoose.Schema.Types.Decimal128, required: true },
    imagemURL: { type: String, maxlength: 255 },
    name_key: { type: String },
  },
  { collection: 'itensMenu', autoIndex: false, autoCreate: false, versionKey: false, strict: false },
)
  .index({ itemID: 1 }, { unique: true })
  .index({ name_key: 1 }, { unique: true, partialFilterExpression: { name_key: { $exists: true } } });

const withoutOutbox = { outbox: 0, outboxClaim: 0 } as const;

const toFields = (dish: Dish) => ({
  nome: dish.name,
  descricao: dish.description,
  preco: Decimal128.fromString(fromMinor(dish.priceMinor)),
  imagemURL: dish.imageUrl,
  currency: dish.currency,
  category: dish.category,
  position: dish.position,
  station: dish.station,
  allergens: dish.allergens,
  available: dish.available,
  portions_left: dish.portionsLeft,
  version: dish.version,
  deleted: dish.deleted,
});

const toDish = (document: Omit<DishDocument, 'outbox'>): Dish => ({
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
  available: document.available,
  portionsLeft: document.portions_left,
  version: document.version,
  deleted: document.deleted,
});

/** A dish as one write leaves it, its version one higher than before, with the event that tells of it. */
export type DishWrite = { dish: Dish; message: Message };

export type MenuStore = ReturnType<typeof createMenuStore>;

/**
 * The dishes. Every write is one atomic operation with its event, which takes the place of one that still waits: it
 * tells the whole dish, and a hot dish must not outgrow its document while the broker is away.
 */
export function createMenuStore(connection: Connection) {
  const model = connection.model('ItemMenu', dishSchema);
  const dishes = model.collection as unknown as mongo.Collection<DishDocument>;
  return {
    collection: dishes as unknown as mongo.Collection,
    prepare: async (): Promise<void> => {
      await model.createCollection();
      await model.createIndexes();
    },
    all: async (): Promise<Dish[]> =>
      (await dishes.find({ deleted: false }, { projection: withoutOutbox }).toArray()).map(toDish),
    one: async (id: number): Promise<Dish | null> => {
      const found = await dishes.findOne({ _id: id, deleted: false }, { projection: withoutOutbox });
      return found && toDish(found);
    },
    /** The dishes on the menu that have one of these ids or names. */
    named: async ({ ids, nameKeys }: { ids: readonly number[]; nameKeys: readonly string[] }): Promise<Dish[]> => {
      if (ids.length === 0 && nameKeys.length === 0) return [];
      const byId = { _id: { $in: ids }, deleted: false };
      const filter = nameKeys.length === 0 ? byId : { $or: [byId, { name_key: { $in: nameKeys } }] };
      return (await dishes.find(filter, { projection: withoutOutbox }).toArray()).map(toDish);
    },
    /** False where the name is taken. */
    add: async ({ dish, message }: DishWrite): Promise<boolean> => {
      const document = { _id: dish.id, itemID: dish.id, ...toFields(dish), name_key: nameKey(dish.name) };
      return whereFree(async () => {
        await dishes.insertOne({ ...document, outbox: [message] });
        return true;
      }, false);
    },
    /** `late` where somebody else wrote first, `taken` where the name is. */
    replace: ({ dish, message }: DishWrite): Promise<'written' | 'late' | 'taken'> =>
      whereFree(async () => {
        const { matchedCount } = await dishes.updateOne(
          { _id: dish.id, version: dish.version - 1 },
          {
            $set: { ...toFields(dish), ...(!dish.deleted && { name_key: nameKey(dish.name) }), outbox: [message] },
            ...(dish.deleted && { $unset: { name_key: '' as const } }),
          },
        );
        return matchedCount === 1 ? 'written' : 'late';
      }, 'taken'),
    /** Sets the portions left of these dishes; false where somebody else wrote one of them first. */
    setPortions: async (writes: readonly DishWrite[], session: Session): Promise<boolean> => {
      if (writes.length === 0) return true;
      // One statement for all: the server plans each statement anew where it asks for more than an id.
      const ids = writes.map(({ dish }) => dish.id);
      const ofThis = (list: readonly unknown[]) => ({
        $arrayElemAt: [{ $literal: list }, { $indexOfArray: [{ $literal: ids }, '$_id'] }],
      });
      const before = writes.map(({ dish }) => dish.version - 1);
      const after = writes.map(({ dish: { portionsLeft, version }, message }) => ({
        portions_left: portionsLeft,
        version,
        outbox: [message],
      }));
      const { matchedCount } = await dishes.updateMany(
        { _id: { $in: ids }, $expr: { $eq: ['$version', ofThis(before)] } },
        [{ $replaceWith: { $mergeObjects: ['$$ROOT', ofThis(after)] } }],
        { session },
      );
      return matchedCount === writes.length;
    },
  };
}

async function whereFree<R, T>(write: () => Promise<R>, taken: T): Promise<R | T> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicate(error)) return taken;
    throw error;
  }
}
