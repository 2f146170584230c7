/** The last numbers in use. Tickets count from 1 on each business `day`. */
export type Counters = { orderId: number; itemId: number; day: string; ticket: number };

/** How many numbers of each kind to take. */
export type NumbersToTake = { orders: number; items: number };

/** The counters on `day`. Tickets restart on a later day; a clock that is behind does not bring back an earlier day. */
export const onBusinessDay = (counters: Counters, day: string): Counters =>
  day > counters.day ? { ...counters, day, ticket: 0 } : counters;

/** The counters after so many numbers were taken on the same day. */
export const afterTaking = (counters: Counters, { orders, items }: NumbersToTake): Counters => ({
  ...counters,
  orderId: counters.orderId + orders,
  itemId: counters.itemId + items,
  ticket: counters.ticket + orders,
});
