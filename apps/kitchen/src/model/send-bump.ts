import { CallFailure } from '@comanda/client';
import type { Client } from '@comanda/client';
import type { Order, OrderStatus } from '@comanda/contracts/orders';
import { isBefore } from '@comanda/contracts/transitions';
import type { Bump } from './bump-queue.ts';
import { nextStatus } from './ticket.ts';

type Calls = Pick<Client['calls'], 'getOrder' | 'updateOrder' | 'updateOrderItem'>;

/**
 * Makes the move of a bump on the server, for the order as the person saw it (`If-Match`). If the answer to an earlier try was
 * lost, the order stands where the bump wanted it: then nothing is sent.
 * @throws CallFailure with the server's reason; `version_mismatch` if somebody else has changed the order
 */
export async function sendBump(calls: Calls, bump: Bump): Promise<void> {
  const { orderId, itemIds, to, version } = bump;
  try {
    if (itemIds === null) {
      await calls.updateOrder({ id: orderId, status: to }, { ifMatch: tagOf(orderId, version) });
      return;
    }
    let current = version;
    for (const [itemId, status] of stepsOf(await calls.getOrder({ id: orderId }), bump)) {
      const order = await calls.updateOrderItem(
        { id: orderId, item_id: itemId, status },
        { ifMatch: tagOf(orderId, current) },
      );
      current = order.version;
    }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    if (error.code !== 'version_mismatch' && error.code !== 'illegal_transition') throw error;
    if (!standsAt(await calls.getOrder({ id: orderId }), bump)) throw error;
  }
}

/** An order's version makes its tag. */
const tagOf = (orderId: number, version: number): string => `"${orderId}-${version}"`;

const bumpedItems = (order: Order, { itemIds }: Bump): Order['items'] =>
  order.items.filter(({ id, status }) => status !== 'cancelled' && (itemIds === null || itemIds.includes(id)));

const standsAt = (order: Order, bump: Bump): boolean =>
  bumpedItems(order, bump).every(({ status }) => status === bump.to);

/** The moves of single items, one status after the other, that bring each to where the bump wants it. */
function stepsOf(order: Order, bump: Bump): [itemId: number, status: OrderStatus][] {
  const forward = isBefore(bump.from, bump.to);
  return bumpedItems(order, bump).flatMap(({ id, status }): [number, OrderStatus][] => {
    if (!forward) return status === bump.from ? [[id, bump.to]] : [];
    const steps: [number, OrderStatus][] = [];
    let at: OrderStatus | null = status;
    while (at !== null && isBefore(at, bump.to)) {
      at = nextStatus(at);
      if (at !== null) steps.push([id, at]);
    }
    return steps;
  });
}
