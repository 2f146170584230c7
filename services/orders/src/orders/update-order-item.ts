import type { updateOrderItem as contract } from '@comanda/contracts/orders';
import type { Call } from '@comanda/shared/http/api';
import { changeContextOf, changeOrder, refuseByTag, type ChangeOrderDeps } from './change-order.ts';
import { recordStatusChange } from './order-events.ts';
import { changeItemStatus } from './order-rules.ts';
import type { Order } from './order.ts';

/** `PUT /orders/{id}/items/{item_id}`: staff change the status of one item, and the order's status follows. */
export function updateOrderItem(deps: ChangeOrderDeps, call: Call<typeof contract>): Promise<Order> {
  const { params, body } = call;
  return changeOrder(deps, {
    id: params.id,
    context: changeContextOf(call, body.reason),
    apply: (order, now) =>
      refuseByTag(order, call) ?? changeItemStatus(order, { itemId: params.item_id, to: body.status, now }),
    record: recordStatusChange,
  });
}
