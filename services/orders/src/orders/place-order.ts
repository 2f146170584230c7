import { placeOrder as contract } from '@comanda/shared/contracts/orders';
import { problem } from '@comanda/shared/contracts/problems';
import type { Call, Reply } from '@comanda/shared/http/api';
import { callHash } from '@comanda/shared/http/call-hash';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { OrderDesk } from './order-desk.ts';
import type { KeyedCall } from './order-store.ts';
import { standingOf, tagOf, toWireOrder } from './order.ts';
import type { Place } from './order.ts';

type PlaceCall = Call<typeof contract>;

/** `POST /orders`: the order is stored, numbered and on its way to the kitchen, or refused whole. */
export async function placeOrder(desk: OrderDesk, call: PlaceCall): Promise<Reply<ReturnType<typeof toWireOrder>>> {
  const { caller, body, context } = call;
  const { order, replayed } = await desk.submit({
    by: { id: caller.userId, name: caller.name, role: caller.role },
    place: placeOf(caller, body),
    lines: body.items.map(({ item_id: id, name = '', quantity, remarks = '' }) => ({
      dish: id ?? name,
      quantity,
      remarks,
    })),
    allergies: body.allergies ?? null,
    call: keyedCall(call),
    traceparent: context.traceparent,
  });
  return {
    status: 201,
    body: toWireOrder(order, { standing: standingOf(order, caller) ?? 'owner', now: new Date() }),
    headers: {
      Location: `/orders/${order.id}`,
      ETag: tagOf(order),
      ...(replayed && { 'Idempotent-Replayed': 'true' }),
    },
  };
}

/** A guest's is what the token says; only staff may say which seating. */
function placeOf(caller: Caller, { table, seating }: PlaceCall['body']): Place {
  if (seating !== undefined && caller.role === 'customer') throw problem('forbidden');
  if (!caller.guest) return { table: table ?? null, seating: seating ?? null };
  if (table !== undefined && table !== caller.table) throw problem('table_mismatch');
  return { table: caller.table ?? null, seating: caller.seating ?? null };
}

function keyedCall({ caller, idempotencyKey: key, body }: PlaceCall): KeyedCall | null {
  if (key === undefined) return null;
  const { method, path } = contract;
  return { key: `${caller.userId}/${key}`, hash: callHash({ userId: caller.userId, method, path, key, body }) };
}
