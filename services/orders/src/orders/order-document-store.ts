import mongoose from 'mongoose';
import type { mongo } from 'mongoose';
import type { OrderStatus } from '@comanda/contracts/orders';
import type { Message } from '@comanda/shared/messaging/publisher';
import { fromMinor, toMinor } from '../money.ts';
import type { HistoryEntry, Order, OrderItem } from './order.ts';

const { Decimal128 } = mongoose.mongo;

type ItemDocument = {
  itemPedidoID: number;
  itemID: number;
  quantidade: number;
  observacoes: string;
  name: string;
  unit_price: mongo.Decimal128;
  station: string;
  status: OrderStatus;
  holds_portions: boolean;
  delivered_at: Date | null;
};
/** An order as it is stored: the names that the data dictionary fixes, and English ones beside them. */
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
  placed_table: string | null;
  placed_seating: number | null;
  version: number;
  changed_version: number;
  allergies: string | null;
  seen_at: Date | null;
  currency: string;
  delivered_at: Date | null;
  updated_at: Date;
  call_key?: string;
  call_hash?: string;
  history: HistoryEntry[];
  outbox: Message[];
};

export const toItemDocument = (item: OrderItem): ItemDocument => ({
  itemPedidoID: item.id,
  itemID: item.itemId,
  quantidade: item.quantity,
  observacoes: item.remarks,
  name: item.name,
  unit_price: Decimal128.fromString(fromMinor(item.unitPriceMinor)),
  station: item.station,
  status: item.status,
  holds_portions: item.holdsPortions,
  delivered_at: item.deliveredAt,
});

/** What any write may change, besides the items. */
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
  placed_table: order.placedAt.table,
  placed_seating: order.placedAt.seating,
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
  placedAt: { table: document.placed_table, seating: document.placed_seating },
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
