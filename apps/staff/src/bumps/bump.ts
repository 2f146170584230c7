import type { OrderStatus } from '@comanda/contracts/order';
import { isBefore, statusOf } from '@comanda/contracts/transitions';
import type { LiveOrder } from '@comanda/client/core';
import { dishText, type Ticket } from './ticket.ts';

/** So long the newest bump can be taken back beside what it has done. */
export const undoForMs = 8_000;

type ItemMove = { itemId: number; from: OrderStatus; to: OrderStatus };

/** What somebody did to one ticket at this screen: moves of its items. */
export type Bump = {
  id: string;
  orderId: number;
  ticket: number;
  table: string | null;
  moves: readonly ItemMove[];
  /** On the board: the dishes that it moves, in words (`2 Feijoada`). */
  dishes?: readonly string[];
  /** Whether the whole ticket was bumped, not one dish. */
  isTicket?: boolean;
  /** The whole order moves to this status in one call; null if its items move one by one. */
  wholeOrderTo: OrderStatus | null;
  /** The order's version that the person saw; null if what the person saw was an earlier bump, not yet answered. */
  version: number | null;
  /** The server's time. */
  atMs: number;
};
type Made = { id: string; atMs: number; version: number | null };
/** The status after this one, as the station is set; null if nothing follows. */
type Next = (status: OrderStatus) => OrderStatus | null;

const path: readonly OrderStatus[] = ['received', 'preparing', 'ready', 'delivered'];

/** The statuses after `from` up to `to`, forward or back. */
export function statusesBetween(from: OrderStatus, to: OrderStatus): OrderStatus[] {
  const [start, end] = [path.indexOf(from), path.indexOf(to)];
  return start <= end ? path.slice(start + 1, end + 1) : path.slice(end, start).reverse();
}

/**
 * The bump of a whole ticket: every item that lags moves to the ticket's next status. Where nothing follows for the ticket, as
 * for an expediter who waits for one of its dishes, those move on for which something does. Null if there is none.
 */
export function bumpTicket(ticket: Ticket, order: LiveOrder, { next, ...made }: Made & { next: Next }): Bump | null {
  const open = ticket.items.filter(({ status }) => status !== 'cancelled');
  const to = next(ticket.status) ?? open.map(({ status }) => next(status)).find((each) => each !== null);
  if (!to) return null;
  const moves = open
    .filter(({ status }) => isBefore(status, to) && next(status) !== null)
    .map(({ id, status }) => ({ itemId: id, from: status, to }));
  // The items of other stations stay where they are, so that only an order of one station moves as a whole.
  const isWhole = !ticket.shared && moves.length === open.filter(({ status }) => isBefore(status, to)).length;
  return bumpOf(order, { ...made, moves, isTicket: true, wholeOrderTo: isWhole ? to : null });
}

/** One item to its next status: `previousStatus` as `next` moves it back. Null if there is none. */
export function bumpItem(
  order: LiveOrder,
  { itemId, next, ...made }: Made & { itemId: number; next: Next },
): Bump | null {
  const item = order.items.find(({ id }) => id === itemId);
  const to = item && next(item.status);
  if (!item || !to) return null;
  return bumpOf(order, { ...made, moves: [{ itemId, from: item.status, to }], isTicket: false, wholeOrderTo: null });
}

/** The bump that takes another one back. */
export const undoOf = (bump: Bump, made: Made): Bump => ({
  ...bump,
  ...made,
  moves: bump.moves.map(({ itemId, from, to }) => ({ itemId, from: to, to: from })),
  wholeOrderTo: null,
});

const bumpOf = (order: LiveOrder, rest: Made & Pick<Bump, 'moves' | 'wholeOrderTo'> & { isTicket: boolean }): Bump => ({
  orderId: order.id,
  ticket: order.ticket,
  table: order.table,
  dishes: order.items.filter(({ id }) => rest.moves.some(({ itemId }) => itemId === id)).map(dishText),
  ...rest,
});

/** The order as it will stand once the server has made these bumps. */
export function withBumps(order: LiveOrder, bumps: readonly Bump[]): LiveOrder {
  const moved = new Map(
    bumps
      .filter(({ orderId }) => orderId === order.id)
      .flatMap(({ moves }) => moves.map((move) => [move.itemId, move])),
  );
  if (moved.size === 0) return order;
  const items = order.items.map((item) => {
    const move = moved.get(item.id);
    return move && item.status !== 'cancelled' ? { ...item, status: move.to } : item;
  });
  return { ...order, items, status: statusOf(items) };
}
