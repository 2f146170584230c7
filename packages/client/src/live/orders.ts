import type { Order, OrderInEvent, OrderStatus } from '@comanda/contracts/order';
import { transitions } from '@comanda/contracts/transitions';
import { allowedTransitions } from './allowed-transitions.ts';
import type { Server, Source } from './resources.ts';
import type { Who } from '../session/session.ts';

/** How long finished orders stay in the list, in milliseconds, and how many at most. This lets a screen run for months. */
const finishedForMs = 12 * 3600 * 1000;
const maxFinished = 200;

const allStatuses = Object.keys(transitions) as OrderStatus[];
const isFinished = ({ status }: { status: OrderStatus }): boolean => status === 'delivered' || status === 'cancelled';

/** The user's orders with these statuses, oldest first, each with the actions that the user may take. */
export function orderSource({ calls, pages, who, now }: Server, wanted: readonly OrderStatus[] = allStatuses) {
  const open = wanted.filter((status) => !isFinished({ status })).join();
  const finished = wanted.filter((status) => isFinished({ status })).join();
  const oldestFinished = (): string => new Date(now() - finishedForMs).toISOString();
  const source: Source<Order> = {
    /** Loads open orders first, because guests wait for them. */
    load: async function* loadOrders(options) {
      if (open) yield* pages('listOrders', { limit: 200, sort: 'created_at', status: open }, options);
      if (!finished) return;
      const newestFirst = {
        limit: maxFinished,
        sort: '-created_at',
        status: finished,
        from: oldestFinished(),
      } as const;
      yield await calls.listOrders(newestFirst, options);
    },
    loadOne: (id, options) => calls.getOrder({ id }, options),
    idOf: ({ id }) => id,
    versionOf: ({ version }) => version,
    // `show` adds the allowed transitions, which events lack.
    rowIn: ({ data }) => ('order' in data ? { ...data.order, allowed_transitions: [] } : null),
    select: (orders) => {
      const [from, user] = [oldestFinished(), who()];
      const listed = orders.filter((order) => wanted.includes(order.status) && belongsTo(order, user)).sort(byAge);
      const kept = listed.filter((order) => isFinished(order) && order.created_at >= from).slice(-maxFinished);
      const newestFinished = new Set(kept);
      return listed.filter((order) => !isFinished(order) || newestFinished.has(order));
    },
    show: (order) => {
      const user = who();
      return { ...order, allowed_transitions: user ? allowedTransitions(order, user, now()) : [] };
    },
    checksum: { name: 'open_orders', includes: (order) => !isFinished(order) },
  };
  return source;
}

/**
 * Checks whether the order belongs in the user's list, by the server's rule. An order that was moved to another table disappears
 * for guests at its old seating.
 */
function belongsTo({ placed_by: placedBy, seating }: OrderInEvent, who: Who | null): boolean {
  if (who?.role !== 'customer' || placedBy.id === who.userId) return true;
  return who.seating !== undefined && seating === who.seating;
}

const byAge = (a: OrderInEvent, b: OrderInEvent): number => a.created_at.localeCompare(b.created_at) || a.id - b.id;
