import type { BillStatus } from '@comanda/contracts/bill-query';
import type { PaymentMethod } from '@comanda/contracts/bill-payments';
import { money } from '../document-fields.ts';

/** The payment that a bill must have. Undefined fields match any payment. */
export type PaymentQuery = {
  /** The amount, with or without the tip. */
  amountMinor: number | undefined;
  method: PaymentMethod | undefined;
  /** The id of the user who recorded the payment. */
  recordedBy: number | undefined;
};
export type BillQuery = {
  /** Null for all bills. Otherwise, only the bills of this seating and the bills with these ids. */
  scope: { seating: number | null; ids: readonly number[] } | null;
  statuses: readonly BillStatus[];
  /** All stored spellings of one table's name. */
  tables: readonly string[] | undefined;
  seating: number | undefined;
  number: number | undefined;
  /** Only bills closed in the day with this number. */
  day: number | undefined;
  /** Only bills opened from this time on; undefined for no limit. */
  since: Date | undefined;
  /** Only bills opened before this time; undefined for no limit. */
  until: Date | undefined;
  payment: PaymentQuery;
  /** Only bills with a smaller id; undefined for the first page. */
  below: number | undefined;
};

/**
 * Returns the filter for bills. `ids` are bounds that follow from `since` and `until`: with them, a page is read from the index of
 * ids, or from an index that ends with the id, and never from all bills.
 */
export function billFilter(query: BillQuery, ids: { from: number; to: number }) {
  const { scope, statuses, tables, seating, number, day, since, until, payment, below = Infinity } = query;
  const ofSeating = scope?.seating == null ? [] : [{ seating: scope.seating }];
  return {
    status: { $in: [...statuses] },
    ...(tables !== undefined && { table: { $in: [...tables] } }),
    ...(seating !== undefined && { seating }),
    ...(number !== undefined && { number }),
    ...(day !== undefined && { day, $expr: { $eq: ['$closed_at', '$closing.closed_at'] } }),
    ...((since ?? until) && { created_at: { ...(since && { $gte: since }), ...(until && { $lt: until }) } }),
    ...boundsOf({ from: ids.from, to: Math.min(ids.to, below) }),
    ...paymentFilter(payment),
    ...(scope && { $and: [{ $or: [{ _id: { $in: [...scope.ids] } }, ...ofSeating] }] }),
  };
}

function boundsOf({ from, to }: { from: number; to: number }) {
  const bounds = { ...(from > 0 && { $gte: from }), ...(to < Infinity && { $lt: to }) };
  return Object.keys(bounds).length > 0 ? { _id: bounds } : {};
}

/**
 * Returns the filter for one payment. The amount occurs twice: inside `$elemMatch`, so that it belongs to the same payment as the
 * rest, and outside, where MongoDB can use indexes.
 */
function paymentFilter({ amountMinor, method, recordedBy }: PaymentQuery) {
  if (amountMinor === undefined && method === undefined && recordedBy === undefined) return {};
  const amount = amountMinor === undefined ? null : money(amountMinor);
  return {
    payments: {
      $elemMatch: {
        ...(method !== undefined && { method }),
        ...(recordedBy !== undefined && { 'recorded_by.id': recordedBy }),
        ...(amount && { $or: [{ amount }, { charged: amount }] }),
      },
    },
    ...(amount && { $or: [{ 'payments.amount': amount }, { 'payments.charged': amount }] }),
  };
}
