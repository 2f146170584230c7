import type { remakeItem as contract } from '@comanda/contracts/order-items';
import type { Call } from '@comanda/shared/http/api';
import type { WrittenOrder } from '../batch/write.ts';
import { contextOf, idempotentRequestOf } from '../change-context.ts';
import { oneChangeAtATime, type ChangeOrderDeps } from './change-order.ts';
import { findReplay, type FindReplayDeps } from './find-replay.ts';
import { asPlaced } from './order.ts';

/**
 * `POST /orders/{id}/items/{item_id}/remake`: places an order with the item again, free of charge.
 * @throws 404 `not_found`; 409 `illegal_transition` if the item is cancelled, `seating_closed`; 422 `unprocessable_content` if it
 * has fewer units; 503 `service_unavailable`
 */
export function remakeItem(
  { orders, archive, writer, mutex }: Pick<ChangeOrderDeps, 'orders' | 'writer' | 'mutex'> & FindReplayDeps,
  call: Call<typeof contract>,
): Promise<WrittenOrder> {
  const { id, item_id: itemId } = call.params;
  const { quantity, reason } = call.body;
  const request = idempotentRequestOf(call);
  return oneChangeAtATime(mutex, id, async () => {
    const order = await orders.find(id);
    if (!order) return { order: asPlaced(await findReplay({ orders, archive }, { id, request })), replayed: true };
    // Without the item, because it has moved to another order, only an earlier request with the same key is found.
    const dishIds = order.items.flatMap((item) => (item.id === itemId ? item.itemId : []));
    return writer.write({
      kind: 'remake',
      context: contextOf(call, reason),
      request,
      id,
      version: order.version,
      itemId,
      dishIds,
      seating: order.seating,
      billId: order.billId,
      quantity,
      reason,
    });
  });
}
