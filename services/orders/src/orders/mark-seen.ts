import type { markSeen as contract } from '@comanda/contracts/orders';
import { Problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import { changeContextOf, changeOrder, type ChangeOrderDeps } from './change-order.ts';
import type { Order } from './order.ts';
import { recordSeen } from './order-events.ts';
import { markOrderSeen } from './order-rules.ts';

/** `POST /orders/seen`: stores when each order was first shown, and on which device. Ignores ids of orders that do not exist. */
export async function markSeen(deps: ChangeOrderDeps, call: Call<typeof contract>): Promise<void> {
  const { order_ids: ids, device } = call.body;
  const context = changeContextOf(call);
  const record = recordSeen(device);
  const apply = (order: Order, now: Date): Order => markOrderSeen(order, { device, now });
  await Promise.all(
    [...new Set(ids)].map((id) => changeOrder(deps, { id, context, apply, record }).catch(ignoreNotFound)),
  );
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
}
