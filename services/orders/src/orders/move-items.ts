import type { moveItems as contract } from '@comanda/contracts/order-items';
import type { Call } from '@comanda/shared/http/api';
import type { WrittenOrder } from '../batch/write.ts';
import { contextOf, idempotentRequestOf } from '../change-context.ts';
import { oneChangeAtATime, type ChangeOrderDeps } from './change-order.ts';
import { findReplay, type FindReplayDeps } from './find-replay.ts';

/**
 * `POST /orders/{id}/move-items`: moves items to another table, with their lines of the bill. Returns the order that has them
 * now.
 * @throws 404 `not_found`; 412 `version_mismatch`; 422 `unprocessable_content` if an item can't move; 409 `seating_closed`, or why
 * the bill rejects the move; 503 `service_unavailable`
 */
export function moveItems(
  { orders, archive, writer, mutex }: Pick<ChangeOrderDeps, 'orders' | 'writer' | 'mutex'> & FindReplayDeps,
  call: Call<typeof contract>,
): Promise<WrittenOrder> {
  const { id } = call.params;
  const { items, table, seating = null } = call.body;
  const request = idempotentRequestOf(call);
  return oneChangeAtATime(mutex, id, async () => {
    const order = await orders.find(id);
    if (!order) return { order: await findReplay({ orders, archive }, { id, request }), replayed: true };
    return writer.write({
      kind: 'move_items',
      context: contextOf(call),
      request,
      id,
      version: order.version,
      billId: order.billId,
      items,
      to: { table, seating },
      ifMatch: call.header('If-Match'),
    });
  });
}
