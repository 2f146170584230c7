import type { placeOrder as contract } from '@comanda/contracts/orders';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Line, Placement, WrittenOrder } from './order-batch.ts';
import type { OrderWriter } from './order-writer.ts';
import type { OrderLocation } from './order.ts';

export type PlaceOrderDeps = { writer: OrderWriter };
type PlaceOrderCall = Call<typeof contract>;

/** `POST /orders`: places a whole order, or refuses it with a problem and stores nothing. */
export async function placeOrder({ writer }: PlaceOrderDeps, call: PlaceOrderCall): Promise<WrittenOrder> {
  const { caller, body, context } = call;
  const placement: Placement = {
    placedBy: { id: caller.userId, name: caller.name, role: caller.role },
    location: locationOf(caller, body),
    lines: body.items.map(toLine),
    allergies: body.allergies ?? null,
    request: idempotentRequestOf(call),
    traceparent: context.traceparent,
  };

  // One transaction checks the menu and the pause, takes numbers and portions, and inserts the order with its event.
  // The order is durable when this returns: the commit is journaled by a majority of the database's members.
  return writer.place(placement);
}

/** Guests order at the table and seating of their token; only staff may name a seating. */
function locationOf(caller: Caller, { table, seating }: PlaceOrderCall['body']): OrderLocation {
  if (seating !== undefined && caller.role === 'customer') throw problem('forbidden');
  if (!caller.guest) return { table: table ?? null, seating: seating ?? null };
  if (table !== undefined && table !== caller.table) throw problem('table_mismatch');
  return { table: caller.table ?? null, seating: caller.seating ?? null };
}

type Item = PlaceOrderCall['body']['items'][number];
const toLine = ({ item_id: id, name = '', quantity, remarks = '' }: Item): Line => ({
  dish: id ?? name,
  quantity,
  remarks,
});

/** Stored keys are unique for their user. */
const idempotentRequestOf = ({ caller, idempotency }: PlaceOrderCall): IdempotentRequest | null =>
  idempotency && { ...idempotency, key: `${caller.userId}/${idempotency.key}` };
