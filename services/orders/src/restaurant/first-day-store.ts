import type { Connection } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { majorityWrites } from '@comanda/shared/mongo/connection';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session } from '@comanda/shared/mongo/transactions';
import { type DayBillStore, refundsMarginMs } from '../day/day-bill-store.ts';
import { toMarksDocument, type DayMarks } from '../day/running-day.ts';
import { restaurantSchema } from './restaurant-document.ts';

const timeLimitMs = 60_000;

/** Starts day 1 in one transaction on the counters, so that each write of the last release is before or after its start. */
export async function startFirstDayOf(connection: Connection, dayBills: DayBillStore): Promise<void> {
  const documents = collectionOf(connection, restaurantSchema);
  const start = async (session: Session): Promise<void> => {
    const isWithoutDay = { _id: 'orders', day_number: { $exists: false } } as const;
    const before = await documents.findOneAndUpdate(isWithoutDay, { $set: { day_number: 1 } }, { session });
    if (!before) return;
    const openedAt = new Date();
    const marks: DayMarks = {
      paymentId: before.last_payment_id ?? 0,
      inFlight: await dayBills.findInFlight(session),
      billNumber: before.last_bill_number ?? 0,
      openNumbered: await dayBills.findOpenNumbered(session),
      refundsSince: openedAt,
      refundedBefore: await dayBills.findRefundedIds(new Date(openedAt.getTime() - 2 * refundsMarginMs), session),
      unsettledMinor: await dayBills.sumUnsettled(session),
    };
    const day = {
      day_opened_at: openedAt,
      day_bill_number: marks.billNumber,
      day_order_id: before.last_order_id ?? 0,
      day_marks: toMarksDocument(marks),
    };
    await documents.updateOne({ _id: 'orders' }, { $set: day }, { session });
  };
  await retryOnConflict({ deadline: performance.now() + timeLimitMs }, async () => {
    const session = connection.getClient().startSession();
    try {
      session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: majorityWrites });
      await start(session);
      await session.commitTransaction();
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction();
      throw error;
    } finally {
      await session.endSession();
    }
  });
}
