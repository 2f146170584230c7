import type { getOrderHistory as contract, historyEntry } from '@comanda/contracts/orders';
import { problem } from '@comanda/contracts/problem';
import type { Infer } from '@comanda/contracts/schema';
import type { Call } from '@comanda/shared/http/api';
import type { GetOrderDeps } from './get-order.ts';
import { viewerRoleOf, type HistoryEntry } from './order.ts';

/**
 * `GET /orders/{id}/history`: returns all changes, oldest first. Customers see no names except their own.
 * @throws 404 `not_found` if the order does not exist or the caller may not see it
 */
export async function getOrderHistory(
  { orders, archive }: GetOrderDeps,
  { caller, params }: Call<typeof contract>,
): Promise<Infer<typeof historyEntry>[]> {
  const stored = (await orders.findWithHistory(params.id)) ?? (await archive.find(params.id));
  if (!stored || !viewerRoleOf(stored.order, caller)) throw problem('not_found');
  const isNamed = ({ actor }: HistoryEntry): boolean => caller.role !== 'customer' || actor.id === caller.userId;
  return stored.history.map((entry) => {
    const { id, name, role } = entry.actor;
    return { ...entry, at: entry.at.toISOString(), actor: { id, role, ...(isNamed(entry) && { name }) } };
  });
}
