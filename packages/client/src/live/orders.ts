import type { OrderInEvent, OrderStatus } from '@comanda/contracts/order';
import { transitions } from '@comanda/contracts/transitions';
import { allowedTransitions } from './allowed-transitions.ts';
import type { CallOptions } from '../calls/call-types.ts';
import { createChangeDetector, createLiveList, nullIfNotFound, type LiveListDeps } from './list.ts';
import type { Live, LiveHandlers, LiveOrder } from './types.ts';
import type { Who } from '../session/session.ts';

/** How long finished orders stay in the list, in milliseconds, and how many at most. This lets a screen run for months. */
const finishedForMs = 12 * 3600 * 1000;
const maxFinished = 200;

const allStatuses = Object.keys(transitions) as OrderStatus[];
const isFinished = ({ status }: { status: OrderStatus }): boolean => status === 'delivered' || status === 'cancelled';

/** Follows orders, oldest first, each with the actions that the user may take. */
export function followLiveOrders(deps: LiveListDeps, handlers: LiveHandlers<'order'>): Live<'order'> {
  const wanted = handlers.statuses ?? allStatuses;
  const open = wanted.filter((status) => !isFinished({ status })).join();
  const finished = wanted.filter((status) => isFinished({ status })).join();
  const oldestFinished = (): string => new Date(list.feed.now() - finishedForMs).toISOString();

  /** Fetches open orders first, because guests are waiting for them. */
  async function* readOrders(callOptions: CallOptions): AsyncGenerator<LiveOrder[]> {
    if (open) yield* deps.pages('listOrders', { limit: 200, sort: 'created_at', status: open }, callOptions);
    if (!finished) return;
    const newestFirst = { limit: maxFinished, sort: '-created_at', status: finished, from: oldestFinished() } as const;
    yield await deps.calls.listOrders(newestFirst, callOptions);
  }
  function select(orders: readonly OrderInEvent[]): OrderInEvent[] {
    const from = oldestFinished();
    const who = deps.who();
    const isListed = (order: OrderInEvent): boolean => wanted.includes(order.status) && belongsTo(order, who);
    const listed = orders.filter(isListed).sort(byAge);
    const newestFinished = new Set(
      listed.filter((order) => isFinished(order) && order.created_at >= from).slice(-maxFinished),
    );
    return listed.filter((order) => !isFinished(order) || newestFinished.has(order));
  }
  const changesOf = createChangeDetector<LiveOrder>();
  const list = createLiveList<OrderInEvent>(deps, {
    handlers,
    readList: readOrders,
    readOne: (id, callOptions) => deps.calls.getOrder({ id }, callOptions).catch(nullIfNotFound),
    fromEvent: ({ data }) => ('order' in data ? data.order : null),
    known: handlers.known,
    checksum: 'open_orders',
    isCounted: (order) => !isFinished(order),
    select,
    onChange: (source) => {
      const orders = all();
      handlers.onChange(orders, changesOf(orders), source);
    },
  });
  function all(): LiveOrder[] {
    const who = deps.who();
    const now = list.feed.now();
    return list
      .shown()
      .map((order) => ({ ...order, allowed_transitions: who ? allowedTransitions(order, who, now) : [] }));
  }
  const { feed, isRead, isComplete, apply, remove, close } = list;
  return { all, feed, isRead, isComplete, apply, remove, close };
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
