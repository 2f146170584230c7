import type { updateOrderItem as contract } from '@comanda/contracts/orders';
import type { Call } from '@comanda/shared/http/api';
import { contextOf } from '../change-context.ts';
import { changeOrder, type ChangeOrderDeps } from './change-order.ts';
import type { OrderChange } from './order-rules.ts';
import type { Order } from './order.ts';

/**
 * `PUT /orders/{id}/items/{item_id}`: changes the status of one item, or cancels a part of it.
 * @throws 404 `not_found`; 422 `unprocessable_content` if `quantity_left` doesn't fit; the reason why the change is rejected; 503
 * `service_unavailable`
 */
export function changeOrderItem(deps: ChangeOrderDeps, call: Call<typeof contract>): Promise<Order> {
  const { params, body, caller } = call;
  const { status: to, quantity_left: quantityLeft, reason } = body;
  const item = { itemId: params.item_id, to, caller, ifMatch: call.header('If-Match') };
  const change: OrderChange =
    quantityLeft === undefined ? { kind: 'item_status', ...item } : { kind: 'item_part', ...item, quantityLeft };
  return changeOrder(deps, { id: params.id, change, context: contextOf(call, reason) });
}
