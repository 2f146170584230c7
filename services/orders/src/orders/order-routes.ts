import {
  getOrder,
  getOrderHistory,
  listOrders as list,
  markSeen as seen,
  moveOrder,
  placeOrder as place,
  updateOrder,
  updateOrderItem,
} from '@comanda/contracts/orders';
import type { Order as WireOrder } from '@comanda/contracts/orders';
import type { Api, Reply } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { ChangeOrder } from './change-order.ts';
import { listOrders } from './list-orders.ts';
import { markSeen } from './mark-seen.ts';
import { moveItemTo, moveOrderTo, moveToTable } from './move-order.ts';
import type { OrderDesk } from './order-desk.ts';
import type { OrderStore } from './order-store.ts';
import { viewerRoleOf, tagOf, toWireOrder } from './order.ts';
import type { Order } from './order.ts';
import { placeOrder } from './place-order.ts';
import { readHistory, readOrder } from './read-order.ts';

type Needs = { orders: OrderStore; desk: OrderDesk; changeOrder: ChangeOrder };

export function serveOrders({ handle }: Api, { orders, desk, changeOrder }: Needs): void {
  handle(place, async (call) => {
    const { order, replayed } = await placeOrder(desk, call);
    const { body, headers } = show(order, call.caller);
    return { status: 201, body, headers: { ...headers, Location: `/orders/${order.id}` }, replayed };
  });
  handle(getOrder, (call) => readOrder(orders, call));
  handle(list, (call) => listOrders(orders, call));
  handle(updateOrder, async (call) => show(await moveOrderTo(changeOrder, call), call.caller));
  handle(updateOrderItem, async (call) => show(await moveItemTo(changeOrder, call), call.caller));
  handle(moveOrder, async (call) => show(await moveToTable(changeOrder, call), call.caller));
  handle(seen, async (call) => {
    await markSeen(changeOrder, call);
    return { status: 204 };
  });
  handle(getOrderHistory, async (call) => ({ status: 200, body: await readHistory(orders, call) }));
}

/** The order as `caller` may see it, with its tag. */
const show = (order: Order, caller: Caller): Reply<WireOrder> & { body: WireOrder } => ({
  status: 200,
  body: toWireOrder(order, { viewerRole: viewerRoleOf(order, caller) ?? 'other', now: new Date() }),
  headers: { ETag: tagOf(order) },
});
