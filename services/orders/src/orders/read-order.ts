import type { getOrder, getOrderHistory, historyEntry } from '@comanda/contracts/orders';
import type { Order as WireOrder } from '@comanda/contracts/orders';
import { problem } from '@comanda/contracts/problems';
import type { Infer } from '@comanda/contracts/schema';
import type { Call, Reply } from '@comanda/shared/http/api';
import type { OrderStore } from './order-store.ts';
import { isNamedBy, viewerRoleOf, tagOf, toWireOrder } from './order.ts';

/** `GET /orders/{id}`: 304 where `If-None-Match` has it already; what the caller may not see is not there. */
export async function readOrder(
  orders: OrderStore,
  { caller, params, header }: Call<typeof getOrder>,
): Promise<Reply<WireOrder>> {
  const order = await orders.one(params.id);
  const viewerRole = order && viewerRoleOf(order, caller);
  if (!order || !viewerRole) throw problem('not_found');
  const headers = { ETag: tagOf(order) };
  if (isNamedBy(header('If-None-Match'), order, 'weak')) return { status: 304, headers };
  return { status: 200, body: toWireOrder(order, { viewerRole, now: new Date() }), headers };
}

/** `GET /orders/{id}/history`: oldest first, for those who may see the order. */
export async function readHistory(
  orders: OrderStore,
  { caller, params }: Call<typeof getOrderHistory>,
): Promise<Infer<typeof historyEntry>[]> {
  const found = await orders.withHistory(params.id);
  if (!found || !viewerRoleOf(found.order, caller)) throw problem('not_found');
  return found.history.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
}
