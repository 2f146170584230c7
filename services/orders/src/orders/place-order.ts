import type { placeOrder as contract } from '@comanda/contracts/orders';
import { problem } from '@comanda/contracts/problem';
import { textKey } from '@comanda/contracts/text-key';
import type { Call } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { OrderWriter } from '../batch/order-writer.ts';
import type { Line, WrittenOrder } from '../batch/write.ts';
import { contextOf, idempotentRequestOf } from '../change-context.ts';
import type { OrdersConfig } from '../config.ts';
import { toMinor } from '../money.ts';
import type { OrderLocation } from './order.ts';

export type PlaceOrderDeps = {
  customerOrders: OrdersConfig['customerOrders'];
  writer: Pick<OrderWriter, 'write'>;
};
type PlaceOrderCall = Call<typeof contract>;

/**
 * `POST /orders`: places an order with all its lines, or rejects it and stores nothing. The order is durable when this returns: a
 * majority of the database's members has it in their journals.
 */
export async function placeOrder(
  { customerOrders, writer }: PlaceOrderDeps,
  call: PlaceOrderCall,
): Promise<WrittenOrder> {
  const { caller, body } = call;
  if (customerOrders === 'seated' && caller.role === 'customer' && caller.seating === undefined)
    throw problem('table_code_required');
  return writer.write({
    kind: 'place',
    context: contextOf(call),
    request: idempotentRequestOf(call),
    location: locationOf(caller, body),
    lines: body.items.map(toLine),
    allergies: body.allergies ?? null,
  });
}

/** Returns the order's table and seating. Guests order for those in their token. Only staff may select a seating, or set prices. */
function locationOf(caller: Caller, { table, seating, items }: PlaceOrderCall['body']): OrderLocation {
  const setsPrice = items.some(({ unit_price: price, measure }) => price !== undefined || measure !== undefined);
  if ((seating !== undefined || setsPrice) && caller.role === 'customer') throw problem('forbidden');
  if (caller.table === undefined) return { table: table ?? null, seating: seating ?? null };
  if (table !== undefined && textKey(table) !== textKey(caller.table ?? '')) throw problem('table_mismatch');
  return { table: caller.table ?? null, seating: caller.seating ?? null };
}

type Item = PlaceOrderCall['body']['items'][number];
const toLine = ({ item_id: id, name = '', quantity, remarks = '', options = [], unit_price, measure }: Item): Line => ({
  dish: id ?? name,
  quantity,
  remarks,
  options,
  unitPriceMinor: unit_price === undefined ? null : toMinor(unit_price),
  measure: measure ?? null,
});
