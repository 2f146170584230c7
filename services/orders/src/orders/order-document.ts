import type { OrderStatus } from '@comanda/contracts/orders';
import type { Message } from '@comanda/shared/messaging/publisher';
import { toDecimal } from '@comanda/shared/mongo/decimal';
import type { Decimal } from '@comanda/shared/mongo/decimal';
import { fromMinor, toMinor } from '../money.ts';
import type { HistoryEntry, Order, OrderItem } from './order.ts';

type ItemDocument = {
  itemPedidoID: number;
  itemID: number;
  quantidade: number;
  observacoes: string;
  name: string;
  unit_price: Decimal;
  station: string;
  status: OrderStatus;
  holds_portions: boolean;
  delivered_at: Date | null;
};
/** A stored order. The data dictionary fixes the Portuguese names; all other fields have English names. */
export type OrderDocument = {
  _id: number;
  pedidoID: number;
  usuarioID: number;
  dataHora: Date;
  status: OrderStatus;
  itens: ItemDocument[];
  owner_name: string;
  ticket: number;
  table: string | null;
  seating: number | null;
  original_table: string | null;
  original_seating: number | null;
  version: number;
  changed_version: number;
  allergies: string | null;
  seen_at: Date | null;
  currency: string;
  delivered_at: Date | null;
  updated_at: Date;
  /** Absent if the request had no idempotency key. */
  idempotency_key?: string;
  request_fingerprint?: string;
  history: HistoryEntry[];
  outbox: Message[];
};

const toItemStateFields = (item: OrderItem) => ({
  status: item.status,
  holds_portions: item.holdsPortions,
  delivered_at: item.deliveredAt,
});

const toItemDocument = (item: OrderItem): ItemDocument => ({
  itemPedidoID: item.id,
  itemID: item.itemId,
  quantidade: item.quantity,
  observacoes: item.remarks,
  name: item.name,
  unit_price: toDecimal(fromMinor(item.unitPriceMinor)),
  station: item.station,
  ...toItemStateFields(item),
});

/**
 * The fields of those items that a change has moved, by their paths. A newer release may have stored fields that this one
 * does not know, so items are never written as a whole again.
 */
export const toChangedItemFields = (before: Order, after: Order): Record<string, unknown> =>
  Object.fromEntries(
    after.items.flatMap((item, index) =>
      item === before.items[index]
        ? []
        : Object.entries(toItemStateFields(item)).map(([name, value]) => [`itens.${index}.${name}`, value]),
    ),
  );

/** The fields that any write may change, besides the items. */
export const toStateFields = (order: Order) => ({
  status: order.status,
  table: order.table,
  seating: order.seating,
  version: order.version,
  changed_version: order.changedVersion,
  seen_at: order.seenAt,
  delivered_at: order.deliveredAt,
  updated_at: order.updatedAt,
});

export const toPlacedDocument = (order: Order): Omit<OrderDocument, 'history' | 'outbox'> => ({
  _id: order.id,
  pedidoID: order.id,
  usuarioID: order.ownerId,
  dataHora: order.createdAt,
  ...toStateFields(order),
  itens: order.items.map(toItemDocument),
  owner_name: order.ownerName,
  ticket: order.ticket,
  original_table: order.originalLocation.table,
  original_seating: order.originalLocation.seating,
  allergies: order.allergies,
  currency: order.currency,
});

export const toOrder = (document: Omit<OrderDocument, 'history' | 'outbox'>): Order => ({
  id: document.pedidoID,
  ticket: document.ticket,
  ownerId: document.usuarioID,
  ownerName: document.owner_name,
  table: document.table,
  seating: document.seating,
  status: document.status,
  version: document.version,
  changedVersion: document.changed_version,
  allergies: document.allergies,
  seenAt: document.seen_at,
  items: document.itens.map(toItem),
  currency: document.currency,
  originalLocation: { table: document.original_table, seating: document.original_seating },
  deliveredAt: document.delivered_at,
  createdAt: document.dataHora,
  updatedAt: document.updated_at,
});

const toItem = (document: ItemDocument): OrderItem => ({
  id: document.itemPedidoID,
  itemId: document.itemID,
  name: document.name,
  quantity: document.quantidade,
  remarks: document.observacoes,
  unitPriceMinor: toMinor(document.unit_price.toString()),
  station: document.station,
  status: document.status,
  holdsPortions: document.holds_portions,
  deliveredAt: document.delivered_at,
});
