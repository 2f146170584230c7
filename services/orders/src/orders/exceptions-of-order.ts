import { toException, type NewException } from '../exceptions/exception.ts';
import type { ChangeContext } from '../change-context.ts';
import { cancelledLines } from './order-rules.ts';
import type { Order } from './order.ts';

type OrderChanged = { before: Order; after: Order; context: ChangeContext };

/** Returns one exception for each line that staff have cancelled, and one if the order has moved to another bill. */
export function exceptionsOfOrder({ before, after, context }: OrderChanged): NewException[] {
  const of = { billId: before.billId, at: after.updatedAt, context };
  const cancelled = cancelledLines(before, after);
  // Customers can only cancel dishes that the kitchen hasn't started, so their cancellations aren't exceptions.
  const listed = context.actor.role === 'customer' ? [] : cancelled;
  const exceptions = listed.map((line) =>
    toException({ kind: 'item_cancelled', amountMinor: line.quantity * line.unitPriceMinor, line }, of),
  );
  const charged = after.items.filter(({ status }) => status !== 'cancelled');
  const isMoved = before.billId !== null && after.billId !== before.billId && charged.length > 0;
  if (!isMoved) return exceptions;
  const amountMinor = charged.reduce((sum, { quantity, unitPriceMinor }) => sum + quantity * unitPriceMinor, 0);
  return [...exceptions, toException({ kind: 'order_moved', amountMinor }, of)];
}
