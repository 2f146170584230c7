import mongoose from 'mongoose';
import type { Connection, mongo } from 'mongoose';
import { statuses } from '@comanda/contracts/orders';
import type { OrderStatus } from '@comanda/contracts/orders';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Session } from '@comanda/shared/mongo/transactions';
import { pageFilter, pageHint } from './order-page-store.ts';
import type { OrderPage } from './order-page-store.ts';
import { toItemDocument, toOrder, toPlacedDocument, toStateFields } from './order-document-store.ts';
import type { OrderDocument } from './order-document-store.ts';
import type { HistoryEntry, Order } from './order.ts';

const orderSchema = new mongoose.Schema(
  {
    _id: Number,
    pedidoID: { type: Number, required: true },
    usuarioID: { type: Number, required: true },
    dataHora: { type: Date, required: true },
    status: { type: String, enum: statuses, required: true },
    itens: [
      new mongoose.Schema(
        {
          itemPedidoID: { type: Number, required: true },
          itemID: { type: Number, required: true },
          quantidade: { type: Number, required: true },
          observacoes: { type: String, maxlength: 500 },
        },
        { _id: false, strict: false },
      ),
    ],
  },
  { collection: 'pedidos', autoIndex: false, autoCreate: false, versionKey: false, strict: false },
)
  .index({ pedidoID: 1 }, { unique: true })
  // Equality first, then the order of the pages: a page reads as many keys as it has orders, however many there are.
  .index({ status: 1, dataHora: 1, _id: 1 })
  .index({ usuarioID: 1, status: 1, dataHora: 1, _id: 1 })
  .index({ table: 1, status: 1, dataHora: 1, _id: 1 })
  .index({ seating: 1, status: 1, dataHora: 1, _id: 1 }, { partialFilterExpression: { seating: { $gt: 0 } } })
  .index({ call_key: 1 }, { unique: true, partialFilterExpression: { call_key: { $exists: true } } });

/** What a call with an idempotency key was: whose key, and the hash of the whole call. */
export type IdempotentRequest = { key: string; hash: string };
export type NewOrder = {
  order: Order;
  call: IdempotentRequest | null;
  history: readonly HistoryEntry[];
  message: Message;
};
/** An order as one write leaves it, its version one higher than before, with all events of that write. */
export type OrderWrite = { order: Order; history: readonly HistoryEntry[]; messages: readonly Message[] };
export type PlacedCall = { call: IdempotentRequest; order: Order };

const stateAndItems = { history: 0, outbox: 0, outboxClaim: 0 } as const;
const open: readonly OrderStatus[] = ['received', 'preparing', 'ready'];

export type OrderStore = ReturnType<typeof createOrderStore>;

/** The orders. Every write is one atomic operation with its events. */
export function createOrderStore(connection: Connection) {
  const model = connection.model('Pedido', orderSchema);
  const orders = model.collection as unknown as mongo.Collection<OrderDocument>;
  return {
    collection: orders as unknown as mongo.Collection,
    prepare: async (): Promise<void> => {
      await model.createCollection();
      await model.createIndexes();
    },
    one: async (id: number): Promise<Order | null> => {
      const found = await orders.findOne({ _id: id }, { projection: stateAndItems });
      return found && toOrder(found);
    },
    some: async (ids: readonly number[]): Promise<Order[]> => {
      if (ids.length === 0) return [];
      return (await orders.find({ _id: { $in: ids } }, { projection: stateAndItems }).toArray()).map(toOrder);
    },
    /** The orders that calls with these keys have placed. */
    placedBy: async (keys: readonly string[]): Promise<PlacedCall[]> => {
      if (keys.length === 0) return [];
      const found = await orders.find({ call_key: { $in: keys } }, { projection: stateAndItems }).toArray();
      return found.flatMap((document) => {
        const { call_key: key, call_hash: hash } = document;
        return key === undefined || hash === undefined ? [] : [{ call: { key, hash }, order: toOrder(document) }];
      });
    },
    /** How many items are open at each of these seatings. */
    openItems: async (seatings: readonly number[], session: Session): Promise<Map<number, number>> => {
      if (seatings.length === 0) return new Map();
      const counted = await orders
        .aggregate<{ _id: number; open: number }>(
          [
            { $match: { seating: { $in: seatings }, status: { $in: open } } },
            { $unwind: '$itens' },
            { $match: { 'itens.status': { $in: open } } },
            { $group: { _id: '$seating', open: { $sum: 1 } } },
          ],
          { session },
        )
        .toArray();
      return new Map(counted.map(({ _id, open: count }) => [_id, count]));
    },
    insert: async (placed: readonly NewOrder[], session: Session): Promise<void> => {
      if (placed.length === 0) return;
      await orders.insertMany(
        placed.map(({ order, call, history, message }) => ({
          ...toPlacedDocument(order),
          ...(call && { call_key: call.key, call_hash: call.hash }),
          history: [...history],
          outbox: [message],
        })),
        { session },
      );
    },
    /** The events that wait after it, oldest first; null where somebody else wrote first. */
    replace: async (
      { order, history, messages }: OrderWrite,
      session?: Session,
    ): Promise<readonly Message[] | null> => {
      const found = await orders.findOneAndUpdate(
        { _id: order.id, version: order.version - 1 },
        {
          $set: { ...toStateFields(order), itens: order.items.map(toItemDocument) },
          $push: { history: { $each: [...history] }, outbox: { $each: [...messages] } },
        },
        { returnDocument: 'after', projection: { outbox: 1 }, ...(session && { session }) },
      );
      return found && found.outbox;
    },
    /** One page, `limit` at most, in the order of (created_at, id). */
    page: async (wanted: OrderPage): Promise<Order[]> => {
      const direction = wanted.newestFirst ? -1 : 1;
      const found = await orders
        .find(pageFilter(wanted), {
          projection: stateAndItems,
          sort: { dataHora: direction, _id: direction },
          limit: wanted.limit,
          ...pageHint(wanted),
        })
        .toArray();
      return found.map(toOrder);
    },
    withHistory: async (id: number): Promise<{ order: Order; history: readonly HistoryEntry[] } | null> => {
      const found = await orders.findOne({ _id: id }, { projection: { outbox: 0, outboxClaim: 0 } });
      return found && { order: toOrder(found), history: found.history };
    },
  };
}
