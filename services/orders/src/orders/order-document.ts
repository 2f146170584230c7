import { roles } from '@comanda/contracts/endpoint';
import { statuses, type OrderStatus } from '@comanda/contracts/order';
import type { ItemOption } from '@comanda/contracts/item-options';
import { maxQuantity, optionLimits } from '@comanda/contracts/rules';
import type { Translations } from '@comanda/contracts/translations';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import { collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { decimal, toDecimal, type Decimal } from '@comanda/shared/mongo/decimal';
import type { Actor } from '../actor.ts';
import { fromMinor, toMinor } from '../money.ts';
import { itemOptionsField } from './item-options-schema.ts';
import { translationsSchema } from '../translations-schema.ts';
import { pageIndexes } from './order-page-query.ts';
import { marksOfOrder } from './order-stations.ts';
import {
  translatedNameOf,
  type CarriedEvent,
  type HistoryEntry,
  type Marks,
  type Order,
  type OrderItem,
} from './order.ts';

type ItemDocument = {
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
};
/** A stored order. The data dictionary fixes the Portuguese names; all other fields have English names. */
export type OrderDocument = WithOutbox & {
  _id: number;
  pedidoID: number;
  usuarioID: number;
  dataHora: Date;
  status: OrderStatus;
  itens: ItemDocument[];
  owner_name: string;
  /** This field and `bill_id` are absent in orders from the first release. */
  placed_by_staff?: boolean;
  bill_id?: number;
  original_bill_id?: number;
  ticket: number;
  table: string | null;
  seating: number | null;
  original_table: string | null;
  original_seating: number | null;
  version: number;
  changed_version: number;
  allergies: string | null;
  /**
   * This field and the next two are for all stations together. Earlier releases store only these three, and no marks in the
   * items. Such marks apply to each item that has none of its own.
   */
  seen_at: Date | null;
  seen_on?: string;
  allergies_read_at?: Date;
  currency: string;
  delivered_at: Date | null;
  updated_at: Date;
  /** Absent if the request had no idempotency key. */
  idempotency_key?: string;
  request_fingerprint?: string;
  /**
   * The order's `order.created` event, if it was stored in the outbox of the order `order_id`. Absent if it was in this order's
   * outbox.
   */
  created_event?: { id: string; order_id: number };
  history: HistoryEntry[];
};
export type StoredOrder = Omit<OrderDocument, 'history' | keyof WithOutbox>;

const id = { type: Number, required: true, min: 1 };
const time = { type: Date, required: true };
const status = { type: String, required: true, enum: statuses };

const markFields = {
  seen_on: { type: String, maxlength: 64, allowNull: false },
  allergies_read_at: { type: Date, allowNull: false },
};
const itemSchema = embeddedSchema<ItemDocument>({
  itemPedidoID: id,
  itemID: id,
  quantidade: { type: Number, required: true, min: 1, max: maxQuantity },
  observacoes: { type: String, required: true, maxlength: 500 },
  name: { type: String, required: true, maxlength: 255 },
  name_translations: translationsSchema(255),
  unit_price: { type: decimal, required: true },
  options: itemOptionsField(optionLimits.maxDepth),
  kitchen_name: { type: String, maxlength: 24, allowNull: false },
  part_of: { type: Number, min: 1, allowNull: false },
  station: { type: String, required: true, maxlength: 32 },
  status,
  holds_portions: { type: Boolean, required: true },
  delivered_at: { type: Date },
  seen_at: { type: Date, allowNull: false },
  ...markFields,
  first_delivered_at: { type: Date, allowNull: false },
});
export const actorSchema = embeddedSchema<Actor>({
  id,
  name: { type: String, required: true, maxlength: 255 },
  role: { type: String, required: true, enum: roles },
});
const historySchema = embeddedSchema<HistoryEntry>({
  at: time,
  actor: { type: actorSchema, required: true },
  what: { type: String, required: true, enum: ['status', 'table'] },
  from: { type: String, maxlength: 64 },
  to: { type: String, required: true, maxlength: 64 },
  item_id: { type: Number, min: 1 },
  reason: { type: String, maxlength: 200 },
  version: id,
});
const createdEventSchema = embeddedSchema<{ id: string; order_id: number }>({
  id: { type: String, required: true },
  order_id: id,
});
const orderFields = {
  _id: id,
  pedidoID: id,
  usuarioID: id,
  dataHora: time,
  status,
  itens: { type: [itemSchema], required: true },
  owner_name: { type: String, required: true, maxlength: 255 },
  placed_by_staff: { type: Boolean, allowNull: false },
  bill_id: { type: Number, min: 1, allowNull: false },
  original_bill_id: { type: Number, min: 1, allowNull: false },
  ticket: id,
  table: { type: String, maxlength: 16 },
  seating: { type: Number, min: 1 },
  original_table: { type: String, maxlength: 16 },
  original_seating: { type: Number, min: 1 },
  version: id,
  changed_version: id,
  allergies: { type: String, maxlength: 200 },
  seen_at: { type: Date },
  ...markFields,
  currency: { type: String, required: true, maxlength: 3 },
  delivered_at: { type: Date },
  updated_at: time,
  idempotency_key: { type: String, allowNull: false },
  request_fingerprint: { type: String, allowNull: false },
  created_event: { type: createdEventSchema, allowNull: false },
  history: { type: [historySchema], required: true },
  ...outboxFields,
};
/** Returns the schema of the archive's collection for one month. Archived orders are only found by id or by bill. */
export const archivedOrderSchema = (collection: string) =>
  collectionSchema<OrderDocument>(collection, orderFields).index({ bill_id: 1 }, { name: 'orders_of_bill' });
export const orderSchema = collectionSchema<OrderDocument>('pedidos', orderFields)
  .index({ pedidoID: 1 }, { unique: true })
  .index(pageIndexes.status.key, { name: pageIndexes.status.name })
  .index(pageIndexes.owner.key, { name: pageIndexes.owner.name })
  .index(pageIndexes.table.key, { name: pageIndexes.table.name })
  .index(pageIndexes.seating.key, {
    name: pageIndexes.seating.name,
    partialFilterExpression: { seating: { $gt: 0 } },
  })
  // This index has no partial filter, because a `$lookup` would not use it then.
  .index({ bill_id: 1 }, { name: 'orders_of_bill' })
  .index({ idempotency_key: 1 }, { unique: true, partialFilterExpression: { idempotency_key: { $exists: true } } })
  .index(...outboxIndex);

const toItemStateFields = (item: OrderItem) => ({
  status: item.status,
  holds_portions: item.holdsPortions,
  delivered_at: item.deliveredAt,
  ...(item.seenAt && { seen_at: item.seenAt }),
  ...toMarkFields(item),
  ...(item.firstDeliveredAt && { first_delivered_at: item.firstDeliveredAt }),
});
const toMarkFields = ({ seenOn, allergiesReadAt }: Marks) => ({
  ...(seenOn !== null && { seen_on: seenOn }),
  ...(allergiesReadAt && { allergies_read_at: allergiesReadAt }),
});

const toItemDocument = (item: OrderItem): ItemDocument => ({
  itemPedidoID: item.id,
  itemID: item.itemId,
  quantidade: item.quantity,
  observacoes: item.remarks,
  name: item.name,
  ...translatedNameOf(item),
  unit_price: toDecimal(fromMinor(item.unitPriceMinor)),
  ...(item.options.length > 0 && { options: [...item.options] }),
  ...(item.kitchenName !== null && { kitchen_name: item.kitchenName }),
  ...(item.partOf !== null && { part_of: item.partOf }),
  station: item.station,
  ...toItemStateFields(item),
});

/**
 * Returns the fields to set in the items that differ between `before` and `after`, by path. Items are never replaced as a whole,
 * because a newer release may have stored fields in them that this release does not know.
 */
export const toChangedItemFields = (before: Order, after: Order): Record<string, unknown> =>
  Object.fromEntries(
    after.items.flatMap((item, index) =>
      item === before.items[index]
        ? []
        : Object.entries(toItemStateFields(item)).map(([name, value]) => [`itens.${index}.${name}`, value]),
    ),
  );

/** Returns the fields that a write to an existing order may change, except its items. */
export function toStateFields(order: Order) {
  const marks = marksOfOrder(order);
  return {
    status: order.status,
    table: order.table,
    seating: order.seating,
    version: order.version,
    changed_version: order.changedVersion,
    ...(order.billId !== null && { bill_id: order.billId }),
    seen_at: marks.seenAt,
    ...toMarkFields(marks),
    delivered_at: order.deliveredAt,
    updated_at: order.updatedAt,
  };
}

export const toCreatedEventField = (carried: CarriedEvent): Pick<OrderDocument, 'created_event'> => ({
  created_event: { id: carried.id, order_id: carried.carrierId },
});

export const toPlacedDocument = (order: Order): StoredOrder => ({
  _id: order.id,
  pedidoID: order.id,
  usuarioID: order.ownerId,
  dataHora: order.createdAt,
  ...toStateFields(order),
  itens: order.items.map(toItemDocument),
  owner_name: order.ownerName,
  placed_by_staff: order.placedByStaff,
  ticket: order.ticket,
  original_table: order.originalLocation.table,
  original_seating: order.originalLocation.seating,
  ...(order.originalLocation.billId !== null && { original_bill_id: order.originalLocation.billId }),
  allergies: order.allergies,
  currency: order.currency,
});

export const toOrder = (document: StoredOrder): Order => ({
  id: document.pedidoID,
  ticket: document.ticket,
  ownerId: document.usuarioID,
  ownerName: document.owner_name,
  placedByStaff: document.placed_by_staff ?? false,
  billId: document.bill_id ?? null,
  table: document.table,
  seating: document.seating,
  status: document.status,
  version: document.version,
  changedVersion: document.changed_version,
  allergies: document.allergies,
  items: document.itens.map((item) => toItem(item, document)),
  currency: document.currency,
  carriedEvent: document.created_event
    ? { id: document.created_event.id, carrierId: document.created_event.order_id }
    : null,
  originalLocation: {
    table: document.original_table,
    seating: document.original_seating,
    billId: document.original_bill_id ?? null,
  },
  deliveredAt: document.delivered_at,
  createdAt: document.dataHora,
  updatedAt: document.updated_at,
});

const toItem = (document: ItemDocument, order: StoredOrder): OrderItem => ({
  id: document.itemPedidoID,
  itemId: document.itemID,
  name: document.name,
  nameTranslations: document.name_translations ?? {},
  quantity: document.quantidade,
  remarks: document.observacoes,
  unitPriceMinor: toMinor(document.unit_price.toString()),
  options: document.options ?? [],
  kitchenName: document.kitchen_name ?? null,
  partOf: document.part_of ?? null,
  station: document.station,
  status: document.status,
  holdsPortions: document.holds_portions,
  deliveredAt: document.delivered_at,
  seenAt: document.seen_at ?? order.seen_at ?? null,
  seenOn: (document.seen_at ? document : order).seen_on ?? null,
  allergiesReadAt: document.allergies_read_at ?? order.allergies_read_at ?? null,
  // An earlier release that delivered the item stored only `delivered_at`.
  firstDeliveredAt: document.first_delivered_at ?? document.delivered_at,
});
