import type { Connection, mongo } from 'mongoose';
import type { OrderStatus } from '@comanda/contracts/order';
import { collectionOf, createMissingCollection } from '@comanda/shared/mongo/collections';
import { billSchema } from '../bills/bill-document.ts';
import { archivedOrderSchema, orderSchema, toOrder, type OrderDocument } from './order-document.ts';
import { pageIndexes } from './order-page-query.ts';
import type { HistoryEntry, Order } from './order.ts';

/** An order that can be archived, with the version in which it was found. */
export type Archivable = { id: number; version: number; createdAt: Date; billId: number | null };
export type OrderArchiveStore = ReturnType<typeof createOrderArchiveStore>;

const closedStatuses: readonly OrderStatus[] = ['delivered', 'cancelled'];
/** Closed orders with an empty outbox. Orders with waiting events must stay, because events are only published from `pedidos`. */
const isArchivable = { status: { $in: closedStatuses }, 'outbox.0': { $exists: false } };
const archiveName = /^pedidos_\d{4}_\d{2}$/;
/** Returns the name of the collection for the month (in UTC) in which the order was placed: `pedidos_2026_08`. */
const nameOf = ({ createdAt }: Archivable): string =>
  `pedidos_${createdAt.toISOString().slice(0, 7).replace('-', '_')}`;

/** Finds the names of the archive's collections. */
export async function findArchiveNames({ db }: Connection): Promise<string[]> {
  const found = (await db?.listCollections({ name: archiveName }, { nameOnly: true }).toArray()) ?? [];
  return found.map(({ name }) => name);
}

/** Returns the schemas of all existing archive collections. */
export const findArchives = async (connection: Connection) =>
  (await findArchiveNames(connection)).map(archivedOrderSchema);

/** Creates the store for the archive. It has one collection per month, with the same validation rules as `pedidos`. */
export function createOrderArchiveStore(connection: Connection) {
  const orders = collectionOf(connection, orderSchema);
  const bills = collectionOf(connection, billSchema);

  async function find(match: mongo.Filter<OrderDocument>): Promise<OrderDocument[]> {
    const [first, ...others] = await findArchiveNames(connection);
    if (first === undefined) return [];
    const matching = { $match: match };
    const unions = others.map((coll) => ({ $unionWith: { coll, pipeline: [matching] } }));
    return connection
      .collection(first)
      .aggregate<OrderDocument>([matching, ...unions])
      .toArray();
  }
  return {
    /** Finds old closed orders whose bill isn't open. Neither the order nor its bill has changed since `before`. */
    findArchivable: async ({ before, limit }: { before: Date; limit: number }): Promise<Archivable[]> => {
      const isOld = { dataHora: { $lt: before }, updated_at: { $lt: before } };
      const withBill = { from: bills.collectionName, localField: 'bill_id', foreignField: '_id', as: 'bills' };
      const found = await orders
        .aggregate<{ _id: number; version: number; dataHora: Date; bill_id?: number }>(
          [
            { $match: { ...isArchivable, ...isOld } },
            { $project: { version: 1, dataHora: 1, bill_id: 1 } },
            { $lookup: { ...withBill, pipeline: [{ $project: { status: 1, updated_at: 1 } }] } },
            {
              $match: {
                bills: { $not: { $elemMatch: { $or: [{ status: 'open' }, { updated_at: { $gte: before } }] } } },
              },
            },
            { $limit: limit },
          ],
          { hint: pageIndexes.status.name },
        )
        .toArray();
      return found.map(({ _id: id, version, dataHora: createdAt, bill_id: billId = null }) => ({
        id,
        version,
        createdAt,
        billId,
      }));
    },
    /**
     * Marks the bills of these orders: their lines are also read from the archive from now on, and they can't be reopened.
     * Returns the orders, except those whose bill was reopened in the meantime.
     */
    keepBillsClosed: async (found: readonly Archivable[]): Promise<Archivable[]> => {
      const ids = [...new Set(found.flatMap(({ billId }) => billId ?? []))];
      if (ids.length === 0) return [...found];
      await bills.updateMany({ _id: { $in: ids }, status: { $ne: 'open' } }, { $set: { orders_archived: true } });
      const opened = await bills
        .find({ _id: { $in: ids }, orders_archived: { $ne: true } }, { projection: { _id: 1 } })
        .toArray();
      const openedIds = new Set(opened.map(({ _id }) => _id));
      return found.filter(({ billId }) => billId === null || !openedIds.has(billId));
    },
    /** Durably copies orders to the archive. It is safe to repeat: a newer version is never overwritten. */
    copy: async (archivable: readonly Archivable[]): Promise<void> => {
      for (const [name, ofMonth] of Map.groupBy(archivable, nameOf)) {
        // Creates the collection whenever it is missing, because it may be dropped while the service runs.
        await createMissingCollection(connection, archivedOrderSchema(name));
        const newer = { $cond: [{ $gte: ['$$new.version', '$version'] }, '$$new', '$$ROOT'] };
        const merge = { into: name, on: '_id', whenMatched: [{ $replaceWith: newer }], whenNotMatched: 'insert' };
        const ids = ofMonth.map(({ id }) => id);
        await orders
          .aggregate([{ $match: { _id: { $in: ids }, ...isArchivable } }, { $merge: merge as never }])
          .toArray();
      }
    },
    /**
     * Removes orders from `pedidos`, except those that have changed since they were found. Call this only after `copy`. Returns
     * how many were removed.
     */
    removeCopied: async (archivable: readonly Archivable[]): Promise<number> => {
      if (archivable.length === 0) return 0;
      const deletions = archivable.map(({ id, version }) => ({
        deleteOne: { filter: { _id: id, version, ...isArchivable } },
      }));
      return (await orders.bulkWrite(deletions, { ordered: false })).deletedCount;
    },
    find: async (id: number): Promise<{ order: Order; history: readonly HistoryEntry[] } | null> => {
      const [stored] = await find({ _id: id });
      return stored ? { order: toOrder(stored), history: stored.history } : null;
    },
    findOfBills: async (ids: readonly number[]): Promise<Order[]> =>
      (await find({ bill_id: { $in: [...ids] } })).map(toOrder),
  };
}
