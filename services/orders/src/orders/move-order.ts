import type { moveOrder as contract } from '@comanda/contracts/orders';
import type { Call } from '@comanda/shared/http/api';
import { changeContextOf, changeOrder, refuseByTag, type ChangeOrderDeps } from './change-order.ts';
import { recordTableChange } from './order-events.ts';
import { changeLocation } from './order-rules.ts';
import type { Order } from './order.ts';

/** `PUT /orders/{id}/table`: staff move the order to another table or seating. */
export function moveOrder(deps: ChangeOrderDeps, call: Call<typeof contract>): Promise<Order> {
  const { params, body } = call;
  const location = { table: body.table, seating: body.seating ?? null };
  return changeOrder(deps, {
    id: params.id,
    context: changeContextOf(call),
    apply: (order, now) => refuseByTag(order, call) ?? changeLocation(order, location, now),
    record: recordTableChange,
  });
}
