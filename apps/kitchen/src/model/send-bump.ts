import { CallFailure } from '@comanda/client';
import type { Answer, Client } from '@comanda/client';
import type { Order } from '@comanda/contracts/orders';
import { statusesBetween } from './bump.ts';
import type { Bump, ItemMove } from './bump.ts';

type Calls = Pick<Client['calls'], 'getOrder' | 'getOrderHistory' | 'updateOrder' | 'updateOrderItem'>;
type Change = Answer<'getOrderHistory'>[number];
export type BumpOutcome =
  | { kind: 'made'; order: Order }
  /** Somebody else had made the same move, or another one that does not go together with it. */
  | { kind: 'overtaken'; by: Change | undefined };

/**
 * Makes the moves of a bump on the server, for the order as the person saw it (`If-Match`). A bump whose answer was lost may be
 * sent again: moves that were made are not made twice.
 * @throws CallFailure if the server could not be reached or refuses
 */
export async function sendBump(calls: Calls, bump: Bump, userId: number): Promise<BumpOutcome> {
  const { orderId, moves, wholeOrderTo, version } = bump;
  try {
    if (wholeOrderTo !== null && version !== null) {
      const ifMatch = tagOf(orderId, version);
      return { kind: 'made', order: await calls.updateOrder({ id: orderId, status: wholeOrderTo }, { ifMatch }) };
    }
    const [move] = moves;
    if (moves.length === 1 && move && version !== null) {
      const made = await moveAsSeen(move, version);
      if (made) return { kind: 'made', order: made };
    }
    let order = await calls.getOrder({ id: orderId });
    if (!isOnItsWay(order, bump) || isDone(order, bump)) return await overtaken();
    if (wholeOrderTo !== null) {
      const ifMatch = tagOf(orderId, order.version);
      return { kind: 'made', order: await calls.updateOrder({ id: orderId, status: wholeOrderTo }, { ifMatch }) };
    }
    for (const { itemId, to } of moves)
      for (const status of statusesBetween(statusOfItem(order, itemId), to))
        order = await calls.updateOrderItem(
          { id: orderId, item_id: itemId, status },
          { ifMatch: tagOf(orderId, order.version) },
        );
    return { kind: 'made', order };
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    if (error.code !== 'version_mismatch' && error.code !== 'illegal_transition') throw error;
    return overtaken();
  }

  /** One item of the order as the person saw it. Null if the order has changed: maybe in another item only. */
  async function moveAsSeen({ itemId, to }: ItemMove, seenVersion: number): Promise<Order | null> {
    try {
      const item = { id: orderId, item_id: itemId, status: to };
      return await calls.updateOrderItem(item, { ifMatch: tagOf(orderId, seenVersion) });
    } catch (error) {
      if (error instanceof CallFailure && error.code === 'version_mismatch') return null;
      throw error;
    }
  }
  /** The last change was this user's own if the answer to an earlier try was lost. */
  async function overtaken(): Promise<BumpOutcome> {
    const [order, history] = [await calls.getOrder({ id: orderId }), await calls.getOrderHistory({ id: orderId })];
    const by = history.findLast(({ what }) => what === 'status');
    return isDone(order, bump) && by?.actor.id === userId ? { kind: 'made', order } : { kind: 'overtaken', by };
  }
}

/** An order's version makes its tag. */
export const tagOf = (orderId: number, version: number): string => `"${orderId}-${version}"`;

const statusOfItem = (order: Order, itemId: number): Order['status'] =>
  order.items.find(({ id }) => id === itemId)?.status ?? 'cancelled';

const isDone = (order: Order, { moves }: Bump): boolean =>
  moves.every(({ itemId, to }) => statusOfItem(order, itemId) === to);

/** Whether every item stands where the person saw it or on its way from there, as after an earlier try that broke off. */
const isOnItsWay = (order: Order, { moves }: Bump): boolean =>
  moves.every(({ itemId, from, to }) => [from, ...statusesBetween(from, to)].includes(statusOfItem(order, itemId)));
