/** The last used numbers. Tickets count from 1 on each business `day`. */
export type Counters = {
  orderId: number;
  itemId: number;
  day: string;
  ticket: number;
  billId: number;
  paymentId: number;
  /** The number of the last bill that was closed for the first time. */
  billNumber: number;
  /** The id of the last exception. */
  movementId: number;
};

export type NumbersToTake = {
  orders: number;
  items: number;
  bills: number;
  payments: number;
  billNumbers: number;
  movements: number;
};

const dayMs = 86_400_000;

/** The next date, for example `2026-12-01` after `2026-11-30`. */
export const dayAfter = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

/**
 * The counters on `day`. Tickets restart on a later day. A clock that is a little behind does not go back to the day before. If
 * the counters are more than a day ahead, a clock had jumped. Then the real day comes back and tickets continue, and they restart
 * on the next day.
 */
export function onBusinessDay(counters: Counters, day: string): Counters {
  if (day > counters.day) return { ...counters, day, ticket: 0 };
  return Date.parse(counters.day) - Date.parse(day) > dayMs ? { ...counters, day } : counters;
}

/** The counters after taking these numbers on the same day. */
export const afterTaking = (counters: Counters, taken: NumbersToTake): Counters => ({
  ...counters,
  orderId: counters.orderId + taken.orders,
  itemId: counters.itemId + taken.items,
  ticket: counters.ticket + taken.orders,
  billId: counters.billId + taken.bills,
  paymentId: counters.paymentId + taken.payments,
  billNumber: counters.billNumber + taken.billNumbers,
  movementId: counters.movementId + taken.movements,
});
