import type { markSeen as contract } from '@comanda/contracts/orders';
import { Problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import { contextOf } from '../change-context.ts';
import { changeOrder, type ChangeOrderDeps } from './change-order.ts';

/**
 * `POST /orders/seen`: stores when each order was first shown at these stations, and on which device. Ignores ids of orders that
 * do not exist.
 */
export async function markSeen(deps: ChangeOrderDeps, call: Call<typeof contract>): Promise<void> {
  const { order_ids: ids, device, stations = null } = call.body;
  const change = { kind: 'seen', device, stations } as const;
  const context = contextOf(call);
  await Promise.all([...new Set(ids)].map((id) => changeOrder(deps, { id, change, context }).catch(ignoreNotFound)));
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
}
