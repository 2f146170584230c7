import type { Connection } from 'mongoose';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { decimal, type Decimal } from '@comanda/shared/mongo/decimal';
import type { Session } from '@comanda/shared/mongo/transactions';
import {
  id as documentId,
  minor,
  money,
  requestFields,
  signedMinor,
  time,
  toRequest,
  toRequestFields,
  type RequestFields,
} from '../document-fields.ts';
import type { CashCount } from './count.ts';
import { person } from './movement-store.ts';

type CountDocument = RequestFields & {
  _id: number;
  day: number;
  cash_drawer: string;
  at: Date;
  by: CashCount['by'];
  expected: Decimal | null;
  counted: Decimal;
  difference: Decimal | null;
  left: Decimal;
  to: string | null;
};
export const countSchema = collectionSchema<CountDocument>('counts', {
  _id: documentId,
  day: documentId,
  cash_drawer: { type: String, required: true, maxlength: 32 },
  at: time,
  by: person,
  expected: { type: decimal },
  counted: { type: decimal, required: true },
  difference: { type: decimal },
  left: { type: decimal, required: true },
  to: { type: String, maxlength: 32 },
  ...requestFields,
})
  .index({ day: 1, _id: 1 }, { name: 'of_day' })
  .index({ cash_drawer: 1, _id: -1 }, { name: 'of_cash_drawer' })
  .index(
    { request_key: 1 },
    { name: 'request_keys', unique: true, partialFilterExpression: { request_key: { $exists: true } } },
  );

export type CountStore = ReturnType<typeof createCountStore>;

/** Creates the store for counts of cash drawers. Counts are never changed or removed. */
export function createCountStore(connection: Connection) {
  const counts = collectionOf(connection, countSchema);
  return {
    insert: async (count: CashCount, session: Session): Promise<void> => {
      await counts.insertOne(toDocument(count), { session });
    },
    /** Finds the newest count of a cash drawer with an id of at most `upTo`. */
    findNewest: async (
      cashDrawer: string,
      { upTo = Infinity, session }: { upTo?: number; session?: Session } = {},
    ): Promise<CashCount | null> => {
      const filter = { cash_drawer: cashDrawer, ...(upTo < Infinity && { _id: { $lte: upTo } }) };
      const found = await counts.findOne(filter, { sort: { _id: -1 }, ...(session && { session }) });
      return found && toCount(found);
    },
    findOldest: async (cashDrawer: string, session?: Session): Promise<CashCount | null> => {
      const options = { sort: { _id: 1 }, ...(session && { session }) } as const;
      const found = await counts.findOne({ cash_drawer: cashDrawer }, options);
      return found && toCount(found);
    },
    /** Finds the newest count of each cash drawer, by name. */
    findAllNewest: async (session?: Session): Promise<Map<string, CashCount>> => {
      const stages = [
        { $sort: { cash_drawer: 1, _id: -1 } },
        { $group: { _id: '$cash_drawer', newest: { $first: '$$ROOT' } } },
      ];
      const found = await counts
        .aggregate<{ _id: string; newest: CountDocument }>(stages, { ...(session && { session }) })
        .toArray();
      return new Map(found.map(({ _id, newest }) => [_id, toCount(newest)]));
    },
    /** Finds the last count of each cash drawer before a day, by name. */
    findBeforeDay: async (day: number, session: Session): Promise<Map<string, CashCount>> => {
      const stages = [
        { $match: { day: { $lt: day } } },
        { $sort: { cash_drawer: 1, _id: -1 } },
        { $group: { _id: '$cash_drawer', newest: { $first: '$$ROOT' } } },
      ];
      const found = await counts.aggregate<{ _id: string; newest: CountDocument }>(stages, { session }).toArray();
      return new Map(found.map(({ _id, newest }) => [_id, toCount(newest)]));
    },
    findByRequest: async (key: string): Promise<CashCount | null> => {
      const found = await counts.findOne({ request_key: key });
      return found && toCount(found);
    },
    /** Fetches one page of a cash drawer's counts, newest first. */
    listPage: async (
      cashDrawer: string,
      { below = Infinity, limit }: { below: number | undefined; limit: number },
    ): Promise<CashCount[]> => {
      const filter = { cash_drawer: cashDrawer, ...(below < Infinity && { _id: { $lt: below } }) };
      return (await counts.find(filter, { sort: { _id: -1 }, limit }).toArray()).map(toCount);
    },
    /** Finds the counts of a day, sorted by id. */
    findOfDay: async (day: number, session?: Session): Promise<CashCount[]> => {
      const options = { sort: { _id: 1 }, ...(session && { session }) } as const;
      return (await counts.find({ day }, options).toArray()).map(toCount);
    },
  };
}

const toDocument = (count: CashCount): CountDocument => ({
  _id: count.id,
  day: count.day,
  cash_drawer: count.cashDrawer,
  at: count.at,
  by: count.by,
  expected: count.expectedMinor === null ? null : money(count.expectedMinor),
  counted: money(count.countedMinor),
  difference: count.differenceMinor === null ? null : money(count.differenceMinor),
  left: money(count.leftMinor),
  to: count.to,
  ...toRequestFields(count.request),
});
const toCount = ({ _id: id, ...stored }: CountDocument): CashCount => ({
  id,
  day: stored.day,
  cashDrawer: stored.cash_drawer,
  at: stored.at,
  by: stored.by,
  expectedMinor: stored.expected === null ? null : signedMinor(stored.expected),
  countedMinor: minor(stored.counted),
  differenceMinor: stored.difference === null ? null : signedMinor(stored.difference),
  leftMinor: minor(stored.left),
  to: stored.to,
  request: toRequest(stored),
});
