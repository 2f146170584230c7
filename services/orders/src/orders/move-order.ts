import type { moveOrder as moveContract, updateOrder, updateOrderItem } from '@comanda/contracts/orders';
import { problem } from '@comanda/contracts/problems';
import type { Problem } from '@comanda/contracts/problems';
import type { Call } from '@comanda/shared/http/api';
import type { ChangeOrder } from './change-order.ts';
import { recordMoves, recordPlace } from './order-events.ts';
import type { By } from './order-events.ts';
import { moveItem, moveOrder, moveToPlace, refusalByRole } from './order-moves.ts';
import { isNamedBy, viewerRoleOf } from './order.ts';
import type { Order } from './order.ts';

type Asked = Pick<Call<typeof moveContract>, 'caller' | 'context' | 'header'>;

const byWhom = ({ caller, context }: Asked, reason?: string): By => ({
  actor: { id: caller.userId, role: caller.role },
  traceparent: context.traceparent,
  reason,
});

/** 412 where the caller has seen another version than the one that is there. */
function refusalByTag(order: Order, { header }: Asked): Problem | null {
  const ifMatch = header('If-Match');
  return ifMatch === undefined || isNamedBy(ifMatch, order, 'strong') ? null : problem('version_mismatch');
}

/** `PUT /orders/{id}`: staff move it as the table of moves has it; its owner may cancel it while it is received. */
export const moveOrderTo = (changeOrder: ChangeOrder, call: Call<typeof updateOrder>): Promise<Order> =>
  changeOrder({
    id: call.params.id,
    by: byWhom(call, call.body.reason),
    apply: (order, now) => {
      const viewerRole = viewerRoleOf(order, call.caller);
      if (!viewerRole) return null;
      const { status } = call.body;
      const refusal = refusalByRole(status, viewerRole) ?? refusalByTag(order, call);
      return refusal ?? moveOrder(order, status, { viewerRole, now });
    },
    record: recordMoves,
  });

/** `PUT /orders/{id}/items/{item_id}`: one item moves, the order's status follows. */
export const moveItemTo = (changeOrder: ChangeOrder, call: Call<typeof updateOrderItem>): Promise<Order> =>
  changeOrder({
    id: call.params.id,
    by: byWhom(call, call.body.reason),
    apply: (order, now) =>
      refusalByTag(order, call) ?? moveItem(order, { itemId: call.params.item_id, to: call.body.status }, now),
    record: recordMoves,
  });

/** `PUT /orders/{id}/table`: the order is at another table. */
export const moveToTable = (changeOrder: ChangeOrder, call: Call<typeof moveContract>): Promise<Order> =>
  changeOrder({
    id: call.params.id,
    by: byWhom(call),
    apply: (order, now) =>
      refusalByTag(order, call) ??
      moveToPlace(order, { table: call.body.table, seating: call.body.seating ?? null }, now),
    record: recordPlace,
  });
