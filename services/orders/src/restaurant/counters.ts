/** The last numbers that were assigned. Tickets start again at 1 on each business `day`, a date such as `2026-11-30`. */
export type Counters = {
  orderId: number;
  itemId: number;
  day: string;
  ticket: number;
  billId: number;
  paymentId: number;
  /** The number of the last bill that was closed for the first time. Bills get their numbers at that moment. */
  billNumber: number;
  /** The id of the last exception. */
  movementId: number;
};

export type NumbersToTake = {
  orders: number;
  items: number;
  tickets: number;
  bills: number;
  payments: number;
  billNumbers: number;
  movements: number;
};

const dayMs = 86_400_000;

/** Returns the date after this one: `2026-12-01` for `2026-11-30`. */
export const dayAfter = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

/**
 * Returns the counters for `day`. If `day` is later than the counters' day, tickets start again. If it is one day earlier, this
 * clock is slightly behind, and the counters keep their day. If it is even earlier, another clock was far ahead: the counters get
 * the real day, and tickets continue until the next day.
 */
export function onBusinessDay(counters: Counters, day: string): Counters {
  if (day > counters.day) return { ...counters, day, ticket: 0 };
  return Date.parse(counters.day) - Date.parse(day) > dayMs ? { ...counters, day } : counters;
}

/** Returns the counters after these numbers were taken, without a change of day. */
export const afterTaking = (counters: Counters, taken: NumbersToTake): Counters => ({
  ...counters,
  orderId: counters.orderId + taken.orders,
  itemId: counters.itemId + taken.items,
  ticket: counters.ticket + taken.tickets,
  billId: counters.billId + taken.bills,
  paymentId: counters.paymentId + taken.payments,
  billNumber: counters.billNumber + taken.billNumbers,
  movementId: counters.movementId + taken.movements,
});
