import type { DayMarksDocument } from '../restaurant/restaurant-document.ts';
import { toMinor, fromMinor } from '../money.ts';

/** Where the search for what an instance of the last release has written starts: see `DayMarksDocument`. */
export type DayMarks = {
  paymentId: number;
  inFlight: readonly number[];
  billNumber: number;
  openNumbered: readonly number[];
  refundsSince: Date;
  refundedBefore: readonly number[];
  /** What open bills had been paid when day 1 started. */
  unsettledMinor: number;
};
/** The running day, as the counters have it. */
export type RunningDay = {
  number: number;
  openedAt: Date;
  /** The last number that a bill got before this day. */
  billNumberBefore: number;
  /** The id of the last order before this day. */
  orderIdBefore: number;
  marks: DayMarks;
  /** The last id of an entry (a movement, count or exception) and of a payment, the last number of a bill, and the id of the last order. */
  last: { entryId: number; paymentId: number; billNumber: number; orderId: number };
};

export const toMarks = (stored: DayMarksDocument): DayMarks => ({
  paymentId: stored.payment_id,
  inFlight: stored.in_flight,
  billNumber: stored.bill_number,
  openNumbered: stored.open_numbered,
  refundsSince: stored.refunds_since,
  refundedBefore: stored.refunded_before,
  unsettledMinor: toMinor(stored.unsettled),
});
export const toMarksDocument = (marks: DayMarks): DayMarksDocument => ({
  payment_id: marks.paymentId,
  in_flight: [...marks.inFlight],
  bill_number: marks.billNumber,
  open_numbered: [...marks.openNumbered],
  refunds_since: marks.refundsSince,
  refunded_before: [...marks.refundedBefore],
  unsettled: fromMinor(marks.unsettledMinor),
});
