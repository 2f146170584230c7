import { findLast } from '@comanda/contracts/collections';
import { CallFailure, type Answer, type Client } from '@comanda/client/core';
import type { Order, OrderStatus } from '@comanda/contracts/order';
import { statusesBetween, type Bump } from './bump.ts';

type Calls = Pick<Client['calls'], 'getOrder' | 'getOrderHistory' | 'updateOrder' | 'updateOrderItem'>;
type Change = Answer<'getOrderHistory'>[number];
type Options = { userId: number; signal: AbortSignal };
export type BumpOutcome =
  | { kind: 'made'; order: Order }
  /** Another person has made the same move, or a conflicting one; `by` is their change, if it is known. */
  | { kind: 'overtaken'; by: Change | undefined };

/**
 * Applies a bump's moves on the server, if the order still has the version that the person saw (`If-Match`). A bump whose
 * response was lost may be sent again: moves that were already applied are not repeated.
 * @throws CallFailure if the server can't be reached or rejects a move
 */
export async function sendBump(calls: Calls, bump: Bump, { userId, signal }: Options): Promise<BumpOutcome> {
  const { orderId, moves, wholeOrderTo, version } = bump;
  const once = { repeat: 'never', signal } as const;
  const forVersion = (seen: number) => ({ ...once, ifMatch: tagOf(orderId, seen) });
  try {
    // If a response was lost, some steps may already be applied, so a bump with several steps starts from the order's current
    // status.
    const isOneStep = moves.every(({ from, to }) => statusesBetween(from, to).length === 1);
    if (wholeOrderTo !== null && version !== null && isOneStep) {
      return { kind: 'made', order: await moveWhole(wholeOrderTo, version) };
    }
    const [move] = moves;
    if (moves.length === 1 && move && version !== null && isOneStep) {
      const made = await unlessChanged(moveItem(move.itemId, move.to, version));
      if (made) return { kind: 'made', order: made };
    }
    let order = await calls.getOrder({ id: orderId }, once);
    if (!isOnItsWay(order, bump) || isDone(order, bump)) return await overtaken();
    while (!isDone(order, bump)) {
      // Another station may bump its own dishes between two steps.
      order = (await unlessChanged(nextStep(order))) ?? (await calls.getOrder({ id: orderId }, once));
      if (!isOnItsWay(order, bump)) return await overtaken();
    }
    return { kind: 'made', order };
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    if (!error.is('version_mismatch') && !error.is('illegal_transition')) throw error;
    return overtaken();
  }

  function moveWhole(status: OrderStatus, seenVersion: number): Promise<Order> {
    return calls.updateOrder({ id: orderId, status }, forVersion(seenVersion));
  }
  function moveItem(itemId: number, status: OrderStatus, seenVersion: number): Promise<Order> {
    return calls.updateOrderItem({ id: orderId, item_id: itemId, status }, forVersion(seenVersion));
  }
  /** Makes the next step from the order's status on the server. */
  function nextStep(order: Order): Promise<Order> {
    const next = (from: OrderStatus, to: OrderStatus): OrderStatus => statusesBetween(from, to)[0] ?? to;
    const lagging = moves.find(({ itemId, to }) => statusOfItem(order, itemId) !== to);
    if (wholeOrderTo !== null) return moveWhole(next(order.status, wholeOrderTo), order.version);
    if (!lagging) return Promise.resolve(order);
    return moveItem(lagging.itemId, next(statusOfItem(order, lagging.itemId), lagging.to), order.version);
  }
  /** Returns `made` if the last change was this user's own, because the response to an earlier attempt was lost. */
  async function overtaken(): Promise<BumpOutcome> {
    const order = await calls.getOrder({ id: orderId }, once);
    const history = await calls.getOrderHistory({ id: orderId }, once);
    const by = findLast(history, ({ what }) => what === 'status');
    return isDone(order, bump) && by?.actor.id === userId ? { kind: 'made', order } : { kind: 'overtaken', by };
  }
}

/** Returns the order after this change; null if the order was changed in the meantime, perhaps only in another item. */
async function unlessChanged(change: Promise<Order>): Promise<Order | null> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof CallFailure && error.is('version_mismatch')) return null;
    throw error;
  }
}

/** Returns an order's ETag, which contains its version. */
export const tagOf = (orderId: number, version: number): string => `"${orderId}-${version}"`;

const statusOfItem = (order: Order, itemId: number): Order['status'] =>
  order.items.find(({ id }) => id === itemId)?.status ?? 'cancelled';

const isDone = (order: Order, { moves }: Bump): boolean =>
  moves.every(({ itemId, to }) => statusOfItem(order, itemId) === to);

/** Returns true if every item is where the person saw it or on the way from there, for example after an interrupted attempt. */
const isOnItsWay = (order: Order, { moves }: Bump): boolean =>
  moves.every(({ itemId, from, to }) => [from, ...statusesBetween(from, to)].includes(statusOfItem(order, itemId)));
