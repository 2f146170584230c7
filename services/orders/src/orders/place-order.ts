import { placeOrder as contract } from '@comanda/contracts/orders';
import { problem } from '@comanda/contracts/problems';
import type { Call } from '@comanda/shared/http/api';
import { requestFingerprint } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Done } from './order-batch.ts';
import type { OrderDesk } from './order-desk.ts';
import type { IdempotentRequest } from './order-store.ts';
import type { Place } from './order.ts';

type PlaceCall = Call<typeof contract>;

/** `POST /orders`: the order is stored, numbered and on its way to the kitchen, or refused whole. */
export const placeOrder = async (desk: OrderDesk, call: PlaceCall): Promise<Done> =>
  desk.place({
    by: { id: call.caller.userId, name: call.caller.name, role: call.caller.role },
    place: placeOf(call.caller, call.body),
    lines: call.body.items.map(({ item_id: id, name = '', quantity, remarks = '' }) => ({
      dish: id ?? name,
      quantity,
      remarks,
    })),
    allergies: call.body.allergies ?? null,
    call: keyedCall(call),
    traceparent: call.context.traceparent,
  });

/** A guest's is what the token says; only staff may say which seating. */
function placeOf(caller: Caller, { table, seating }: PlaceCall['body']): Place {
  if (seating !== undefined && caller.role === 'customer') throw problem('forbidden');
  if (!caller.guest) return { table: table ?? null, seating: seating ?? null };
  if (table !== undefined && table !== caller.table) throw problem('table_mismatch');
  return { table: caller.table ?? null, seating: caller.seating ?? null };
}

function keyedCall({ caller, idempotencyKey: key, body }: PlaceCall): IdempotentRequest | null {
  if (key === undefined) return null;
  const { method, path } = contract;
  return {
    key: `${caller.userId}/${key}`,
    hash: requestFingerprint({ userId: caller.userId, method, path, key, body }),
  };
}
