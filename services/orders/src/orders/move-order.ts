import type { updateOrder } from '@comanda/shared/contracts/orders';
import type { Order as WireOrder } from '@comanda/shared/contracts/orders';
import { problem } from '@comanda/shared/contracts/problems';
import type { Call, Reply } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { ChangeOrder } from './change-order.ts';
import { recordMoves } from './order-events.ts';
import { moveOrder, refusalByRole } from './order-moves.ts';
import { isNamedBy, standingOf, tagOf, toWireOrder } from './order.ts';
import type { Order } from './order.ts';

/** `PUT /orders/{id}`: staff move it by the table; its owner may cancel it while it is received. */
export async function moveOrderTo(changeOrder: ChangeOrder, call: Call<typeof updateOrder>): Promise<Reply<WireOrder>> {
  const { caller, params, body, header, context } = call;
  const order = await changeOrder({
    id: params.id,
    by: { actor: { id: caller.userId, role: caller.role }, traceparent: context.traceparent, reason: body.reason },
    apply: (before, now) => {
      const standing = standingOf(before, caller);
      if (!standing) return null;
      const refusal = refusalByRole(body.status, standing) ?? refusalByTag(before, header('If-Match'));
      return refusal ?? moveOrder(before, body.status, { standing, now });
    },
    record: recordMoves,
  });
  return answer(order, caller);
}

/** 412 where the caller has seen another version than the one that is there. */
export const refusalByTag = (order: Order, ifMatch: string | undefined) =>
  ifMatch === undefined || isNamedBy(ifMatch, order, 'strong') ? null : problem('version_mismatch');

export const answer = (order: Order, caller: Caller): Reply<WireOrder> => ({
  status: 200,
  body: toWireOrder(order, { standing: standingOf(order, caller) ?? 'other', now: new Date() }),
  headers: { ETag: tagOf(order) },
});
