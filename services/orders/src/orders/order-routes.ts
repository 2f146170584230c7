import { getOrder, listOrders as list, placeOrder as place, updateOrder } from '@comanda/shared/contracts/orders';
import type { Api } from '@comanda/shared/http/api';
import type { ChangeOrder } from './change-order.ts';
import { listOrders } from './list-orders.ts';
import { moveOrderTo } from './move-order.ts';
import type { OrderDesk } from './order-desk.ts';
import type { OrderStore } from './order-store.ts';
import { placeOrder } from './place-order.ts';
import { readOrder } from './read-order.ts';

type Needs = { orders: OrderStore; desk: OrderDesk; changeOrder: ChangeOrder };

export function serveOrders({ handle }: Api, { orders, desk, changeOrder }: Needs): void {
  handle(place, (call) => placeOrder(desk, call));
  handle(getOrder, (call) => readOrder(orders, call));
  handle(list, (call) => listOrders(orders, call));
  handle(updateOrder, (call) => moveOrderTo(changeOrder, call));
}
