import type { OrderStatus } from '@comanda/contracts/order';
import { isBefore, statusOf } from '@comanda/contracts/transitions';
import type { LiveOrder } from '@comanda/client/core';
import { kitchenText, type Ticket } from './ticket.ts';

/** How long the newest bump can be undone with the button on the board, in milliseconds. */
export const undoForMs = 8_000;

type ItemMove = { itemId: number; from: OrderStatus; to: OrderStatus };

/** What someone did to one ticket on this screen: the items that moved, and their statuses. */
export type Bump = {
  id: string;
  orderId: number;
  ticket: number;
  table: string | null;
  moves: readonly ItemMove[];
  /** The dishes that the bump moves, as text such as `2 Feijoada`. Absent for bumps by waiters. */
  dishes?: readonly string[];
  /** True if the whole ticket was bumped, false if only one dish was. */
  isTicket?: boolean;
  /** The status to which the whole order moves in one call; null if its items move one by one. */
  wholeOrderTo: OrderStatus | null;
  /** The order's version that the person saw; null if an earlier bump of this order has no response yet. */
  version: number | null;
  /** When the bump was made, in milliseconds by the server's clock. */
  atMs: number;
};
type Made = { id: string; atMs: number; version: number | null };
/** Returns the status after this one according to the station's settings; null if there is none. */
type Next = (status: OrderStatus) => OrderStatus | null;

const path: readonly OrderStatus[] = ['received', 'preparing', 'ready', 'delivered'];

/** Returns the statuses after `from`, up to and including `to`, forward or back. */
export function statusesBetween(from: OrderStatus, to: OrderStatus): OrderStatus[] {
  const [start, end] = [path.indexOf(from), path.indexOf(to)];
  return start <= end ? path.slice(start + 1, end + 1) : path.slice(end, start).reverse();
}

/**
 * Returns the bump of a whole ticket, which moves every item that lags behind to the ticket's next status. If the ticket has no
 * next status, as at an expediter with an unfinished dish, the items that have one move on. Null if none has.
 */
export function bumpTicket(ticket: Ticket, order: LiveOrder, { next, ...made }: Made & { next: Next }): Bump | null {
  const open = ticket.items.filter(({ status }) => status !== 'cancelled');
  const to = next(ticket.status) ?? open.map(({ status }) => next(status)).find((each) => each !== null);
  if (!to) return null;
  const moves = open
    .filter(({ status }) => isBefore(status, to) && next(status) !== null)
    .map(({ id, status }) => ({ itemId: id, from: status, to }));
  // Items of other stations don't move, so the order moves as a whole only if this station cooks all of it.
  const isWhole = !ticket.shared && moves.length === open.filter(({ status }) => isBefore(status, to)).length;
  return bumpOf(order, { ...made, moves, isTicket: true, wholeOrderTo: isWhole ? to : null });
}

/**
 * Returns the bump that moves one item to its next status; null if there is none. With `previousStatus` as `next`, the item moves
 * back.
 */
export function bumpItem(
  order: LiveOrder,
  { itemId, next, ...made }: Made & { itemId: number; next: Next },
): Bump | null {
  const item = order.items.find(({ id }) => id === itemId);
  const to = item && next(item.status);
  if (!item || !to) return null;
  return bumpOf(order, { ...made, moves: [{ itemId, from: item.status, to }], isTicket: false, wholeOrderTo: null });
}

/** Returns the bump that undoes another one. */
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
  dishes: order.items.filter(({ id }) => rest.moves.some(({ itemId }) => itemId === id)).map(kitchenText),
  ...rest,
});

/** Returns the order as it will be once the server has applied these bumps. */
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
