import type { By } from './order-events.ts';
import type { Changed } from './order-moves.ts';
import type { OrderWrite } from './order-store.ts';
import type { Order } from './order.ts';

/** Something that is to be done to an order that is there; it may be applied again, to what the order is by then. */
export type Change = {
  id: number;
  by: By;
  /** Null: the caller is not to know that there is such an order. */
  apply: (order: Order, now: Date) => Changed | null;
  /** What is stored with the write. */
  record: (before: Order, after: Order, by: By) => Omit<OrderWrite, 'order'>;
};
