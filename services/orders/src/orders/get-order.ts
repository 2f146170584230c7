import type { getOrder as contract } from '@comanda/contracts/orders';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { OrderArchiveStore } from './order-archive-store.ts';
import type { OrderStore } from './order-store.ts';
import { viewerRoleOf, type Order } from './order.ts';

export type GetOrderDeps = { orders: OrderStore; archive: Pick<OrderArchiveStore, 'find'> };

/** `GET /orders/{id}`: returns one order. @throws 404 `not_found` if it does not exist or the caller may not see it */
export async function getOrder(
  { orders, archive }: GetOrderDeps,
  { caller, params }: Call<typeof contract>,
): Promise<Order> {
  const order = (await orders.find(params.id)) ?? (await archive.find(params.id))?.order;
  if (!order || !viewerRoleOf(order, caller)) throw problem('not_found');
  return order;
}
