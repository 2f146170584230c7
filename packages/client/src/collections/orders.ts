import type { Order, OrderInEvent, OrderStatus } from '@comanda/contracts/order';
import { transitions } from '@comanda/contracts/transitions';
import { allowedTransitions } from '../live/allowed-transitions.ts';
import type { Source } from '../live/source.ts';
import type { Who } from '../session/session.ts';

/** Limits for the finished orders in the list, so that a screen can run for months. */
type Finished = {
  /** How long a finished order stays in the list after it was placed, in milliseconds. The default is 12 hours. */
  forMs?: number;
  /** The maximum number of finished orders in the list. The default is 200. */
  max?: number;
};

const allStatuses = Object.keys(transitions) as OrderStatus[];
const isFinished = ({ status }: { status: OrderStatus }): boolean => status === 'delivered' || status === 'cancelled';

/** The user's orders with these statuses, oldest first. Each order contains the status changes that the user may make. */
export function ordersWith(
  wanted: readonly OrderStatus[],
  { forMs = 12 * 3600 * 1000, max = 200 }: Finished = {},
): Source<Order> {
  const open = wanted.filter((status) => !isFinished({ status })).join();
  const finished = wanted.filter((status) => isFinished({ status })).join();
  const oldestFinished = (nowMs: number): string => new Date(nowMs - forMs).toISOString();
  return {
    name: 'orders',
    /** Loads open orders before finished ones, because guests are waiting for them. */
    load: async function* loadOrders({ pages, now }, options) {
      if (open) yield* pages('listOrders', { limit: 200, sort: 'created_at', status: open }, options);
      if (!finished) return;
      const newestFirst = { limit: 200, sort: '-created_at', status: finished, from: oldestFinished(now()) } as const;
      let left = max;
      for await (const page of pages('listOrders', newestFirst, options)) {
        yield page;
        left -= page.length;
        if (left <= 0) return;
      }
    },
    loadOne: ({ calls }, id, options) => calls.getOrder({ id }, options),
    idOf: ({ id }) => id,
    versionOf: ({ version }) => version,
    /** The response has only the order that the items are in now. */
    changedByCalls: { moveItems: (moved, { id }) => (moved.id === id ? null : id) },
    // `show` adds the allowed transitions, which events lack.
    rowIn: ({ data }) => ('order' in data ? { ...data.order, allowed_transitions: [] } : null),
    select: (orders, { who, now }) => {
      const [from, user] = [oldestFinished(now()), who()];
      const listed = orders.filter((order) => wanted.includes(order.status) && belongsTo(order, user)).sort(byAge);
      const kept = listed.filter((order) => isFinished(order) && order.created_at >= from).slice(-max);
      const newestFinished = new Set(kept);
      return listed.filter((order) => !isFinished(order) || newestFinished.has(order));
    },
    show: (order, { who, now }) => {
      const user = who();
      return { ...order, allowed_transitions: user ? allowedTransitions(order, user, now()) : [] };
    },
    ...(open
      ? { checksum: { name: 'open_orders', includes: (order) => !isFinished(order) } }
      : { compareEveryMs: 300_000 }),
  };
}
/** The user's open orders, and the newest 200 finished orders from the last 12 hours, oldest first. */
export const orders: Source<Order> = ordersWith(allStatuses);

/**
 * Checks whether the order belongs in the user's list, by the same rule as the server. An order that was moved to another table
 * disappears for other guests at its old seating.
 */
function belongsTo({ placed_by: placedBy, seating }: OrderInEvent, who: Who | null): boolean {
  if (who?.role !== 'customer' || placedBy.id === who.userId) return true;
  return who.seating !== undefined && seating === who.seating;
}

const byAge = (a: OrderInEvent, b: OrderInEvent): number => a.created_at.localeCompare(b.created_at) || a.id - b.id;
