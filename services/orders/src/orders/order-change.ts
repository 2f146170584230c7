import { problem } from '@comanda/contracts/problem';
import type { Problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { updateOrder } from '@comanda/contracts/orders';
import type { ChangeContext, ChangeRecord } from './order-events.ts';
import type { ChangedOrder } from './order-rules.ts';
import { matchesTag } from './order.ts';
import type { Order } from './order.ts';

/** A change of an existing order. It may be applied again, to a newer version of the order. */
export type OrderChange = {
  id: number;
  context: ChangeContext;
  /** Returns null if the caller must not learn that the order exists. */
  apply: (order: Order, now: Date) => ChangedOrder | null;
  /** What is stored with the write. */
  record: (before: Order, after: Order, context: ChangeContext) => ChangeRecord;
};

type ChangeCall = Pick<Call<typeof updateOrder>, 'caller' | 'context' | 'header'>;

export const changeContextOf = ({ caller, context }: ChangeCall, reason?: string): ChangeContext => ({
  actor: { id: caller.userId, name: caller.name, role: caller.role },
  traceparent: context.traceparent,
  reason,
});

/** Refuses with 412 if `If-Match` was sent and the order has another tag by now. */
export function refuseByTag(order: Order, { header }: ChangeCall): Problem | null {
  const ifMatch = header('If-Match');
  if (ifMatch === undefined) return null;
  return matchesTag(order, { header: ifMatch, comparison: 'strong' }) ? null : problem('version_mismatch');
}
