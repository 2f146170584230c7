import type { updateOrder as contract } from '@comanda/contracts/orders';
import type { Call } from '@comanda/shared/http/api';
import { changeContextOf, changeOrder, refuseByTag, type ChangeOrderDeps } from './change-order.ts';
import { recordStatusChange } from './order-events.ts';
import { changeOrderStatus, refuseByRole } from './order-rules.ts';
import { viewerRoleOf, type Order } from './order.ts';

/** `PUT /orders/{id}`: staff change the status as the transitions allow; the owner may cancel a received order. */
export function updateOrder(deps: ChangeOrderDeps, call: Call<typeof contract>): Promise<Order> {
  const { params, body, caller } = call;
  return changeOrder(deps, {
    id: params.id,
    context: changeContextOf(call, body.reason),
    apply: (order, now) => {
      const viewerRole = viewerRoleOf(order, caller);
      if (!viewerRole) return null;
      const refusal = refuseByRole(body.status, viewerRole) ?? refuseByTag(order, call);
      return refusal ?? changeOrderStatus(order, { to: body.status, viewerRole, now });
    },
    record: recordStatusChange,
  });
}
