import type { Connection, mongo } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { findSpellings } from '@comanda/shared/mongo/spellings';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Pending } from '@comanda/shared/messaging/outbox';
import type { Message } from '@comanda/shared/messaging/publisher';
import { createOrderArchiveStore } from '../orders/order-archive-store.ts';
import type { Order } from '../orders/order.ts';
import { orderSchema, toOrder, type StoredOrder } from '../orders/order-document.ts';
import { writeAll, type Growth, type VersionedWrite } from '../write-with-outbox.ts';
import { billFilter, type BillQuery } from './bill-filter.ts';
import { billSchema, toBill, toBillDocument, toBillFields, type StoredBill } from './bill-document.ts';
import type { Bill, BillHistoryEntry, BillWithOrders } from './bill.ts';

const withoutHistory = { history: 0, outbox: 0, outbox_claim: 0 } as const;

export type BillWrite = {
  before: Bill | null;
  bill: Bill;
  history: readonly BillHistoryEntry[];
  messages: readonly Message[];
};
/** Entries to add to a bill's history. Each entry creates a version of the bill. */
export type BillAppend = { id: number; history: readonly BillHistoryEntry[] };
/** The bills to load: by id, by seating if they are open, and by the idempotency key of a payment or discount on them. */
export type BillsToFind = { ids: readonly number[]; seatings: readonly number[]; requestKeys: readonly string[] };
export type OpenBill = { id: number; version: number; seating: number | null };
export type BillPageQuery = BillQuery & { limit: number };

/**
 * How far the ids of bills may be out of order in time. Ids grow with time, but the clocks of instances differ slightly, so bills
 * that were opened at almost the same time may have ids in another order.
 */
const maxDisorder = 100;

type Stage = Record<string, unknown>;
type Stored = StoredBill & { orders: StoredOrder[] };

const withOrders = [
  { $project: withoutHistory },
  {
    $lookup: {
      from: orderSchema.get('collection'),
      localField: '_id',
      foreignField: 'bill_id',
      as: 'orders',
      pipeline: [{ $project: withoutHistory }],
    },
  },
] as const;
const toBillWithOrders = (stored: Stored): BillWithOrders => ({
  bill: toBill(stored),
  orders: stored.orders.map(toOrder),
});

/**
 * Adds archived orders to the bill's orders. While an order is being archived, it may be in both collections; it is added once.
 */
function withArchived({ bill, orders }: BillWithOrders, archived: readonly Order[]): BillWithOrders {
  const known = new Set(orders.map(({ id }) => id));
  const more = archived.filter(({ id, billId }) => billId === bill.id && !known.has(id));
  return more.length === 0 ? { bill, orders } : { bill, orders: [...orders, ...more].toSorted((a, b) => a.id - b.id) };
}

export type BillStore = ReturnType<typeof createBillStore>;

/** Creates the store for bills. Each write stores a bill with its history and its events. */
export function createBillStore(connection: Connection) {
  const bills = collectionOf(connection, billSchema);
  const archive = createOrderArchiveStore(connection);
  /** Fetches bills and their orders in one snapshot. Archived orders no longer change, so they are fetched separately. */
  const read = async (stages: readonly Stage[], options: mongo.AggregateOptions): Promise<BillWithOrders[]> => {
    const found = await bills.aggregate<Stored>([...stages, ...withOrders], options).toArray();
    const ids = found.flatMap(({ _id, orders_archived: isArchived }) => (isArchived === true ? [_id] : []));
    const archived = ids.length === 0 ? [] : await archive.findOfBills(ids);
    return found.map((stored) => withArchived(toBillWithOrders(stored), archived));
  };
  const atOneMoment = { readConcern: { level: 'snapshot' } } as const;
  /** Finds the id of the first bill that was opened at this time or later; Infinity if there is none. */
  const idAt = async (time: Date): Promise<number> => {
    const options = { projection: { _id: 1 }, sort: { created_at: 1, _id: 1 } } as const;
    const { _id: id = Infinity } = (await bills.findOne({ created_at: { $gte: time } }, options)) ?? {};
    return id;
  };
  return {
    find: async (id: number): Promise<BillWithOrders | null> => {
      const [found] = await read([{ $match: { _id: id } }], atOneMoment);
      return found ?? null;
    },
    /** Finds these bills, sorted by id. */
    findMany: async (ids: readonly number[]): Promise<BillWithOrders[]> =>
      ids.length === 0 ? [] : read([{ $match: { _id: { $in: [...ids] } } }, { $sort: { _id: 1 } }], atOneMoment),
    /** Finds all spellings of this table's name that are stored in bills. */
    findTableNames: (table: string): Promise<string[]> => findSpellings(bills, table),
    /** Fetches one page of bills, newest first. */
    listPage: async ({ limit, ...query }: BillPageQuery): Promise<BillWithOrders[]> => {
      const { since, until } = query;
      const from = since === undefined ? 0 : await idAt(since);
      const to = until === undefined ? Infinity : await idAt(until);
      const filter = billFilter(query, { from: from - maxDisorder, to: to + maxDisorder });
      return read([{ $match: filter }, { $sort: { _id: -1 } }, { $limit: limit }], atOneMoment);
    },
    /** Finds the id of the bill with this payment by account or Pix. */
    findIdOfPayment: async (paymentId: number, method: 'account' | 'pix' = 'account'): Promise<number | null> => {
      const filter = { payments: { $elemMatch: { id: paymentId, method } } } as const;
      const [found] = await bills.distinct('_id', { 'payments.id': paymentId, ...filter });
      return found ?? null;
    },
    /** Finds the ids of up to 100 bills with a reservation that has expired but is still stored as reserved. */
    findIdsWithOverdue: async (now: Date): Promise<number[]> => {
      const filter = { 'payments.expires_at': { $lte: now } };
      const found = await bills.find(filter, { projection: { _id: 1 }, limit: 100 }).toArray();
      return found.map(({ _id: id }) => id);
    },
    findHistory: async (id: number): Promise<readonly BillHistoryEntry[] | null> => {
      const stored = await bills.findOne({ _id: id }, { projection: { history: 1 } });
      return stored && stored.history;
    },
    findAll: ({ ids, seatings, requestKeys }: BillsToFind, session: Session): Promise<BillWithOrders[]> => {
      const anyOf = [
        ...(ids.length > 0 ? [{ _id: { $in: [...ids] } }] : []),
        ...(seatings.length > 0 ? [{ status: 'open', seating: { $in: [...seatings] } }] : []),
        ...(requestKeys.length > 0
          ? [
              { 'payments.request_key': { $in: [...requestKeys] } },
              { 'discounts.request_key': { $in: [...requestKeys] } },
            ]
          : []),
      ];
      return anyOf.length === 0 ? Promise.resolve([]) : read([{ $match: { $or: anyOf } }], { session });
    },
    /** Finds the open bills of these seatings, without loading their lines. */
    findOpen: async (seatings: readonly number[], session: Session): Promise<OpenBill[]> => {
      if (seatings.length === 0) return [];
      const filter = { status: 'open', seating: { $in: [...seatings] } } as const;
      const options = { projection: { version: 1, seating: 1 }, session } as const;
      const found = await bills.find(filter, options).toArray();
      return found.map(({ _id: id, version, seating }) => ({ id, version, seating }));
    },
    /** Finds the id of the newest bill at each of these seatings, except merged bills. */
    findNewestIds: async (seatings: readonly number[], session: Session): Promise<Map<number, number>> => {
      if (seatings.length === 0) return new Map();
      const newestOfEach = [
        { $match: { seating: { $in: [...seatings] }, status: { $ne: 'merged' } } },
        { $group: { _id: '$seating', newest: { $max: '$_id' } } },
      ];
      const found = await bills.aggregate<{ _id: number; newest: number }>(newestOfEach, { session }).toArray();
      return new Map(found.map(({ _id, newest }) => [_id, newest]));
    },
    /**
     * Writes new and changed bills in the given order, and adds entries to the history of other bills. Returns each bill's
     * outbox.
     * @throws WriteConflict if another write has changed a bill
     */
    writeAll: (
      { writes, appended }: { writes: readonly BillWrite[]; appended: readonly BillAppend[] },
      { now, session }: { now: Date; session: Session },
    ): Promise<Pending[]> =>
      writeAll(
        bills as never,
        { writes: writes.map(toWrite), grown: appended.map((each) => toGrowth(each, now)) },
        session,
      ),
  };
}

function toWrite({ before, bill, history, messages }: BillWrite): VersionedWrite {
  const { _id: id, ...document } = toBillDocument(bill);
  const fields = before === null ? document : toBillFields(bill);
  return { id, versionBefore: before?.version ?? null, fields, history, messages };
}
const toGrowth = ({ id, history }: BillAppend, now: Date): Growth => ({
  id,
  by: history.length,
  fields: { updated_at: now },
  history,
});
