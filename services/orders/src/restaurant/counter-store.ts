import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import { dayAfter, type Counters, type NumbersToTake } from './counters.ts';
import { restaurantSchema, toSettings, withoutProfile, type RestaurantDocument } from './restaurant-document.ts';
import { toMarks, toMarksDocument, type DayMarks, type RunningDay } from '../day/running-day.ts';
import type { RestaurantSettings } from './restaurant-settings.ts';

type Taken = {
  counters: Counters;
  /** The number of the running day. */
  day: number;
  settings: RestaurantSettings;
  /** The id of the last batch of any instance, or a random id if a seating has ended since. Null before the first batch. */
  lastBatch: string | null;
  /** The highest number of a seating that has had an order. Seatings with higher numbers have no orders. */
  newestSeating: number;
  /** The highest number of a seating that has ended. Seatings with higher numbers have not ended. */
  newestEnded: number;
};
type NumbersFor = { batch: string; today: string; seatings: readonly number[]; session: Session };

/**
 * Returns the business day that the last ticket belongs to. If `day` is later than the end of our business day, the previous
 * release has already started a new day.
 */
const dayOf = ({ day = '', business_day: own }: RestaurantDocument): string =>
  own !== undefined && day <= dayAfter(own) ? own : day;

type NextDay = { number: number; openedAt: Date; billNumber: number; orderId: number; marks: DayMarks };

function toRunningDay(stored: RestaurantDocument | null): RunningDay {
  if (!stored?.day_number || !stored.day_opened_at || !stored.day_marks) throw new Error('The running day is missing.');
  return {
    number: stored.day_number,
    openedAt: stored.day_opened_at,
    billNumberBefore: stored.day_bill_number ?? 0,
    orderIdBefore: stored.day_order_id ?? 0,
    marks: toMarks(stored.day_marks),
    last: {
      entryId: stored.last_movement_id ?? 0,
      paymentId: stored.last_payment_id ?? 0,
      billNumber: stored.last_bill_number ?? 0,
      orderId: stored.last_order_id ?? 0,
    },
  };
}

export type CounterStore = ReturnType<typeof createCounterStore>;

/**
 * Creates the store for the counters of orders, bills, payments and exceptions. The counters are also a lock: while a transaction
 * uses them, no seating can end.
 */
export function createCounterStore(connection: Connection) {
  const documents = collectionOf(connection, restaurantSchema);
  return {
    /**
     * Takes numbers for `batch` on the business day `today`. The batch may create bills for `seatings`. Returns the counters as
     * they were before. Until the transaction ends, it conflicts with any other transaction that takes numbers.
     */
    takeNumbers: async (numbers: NumbersToTake, { batch, today, seatings, session }: NumbersFor): Promise<Taken> => {
      const before = await documents.findOneAndUpdate(
        { _id: 'orders' },
        {
          $inc: {
            last_order_id: numbers.orders,
            last_item_id: numbers.items,
            last_ticket: numbers.tickets,
            last_bill_id: numbers.bills,
            last_payment_id: numbers.payments,
            last_bill_number: numbers.billNumbers,
            last_movement_id: numbers.movements,
          },
          $set: { last_batch: batch },
          $max: { newest_seating: Math.max(0, ...seatings), business_day: today, day: dayAfter(today) },
        },
        { session, returnDocument: 'before', projection: withoutProfile },
      );
      if (before?.newest_seating === undefined || before.newest_ended_seating === undefined)
        throw new Error('The counters of orders are missing.');
      const counters = {
        orderId: before.last_order_id ?? 0,
        itemId: before.last_item_id ?? 0,
        day: dayOf(before),
        ticket: before.last_ticket ?? 0,
        billId: before.last_bill_id ?? 0,
        paymentId: before.last_payment_id ?? 0,
        billNumber: before.last_bill_number ?? 0,
        movementId: before.last_movement_id ?? 0,
      };
      const { settings, last_batch: lastBatch = null } = before;
      const seatingNumbers = { newestSeating: before.newest_seating, newestEnded: before.newest_ended_seating };
      const day = before.day_number ?? 1;
      return { counters, day, settings: toSettings(settings), lastBatch, ...seatingNumbers };
    },
    /**
     * Takes `entries` ids, at least 1, for movements and counts. Returns the running day and the id before the first one. Until the
     * transaction ends, it conflicts with any other transaction that takes numbers. `searched`: where the next search for payments and
     * refunds without their movement starts.
     */
    takeEntryIds: async (
      entries: number,
      session: Session,
      { searched }: { searched?: DayMarks } = {},
    ): Promise<RunningDay> => {
      const marks = searched && toMarksDocument(searched);
      const taken = {
        $inc: { last_movement_id: entries },
        ...(marks && {
          $set: {
            'day_marks.payment_id': marks.payment_id,
            'day_marks.in_flight': marks.in_flight,
            'day_marks.refunds_since': marks.refunds_since,
          },
        }),
      };
      const before = await documents.findOneAndUpdate({ _id: 'orders' }, taken, { session, returnDocument: 'before' });
      return toRunningDay(before);
    },
    /** Reads the running day without taking numbers. */
    readDay: async (session?: Session): Promise<RunningDay> =>
      toRunningDay(await documents.findOne({ _id: 'orders' }, { ...(session && { session }) })),
    /** Starts the day after the running one. */
    startNextDay: async (
      { number, openedAt, billNumber, orderId, marks }: NextDay,
      session: Session,
    ): Promise<void> => {
      const next = {
        day_number: number,
        day_opened_at: openedAt,
        day_bill_number: billNumber,
        day_order_id: orderId,
        day_marks: toMarksDocument(marks),
      };
      await documents.updateOne({ _id: 'orders' }, { $set: next }, { session });
    },
    /** Corrects the counters after a batch was decided. Call this in the transaction that took the numbers. */
    updateCounters: async (counters: Counters, session: Session): Promise<void> => {
      const numbers = {
        last_order_id: counters.orderId,
        last_item_id: counters.itemId,
        business_day: counters.day,
        day: dayAfter(counters.day),
        last_ticket: counters.ticket,
        last_bill_id: counters.billId,
        last_payment_id: counters.paymentId,
        last_bill_number: counters.billNumber,
        last_movement_id: counters.movementId,
      };
      await documents.updateOne({ _id: 'orders' }, { $set: numbers }, { session });
    },
    /**
     * Marks the end of a seating. Until the transaction ends, it conflicts with any transaction that takes numbers. Every later
     * batch sees the mark, so no process continues with an outdated cache.
     */
    markSeatingEnded: async (seating: number, session: Session): Promise<void> => {
      const mark = {
        $inc: { seatings_ended: 1 },
        $max: { newest_ended_seating: seating },
        $set: { last_batch: randomUUID() },
      };
      await documents.updateOne({ _id: 'orders' }, mark, { session });
    },
  };
}
