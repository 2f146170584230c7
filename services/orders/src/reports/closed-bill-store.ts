import type { BillRow } from '@comanda/contracts/reports';
import type { Connection, mongo } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import type { Decimal } from '@comanda/shared/mongo/decimal';
import { billSchema, type StoredBill } from '../bills/bill-document.ts';
import { refundsMarginMs } from '../day/day-bill-store.ts';
import { minor } from '../document-fields.ts';
import { fromMinor } from '../money.ts';
import type { ClosedBy } from './people.ts';

/** The index by day. Without it as a hint, MongoDB sometimes reads all closed bills of a year. */
const ofDay = 'page_by_day';

export type ClosedBillStore = ReturnType<typeof createClosedBillStore>;

/** Creates the store that reads the bills closed in days, for reports. */
export function createClosedBillStore(connection: Connection) {
  const bills = collectionOf(connection, billSchema);
  const closedIn = (days: readonly number[]) => ({
    day: { $in: [...days] },
    status: 'closed' as const,
    $expr: { $eq: ['$closed_at', '$closing.closed_at'] },
  });
  const newest = (atMost: number) => (atMost < Infinity ? [{ $sort: { day: 1, _id: -1 } }, { $limit: atMost }] : []);
  const sumCovers = async (stages: mongo.Document[], options: mongo.AggregateOptions = {}): Promise<number | null> => {
    const sum = [{ $match: { covers: { $gt: 0 } } }, { $group: { _id: null, guests: { $sum: '$covers' } } }];
    const [found] = await bills.aggregate<{ guests: number }>([...stages, ...sum], options).toArray();
    return found?.guests ?? null;
  };
  return {
    /** Counts the bills closed in a day, up to `atMost`. */
    countOfDay: (day: number, { atMost }: { atMost: number }): Promise<number> =>
      bills.countDocuments(closedIn([day]), { hint: ofDay, limit: atMost }),
    /** Adds up the guests of the newest `atMost` bills closed in a day; null if none of them says how many. */
    sumCoversOfDay: async (day: number, { atMost }: { atMost: number }): Promise<number | null> =>
      sumCovers([{ $match: closedIn([day]) }, ...newest(atMost)], { hint: ofDay }),
    /** Adds up the guests of these bills; null if none of them says how many. */
    sumCoversOf: async (ids: readonly number[]): Promise<number | null> =>
      sumCovers([{ $match: { _id: { $in: [...ids] } } }]),
    /** Returns a text that changes with each refund, even with one by an instance whose clock is behind. */
    findRefundsVersion: async (): Promise<string> => {
      const times = 'payments.refunded_at';
      const first = [
        { $match: { [times]: { $gt: new Date(0) } } },
        { $sort: { [times]: -1 } },
        { $limit: 1 },
        { $project: { at: { $max: `$${times}` } } },
      ];
      const [last] = await bills.aggregate<{ at: Date }>(first, { hint: 'refunds' }).toArray();
      if (!last) return '';
      const isRecent = { $match: { [times]: { $gte: new Date(last.at.getTime() - refundsMarginMs) } } };
      const counting = [
        isRecent,
        { $project: { [times]: 1 } },
        { $unwind: '$payments' },
        isRecent,
        { $count: 'count' },
      ];
      const [recent] = await bills.aggregate<{ count: number }>(counting, { hint: 'refunds' }).toArray();
      return `${last.at.getTime()} ${recent?.count}`;
    },
    findIdsOfDays: async (days: readonly number[]): Promise<number[]> => {
      const found = await bills.find(closedIn(days), { projection: { _id: 1 }, hint: ofDay }).toArray();
      return found.map(({ _id }) => _id);
    },
    /** Fetches one page of the bills closed in these days, newest first. */
    listPage: async (
      days: readonly number[],
      { below = Infinity, limit }: { below: number | undefined; limit: number },
    ): Promise<BillRow[]> => {
      const filter = { ...closedIn(days), ...(below < Infinity && { _id: { $lt: below } }) };
      return (await bills.find(filter, { sort: { _id: -1 }, limit, hint: ofDay }).toArray()).map(toRow);
    },
    /** Adds up the service charge of the newest `atMost` bills that were closed in these days, by who closed them. */
    sumByCloser: async (days: readonly number[], { atMost = Infinity } = {}): Promise<ClosedBy[]> => {
      const stages = [
        { $match: closedIn(days) },
        ...newest(atMost),
        { $sort: { _id: 1 } },
        {
          $group: {
            _id: '$closing.by.id',
            name: { $last: '$closing.by.name' },
            count: { $sum: 1 },
            charge: { $sum: '$closing.service_charge' },
          },
        },
      ];
      type Found = { _id: number; name: string; count: number; charge: Decimal };
      const found = await bills.aggregate<Found>(stages, { hint: ofDay }).toArray();
      return found.map(({ _id: id, name, count, charge }) => ({
        by: { id, name },
        count,
        serviceChargeMinor: minor(charge),
      }));
    },
  };
}

function toRow({ _id: id, ...stored }: StoredBill): BillRow {
  const { closing, closed_at: closedAt } = stored;
  if (!closing || !closedAt) throw new Error(`bill ${id} has no closing`);
  const kept = stored.payments.filter(({ status }) => status === 'paid' || status === 'refunding');
  const refunded = stored.payments.filter(
    ({ status, refunded_at: at }) => status === 'refunded' && at !== null && at >= closedAt,
  );
  const sum = (amounts: readonly Decimal[]): string => fromMinor(amounts.reduce((all, each) => all + minor(each), 0));
  return {
    number: stored.number ?? 0,
    id,
    table: stored.table,
    opened_at: stored.created_at.toISOString(),
    closed_at: closedAt.toISOString(),
    items_total: closing.items_total.toString(),
    discount_total: closing.discount_total.toString(),
    service_charge: closing.service_charge.toString(),
    rounding: closing.rounding.toString(),
    total: closing.total.toString(),
    tips: sum(kept.map(({ tip }) => tip)),
    refunded: sum(refunded.map(({ amount }) => amount)),
  };
}
