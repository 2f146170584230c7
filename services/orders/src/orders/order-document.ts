import { roles } from '@comanda/contracts/endpoint';
import { statuses, type OrderStatus } from '@comanda/contracts/order';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import { collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { Actor } from '../actor.ts';
import { absentOr, requestFields, toRequest, toRequestFields, type RequestFields } from '../document-fields.ts';
import {
  itemSchema,
  markFields,
  toItem,
  toDividedItems,
  toItemDocument,
  toMarkFields,
  type ItemDocument,
} from './item-document.ts';
import { pageIndexes } from './order-page-query.ts';
import { marksOfOrder } from './order-stations.ts';
import type { CarriedEvent, HistoryEntry, Order } from './order.ts';

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
  /** Absent if the items were ordered with this order. */
  split_from?: number;
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
  /** The requests with an idempotency key that moved the whole order, or found it there already. Absent if there are none. */
  move_requests?: RequestFields[];
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
  status: { type: String, required: true, enum: statuses },
  itens: { type: [itemSchema], required: true },
  owner_name: { type: String, required: true, maxlength: 255 },
  placed_by_staff: { type: Boolean, allowNull: false },
  bill_id: { type: Number, min: 1, allowNull: false },
  original_bill_id: { type: Number, min: 1, allowNull: false },
  split_from: { type: Number, min: 1, allowNull: false },
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
  move_requests: absentOr([embeddedSchema<RequestFields>(requestFields)]),
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
  .index(
    { 'move_requests.request_key': 1 },
    { name: 'move_keys', partialFilterExpression: { 'move_requests.request_key': { $exists: true } } },
  )
  .index({ idempotency_key: 1 }, { unique: true, partialFilterExpression: { idempotency_key: { $exists: true } } })
  .index(...outboxIndex);

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

/**
 * Returns the requests that `before` lacks, to be added to the stored ones. Those may be more than `before` has, because a request
 * that changes nothing is stored without a new version of the order.
 */
export const toAddedRequests = (before: Order, { moveRequests }: Order): Record<string, RequestFields[]> =>
  moveRequests.length > before.moveRequests.length
    ? { move_requests: moveRequests.slice(before.moveRequests.length).map(toRequestFields) }
    : {};

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

const notCopied = new Set<string>([
  '_id',
  'bill_id',
  'idempotency_key',
  'request_fingerprint',
  'move_requests',
  'created_event',
  'history',
  'outbox',
  'outbox_claim',
]);
/** Returns the fields of a new order that is a copy of a stored one, with the items of `order`. The history isn't a field. */
export const toCopyFields = (stored: OrderDocument, order: Order): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(stored).filter(([name]) => !notCopied.has(name))),
  pedidoID: order.id,
  ...(order.splitFrom !== null && { split_from: order.splitFrom }),
  ...toStateFields(order),
  itens: toDividedItems(stored.itens, order),
});

export const toOrder = (document: StoredOrder): Order => ({
  id: document.pedidoID,
  ticket: document.ticket,
  ownerId: document.usuarioID,
  ownerName: document.owner_name,
  placedByStaff: document.placed_by_staff ?? false,
  billId: document.bill_id ?? null,
  splitFrom: document.split_from ?? null,
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
  moveRequests: (document.move_requests ?? []).flatMap((request) => toRequest(request) ?? []),
  deliveredAt: document.delivered_at,
  createdAt: document.dataHora,
  updatedAt: document.updated_at,
});
