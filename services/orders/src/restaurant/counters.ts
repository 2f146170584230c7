/** The last numbers used. Tickets start at 1 on each business `day`. */
export type Counters = {
  orderId: number;
  itemId: number;
  day: string;
  ticket: number;
  billId: number;
  paymentId: number;
  /** The number of the last closed bill. A bill gets its number when it is closed for the first time. */
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

/** Returns the next date, for example `2026-12-01` for `2026-11-30`. */
export const dayAfter = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

/**
 * Returns the counters for `day`. Tickets restart on a later day. A clock that is slightly behind doesn't bring back the day
 * before. If the counters are more than a day ahead, some clock was wrong. In that case, the real day is restored and tickets
 * continue until the next day.
 */
export function onBusinessDay(counters: Counters, day: string): Counters {
  if (day > counters.day) return { ...counters, day, ticket: 0 };
  return Date.parse(counters.day) - Date.parse(day) > dayMs ? { ...counters, day } : counters;
}

/** Returns the counters after these numbers were taken on the same day. */
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
