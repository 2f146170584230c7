import type { Connection, mongo } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { minor } from '../document-fields.ts';
import { findArchiveNames } from '../orders/order-archive-store.ts';
import { orderSchema, type OrderDocument } from '../orders/order-document.ts';
import { withoutEarlier, type OrderedOrder } from './ordered.ts';

/** The fields that statistics need. `split_from` is in orders that were split off another one. */
type Facts = Pick<OrderDocument, '_id' | 'pedidoID' | 'dataHora' | 'itens' | 'history'> & {
  split_from?: number | null;
};
const projection = {
  pedidoID: 1,
  dataHora: 1,
  'itens.itemPedidoID': 1,
  'itens.itemID': 1,
  'itens.name': 1,
  'itens.quantidade': 1,
  'itens.unit_price': 1,
  'itens.station': 1,
  'itens.status': 1,
  'itens.part_of': 1,
  'itens.remake': 1,
  'history.at': 1,
  'history.what': 1,
  'history.to': 1,
  'history.item_id': 1,
  split_from: 1,
} as const;
const chunk = 500;

export type OrderedStore = ReturnType<typeof createOrderedStore>;

/** Creates the store that reads orders for statistics, also from the archive. */
export function createOrderedStore(connection: Connection) {
  const current = collectionOf(connection, orderSchema);
  const findIn = async (collections: readonly string[], filter: mongo.Filter<OrderDocument>): Promise<Facts[]> => {
    const found = await Promise.all(
      collections.map((name) =>
        connection
          .collection<OrderDocument>(name)
          .find(filter as never, { projection })
          .toArray(),
      ),
    );
    return found.flat();
  };
  const findAnywhere = async (filter: mongo.Filter<OrderDocument>): Promise<OrderedOrder[]> => {
    const found = await findIn([current.collectionName, ...(await findArchiveNames(connection))], filter);
    // While an order is being archived, it is in both collections.
    const once = new Map(found.map((each) => [each.pedidoID, each]));
    return [...once.values()].toSorted((first, other) => first.pedidoID - other.pedidoID).map(toOrdered);
  };
  return {
    /**
     * Finds the orders with ids above `after`, up to `upTo`, without dishes that were ordered before. The archives have an index for
     * `_id` and none for `pedidoID`, which is the same.
     */
    findBetween: ({ after, upTo }: { after: number; upTo: number }): Promise<OrderedOrder[]> =>
      findAnywhere({ _id: { $gt: after, $lte: upTo } }).then((found) => withoutEarlier(found, after)),
    /** Finds the orders on these bills. */
    findOfBills: async (ids: readonly number[]): Promise<OrderedOrder[]> => {
      const orders: OrderedOrder[] = [];
      for (let from = 0; from < ids.length; from += chunk)
        orders.push(...(await findAnywhere({ bill_id: { $in: ids.slice(from, from + chunk) } })));
      return orders.toSorted((first, other) => first.id - other.id);
    },
  };
}

function toOrdered({ pedidoID: id, dataHora: at, itens, history, split_from: splitFrom }: Facts): OrderedOrder {
  const readyAt = new Map<number, Date>();
  for (const { what, to, item_id: itemId, at: changedAt } of history) {
    const isMade = what === 'status' && (to === 'ready' || to === 'delivered');
    if (isMade && itemId !== undefined && !readyAt.has(itemId)) readyAt.set(itemId, changedAt);
  }
  const items = itens
    .filter(({ status }) => status !== 'cancelled')
    .map((item) => ({
      dishId: item.itemID,
      name: item.name,
      quantity: item.quantidade,
      amountMinor: item.part_of === undefined ? item.quantidade * minor(item.unit_price) : 0,
      isComponent: item.part_of !== undefined,
      isRemake: item.remake !== undefined,
      station: item.station,
      readyAt: readyAt.get(item.itemPedidoID) ?? null,
    }));
  return { id, at, splitFrom: splitFrom ?? null, items };
}
