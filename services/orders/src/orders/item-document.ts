import type { ItemOption } from '@comanda/contracts/item-options';
import { statuses, type OrderStatus } from '@comanda/contracts/order';
import { maxQuantity, optionLimits } from '@comanda/contracts/rules';
import type { Translations } from '@comanda/contracts/translations';
import { embeddedSchema } from '@comanda/shared/mongo/collections';
import { decimal, type Decimal } from '@comanda/shared/mongo/decimal';
import { absentOr, id as requiredId, minor, money } from '../document-fields.ts';
import { translationsSchema } from '../translations-schema.ts';
import { itemOptionsField } from './item-options-schema.ts';
import { translatedNameOf, type Marks, type Order, type OrderItem } from './order.ts';

/** An item as stored in its order. */
export type ItemDocument = {
  itemPedidoID: number;
  itemID: number;
  quantidade: number;
  observacoes: string;
  name: string;
  /** Absent if the dish had no translations when it was ordered. */
  name_translations?: Translations;
  unit_price: Decimal;
  /** Absent if no options were chosen, and in items from earlier releases. Their prices are strings: no query adds them up. */
  options?: ItemOption[];
  /** Absent if the kitchen reads `name`. */
  kitchen_name?: string;
  /** The id of the combo's item. Absent if the item is no component. */
  part_of?: number;
  /** Absent unless the dish is priced by the kilogram. */
  measure?: { value: string; price: Decimal };
  station: string;
  status: OrderStatus;
  holds_portions: boolean;
  delivered_at: Date | null;
  /**
   * When and on which screen the item's station first showed the order. Absent before that, or if an earlier release stored it.
   */
  seen_at?: Date;
  seen_on?: string;
  /** When the item's station read the allergies. Absent before that, or if an earlier release stored it. */
  allergies_read_at?: Date;
  /** When the item was first delivered. Absent before that, and in items that an earlier release delivered. */
  first_delivered_at?: Date;
  /** Absent if no other item had these units. */
  split_from?: number;
  /** Absent unless the item replaces another one. */
  remake?: { of: number; reason: string; unit_price?: Decimal };
};
type StoredMarks = { seen_at: Date | null; seen_on?: string; allergies_read_at?: Date };

export const markFields = {
  seen_on: { type: String, maxlength: 64, allowNull: false },
  allergies_read_at: { type: Date, allowNull: false },
};
const optionalPart = { type: Number, min: 1, allowNull: false };
export const itemSchema = embeddedSchema<ItemDocument>({
  itemPedidoID: requiredId,
  itemID: requiredId,
  quantidade: { type: Number, required: true, min: 1, max: maxQuantity },
  observacoes: { type: String, required: true, maxlength: 500 },
  name: { type: String, required: true, maxlength: 255 },
  name_translations: translationsSchema(255),
  unit_price: { type: decimal, required: true },
  options: itemOptionsField(optionLimits.maxDepth),
  kitchen_name: { type: String, maxlength: 24, allowNull: false },
  part_of: optionalPart,
  measure: absentOr(
    embeddedSchema<NonNullable<ItemDocument['measure']>>({
      value: { type: String, required: true, maxlength: 6 },
      price: { type: decimal, required: true },
    }),
  ),
  station: { type: String, required: true, maxlength: 32 },
  status: { type: String, required: true, enum: statuses },
  holds_portions: { type: Boolean, required: true },
  delivered_at: { type: Date },
  seen_at: { type: Date, allowNull: false },
  ...markFields,
  first_delivered_at: { type: Date, allowNull: false },
  split_from: optionalPart,
  remake: absentOr(
    embeddedSchema<NonNullable<ItemDocument['remake']>>({
      of: requiredId,
      reason: { type: String, required: true, maxlength: 200 },
      unit_price: { type: decimal, allowNull: false },
    }),
  ),
});

const toItemStateFields = (item: OrderItem) => ({
  quantidade: item.quantity,
  status: item.status,
  holds_portions: item.holdsPortions,
  delivered_at: item.deliveredAt,
  ...(item.seenAt && { seen_at: item.seenAt }),
  ...toMarkFields(item),
  ...(item.firstDeliveredAt && { first_delivered_at: item.firstDeliveredAt }),
});
export const toMarkFields = ({ seenOn, allergiesReadAt }: Marks) => ({
  ...(seenOn !== null && { seen_on: seenOn }),
  ...(allergiesReadAt && { allergies_read_at: allergiesReadAt }),
});

export const toItemDocument = (item: OrderItem): ItemDocument => ({
  itemPedidoID: item.id,
  itemID: item.itemId,
  observacoes: item.remarks,
  name: item.name,
  ...translatedNameOf(item),
  unit_price: money(item.unitPriceMinor),
  ...(item.options.length > 0 && { options: [...item.options] }),
  ...(item.kitchenName !== null && { kitchen_name: item.kitchenName }),
  ...(item.partOf !== null && { part_of: item.partOf }),
  ...(item.measure && { measure: { value: item.measure.value, price: money(item.measure.priceMinor) } }),
  station: item.station,
  ...(item.splitFrom !== null && { split_from: item.splitFrom }),
  ...(item.remake && {
    remake: { of: item.remake.of, reason: item.remake.reason, unit_price: money(item.remake.unitPriceMinor) },
  }),
  ...toItemStateFields(item),
});

/**
 * Returns the fields to set in the items that differ between `before` and `after`, by path, and the items that only `after` has.
 * Existing items are never replaced as a whole, because a newer release may have stored fields in them that this release does not
 * know.
 */
export const toChangedItemFields = (before: Order, after: Order): Record<string, unknown> =>
  Object.fromEntries(
    after.items.flatMap((item, index): [string, unknown][] => {
      const earlier = before.items[index];
      if (!earlier) return [[`itens.${index}`, toItemDocument(item)]];
      if (item === earlier) return [];
      return Object.entries(toItemStateFields(item)).map(([name, value]) => [`itens.${index}.${name}`, value]);
    }),
  );

/** Returns the documents of the order's items after it was divided. Items that are a part get a copy of the stored item. */
export const toDividedItems = (stored: readonly ItemDocument[], { items }: Order): ItemDocument[] =>
  items.flatMap(({ id, quantity: quantidade, splitFrom }) => {
    const document = stored.find(({ itemPedidoID }) => itemPedidoID === id);
    if (document) return [{ ...document, quantidade }];
    const whole = stored.find(({ itemPedidoID }) => itemPedidoID === splitFrom);
    return whole && splitFrom !== null ? [{ ...whole, itemPedidoID: id, quantidade, split_from: splitFrom }] : [];
  });

/** Returns a stored item. Marks that an earlier release stored in the order apply to items without marks of their own. */
export const toItem = (document: ItemDocument, order: StoredMarks): OrderItem => ({
  id: document.itemPedidoID,
  itemId: document.itemID,
  name: document.name,
  nameTranslations: document.name_translations ?? {},
  quantity: document.quantidade,
  remarks: document.observacoes,
  unitPriceMinor: minor(document.unit_price),
  options: document.options ?? [],
  kitchenName: document.kitchen_name ?? null,
  partOf: document.part_of ?? null,
  measure: document.measure ? { value: document.measure.value, priceMinor: minor(document.measure.price) } : null,
  station: document.station,
  status: document.status,
  holdsPortions: document.holds_portions,
  deliveredAt: document.delivered_at,
  seenAt: document.seen_at ?? order.seen_at ?? null,
  seenOn: (document.seen_at ? document : order).seen_on ?? null,
  allergiesReadAt: document.allergies_read_at ?? order.allergies_read_at ?? null,
  // An earlier release that delivered the item stored only `delivered_at`.
  firstDeliveredAt: document.first_delivered_at ?? document.delivered_at,
  splitFrom: document.split_from ?? null,
  remake: document.remake ? toRemake(document.remake) : null,
});

/** Returns what the item replaces. An item that was stored without the first price replaces one for nothing. */
const toRemake = ({ of, reason, unit_price: price }: NonNullable<ItemDocument['remake']>): OrderItem['remake'] => ({
  of,
  reason,
  unitPriceMinor: price ? minor(price) : 0,
});
