import * as items from '@comanda/contracts/order-items';
import * as contract from '@comanda/contracts/orders';
import type { Order as OrderResponse } from '@comanda/contracts/order';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import type { Reply } from '@comanda/shared/http/reply';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { WrittenOrder } from '../batch/write.ts';
import { contextOf } from '../change-context.ts';
import { changeOrderItem } from './change-order-item.ts';
import { changeOrder, type ChangeOrderDeps } from './change-order.ts';
import { getOrderHistory } from './get-order-history.ts';
import { getOrder, type GetOrderDeps } from './get-order.ts';
import { listOrders, type ListOrdersDeps } from './list-orders.ts';
import { markSeen } from './mark-seen.ts';
import { moveItems } from './move-items.ts';
import { toOrderResponse } from './order-response.ts';
import { matchesTag, tagOf, viewerRoleOf, type Order } from './order.ts';
import { placeOrder, type PlaceOrderDeps } from './place-order.ts';
import { remakeItem } from './remake-item.ts';

export type OrderRouteDeps = PlaceOrderDeps & ChangeOrderDeps & ListOrdersDeps & GetOrderDeps;

export function registerOrderRoutes({ handle }: Api, deps: OrderRouteDeps): void {
  const { clock } = deps;
  /** Returns the order as `caller` may see it. */
  const responseOf = (order: Order, caller: Caller): OrderResponse =>
    toOrderResponse(order, { viewerRole: viewerRoleOf(order, caller) ?? 'other', now: new Date(clock()) });
  const replyWith = (order: Order, caller: Caller): Reply<OrderResponse> => ({
    status: 200,
    body: responseOf(order, caller),
    headers: { ETag: tagOf(order) },
  });

  const replyWithNew = ({ order, replayed }: WrittenOrder, caller: Caller) => ({
    status: 201 as const,
    body: responseOf(order, caller),
    headers: { ETag: tagOf(order), Location: `/orders/${order.id}` },
    replayed,
  });

  handle(contract.placeOrder, async (call) => {
    return replyWithNew(await placeOrder(deps, call), call.caller);
  });
  handle(contract.getOrder, async (call) => {
    const order = await getOrder(deps, call);
    const isUnchanged = matchesTag(order, { header: call.header('If-None-Match'), comparison: 'weak' });
    return isUnchanged ? { status: 304, headers: { ETag: tagOf(order) } } : replyWith(order, call.caller);
  });
  handle(contract.listOrders, async (call) => {
    const { orders, next, databaseEpoch } = await listOrders(deps, call);
    const body = orders.map((order) => responseOf(order, call.caller));
    const link = nextLink(contract.listOrders.path, call.query, next);
    return { status: 200, body, headers: { 'Database-Epoch': databaseEpoch, ...link } };
  });
  handle(contract.getOrderHistory, async (call) => ({ status: 200, body: await getOrderHistory(deps, call) }));
  handle(contract.updateOrder, async (call) => {
    const { params, body, caller } = call;
    const change = { kind: 'status', to: body.status, caller, ifMatch: call.header('If-Match') } as const;
    const context = contextOf(call, body.reason);
    return replyWith(await changeOrder(deps, { id: params.id, change, context }), caller);
  });
  handle(contract.updateOrderItem, async (call) => {
    return replyWith(await changeOrderItem(deps, call), call.caller);
  });
  handle(contract.moveOrder, async (call) => {
    const { params, body, caller } = call;
    const to = { table: body.table, seating: body.seating ?? null };
    const change = { kind: 'location', to, ifMatch: call.header('If-Match') } as const;
    return replyWith(await changeOrder(deps, { id: params.id, change, context: contextOf(call) }), caller);
  });
  handle(items.moveItems, async (call) => {
    const written = await moveItems(deps, call);
    const { order, replayed } = written;
    const isSame = order.id === call.params.id;
    return isSame ? { ...replyWith(order, call.caller), replayed } : replyWithNew(written, call.caller);
  });
  handle(items.remakeItem, async (call) => replyWithNew(await remakeItem(deps, call), call.caller));
  handle(contract.markAllergiesRead, async (call) => {
    const change = { kind: 'allergies_read', stations: call.body.stations ?? null } as const;
    const context = contextOf(call);
    return replyWith(await changeOrder(deps, { id: call.params.id, change, context }), call.caller);
  });
  handle(contract.markSeen, async (call) => {
    await markSeen(deps, call);
    return { status: 204 };
  });
}
