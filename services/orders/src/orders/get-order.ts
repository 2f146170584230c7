import type { getOrder as contract } from '@comanda/contracts/orders';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { OrderStore } from './order-store.ts';
import { viewerRoleOf, type Order } from './order.ts';

export type GetOrderDeps = { orders: OrderStore };

/** `GET /orders/{id}`. @throws 404 `not_found` if it does not exist or the caller may not see it */
export async function getOrder({ orders }: GetOrderDeps, { caller, params }: Call<typeof contract>): Promise<Order> {
  const order = await orders.find(params.id);
  if (!order || !viewerRoleOf(order, caller)) throw problem('not_found');
  return order;
}
