import type { DayReport } from '@comanda/contracts/day';
import mongoose, { type Connection } from 'mongoose';
import type { Message } from '@comanda/shared/messaging/publisher';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Session } from '@comanda/shared/mongo/transactions';
import { requestFields, toRequest, toRequestFields, type RequestFields } from '../document-fields.ts';

/** A closed day: its report exactly as it was returned. The `_id` is its number. */
type DayDocument = RequestFields & WithOutbox & { _id: number; report: DayReport };
export const daySchema = collectionSchema<DayDocument>('days', {
  _id: { type: Number, required: true, min: 1 },
  report: { type: mongoose.Schema.Types.Mixed, required: true },
  ...requestFields,
  ...outboxFields,
})
  .index({ 'report.business_date': 1, _id: -1 }, { name: 'page_by_date' })
  .index(
    { request_key: 1 },
    { name: 'request_keys', unique: true, partialFilterExpression: { request_key: { $exists: true } } },
  )
  .index(...outboxIndex);

export type ClosedDay = { report: DayReport; request: IdempotentRequest | null };
export type DayStore = ReturnType<typeof createDayStore>;

/** Creates the store for closed days. Their reports are never changed or removed. */
export function createDayStore(connection: Connection) {
  const days = collectionOf(connection, daySchema);
  return {
    insert: async (
      { report, request }: ClosedDay,
      { message, session }: { message: Message; session: Session },
    ): Promise<void> => {
      const day = { _id: report.number, report, ...toRequestFields(request), outbox: [message] };
      await days.insertOne(day, { session });
    },
    find: async (number: number, session?: Session): Promise<DayReport | null> =>
      (await days.findOne({ _id: number }, { ...(session && { session }) }))?.report ?? null,
    /** Reads all reports, oldest first, each with the number under which it is stored. */
    readAll: () =>
      days.find({}, { sort: { _id: 1 } }).map(({ _id, report }): { number: number; report: DayReport } => ({
        number: _id,
        report,
      })),
    countBetween: (from: number, to: number): Promise<number> => days.countDocuments({ _id: { $gte: from, $lte: to } }),
    /**
     * Finds the number of the newest day below a number whose `business_date` is before this one, on the same weekday. A day that was
     * closed earlier on the same date is not what it is compared with. Null if there is none.
     */
    findNewestOfWeekday: async (date: string, below: number): Promise<number | null> => {
      const weekday = new Date(date).getUTCDay();
      const found = days.find(
        { _id: { $lt: below }, 'report.business_date': { $lt: date } },
        { sort: { _id: -1 }, projection: { 'report.business_date': 1 } },
      );
      for await (const { _id, report } of found) if (new Date(report.business_date).getUTCDay() === weekday) return _id;
      return null;
    },
    findByRequest: async (key: string, session?: Session): Promise<ClosedDay | null> => {
      const found = await days.findOne({ request_key: key }, { ...(session && { session }) });
      return found && { report: found.report, request: toRequest(found) };
    },
    /** Fetches one page of reports, newest first. `date`: only days with this `business_date`. */
    listPage: async ({
      date,
      below = Infinity,
      limit,
    }: {
      date: string | undefined;
      below: number | undefined;
      limit: number;
    }): Promise<DayReport[]> => {
      const filter = {
        ...(date !== undefined && { 'report.business_date': date }),
        ...(below < Infinity && { _id: { $lt: below } }),
      };
      return (await days.find(filter, { sort: { _id: -1 }, limit }).toArray()).map(({ report }) => report);
    },
  };
}
