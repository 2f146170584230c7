import { toException, type NewException } from '../exceptions/exception.ts';
import type { ChangeContext } from '../change-context.ts';
import { cancellationsOf } from './order-rules.ts';
import { isCharged, type Order } from './order.ts';

type OrderChanged = { before: Order; after: Order; context: ChangeContext };

/** Returns one exception for each line that staff have cancelled, and one if the order has moved to another bill. */
export function exceptionsOfOrder({ before, after, context }: OrderChanged): NewException[] {
  const of = { billId: before.billId, at: after.updatedAt, context };
  const cancelled = cancellationsOf(before, after);
  // Customers can only cancel dishes that the kitchen hasn't started, so their cancellations aren't exceptions.
  const listed = context.actor.role === 'customer' ? [] : cancelled;
  const exceptions = listed.map(({ item: { name, quantity, unitPriceMinor }, lineId }) => {
    const line = { id: lineId, name };
    return toException({ kind: 'item_cancelled', amountMinor: quantity * unitPriceMinor, line }, of);
  });
  return [...exceptions, ...exceptionsOfMove({ before, after, context })];
}

/** Returns one exception if dishes have moved to another bill. `after` has the moved dishes. */
export function exceptionsOfMove({ before, after, context }: OrderChanged): NewException[] {
  const charged = after.items.filter(isCharged);
  const isMoved = before.billId !== null && after.billId !== before.billId && charged.length > 0;
  if (!isMoved) return [];
  const amountMinor = charged.reduce((sum, { quantity, unitPriceMinor }) => sum + quantity * unitPriceMinor, 0);
  return [toException({ kind: 'order_moved', amountMinor }, { billId: before.billId, at: after.updatedAt, context })];
}
