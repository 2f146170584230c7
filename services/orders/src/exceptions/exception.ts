import type { ExceptionKind } from '@comanda/contracts/exceptions';
import type { Actor } from '../actor.ts';
import type { ChangeContext } from '../orders/order-events.ts';
import type { Order, OrderItem } from '../orders/order.ts';

/** Something that takes money or food away from a bill. It gets its id from the write that stores it. */
export type NewException = {
  at: Date;
  kind: ExceptionKind;
  /** Null in orders of the first release, which have no bill. */
  billId: number | null;
  lineId: number | null;
  name: string | null;
  amountMinor: number;
  /** Null: a customer. */
  by: Pick<Actor, 'id' | 'name'> | null;
  reason: string | null;
};
export type Exception = NewException & { id: number };

/** What a change takes away; `line` if that is of one line. */
export type Excepted = { kind: ExceptionKind; amountMinor: number; line?: Pick<OrderItem, 'id' | 'name'> };

export const toException = (
  { kind, amountMinor, line }: Excepted,
  { billId, at, context }: { billId: number | null; at: Date; context: ChangeContext },
): NewException => ({
  at,
  kind,
  billId,
  lineId: line?.id ?? null,
  name: line?.name ?? null,
  amountMinor,
  by: context.actor.role === 'customer' ? null : { id: context.actor.id, name: context.actor.name },
  reason: context.reason ?? null,
});

type OrderChanged = { before: Order; after: Order; context: ChangeContext };

/** One for each line that staff have cancelled, and one if the order went to another bill. */
export function exceptionsOfOrder({ before, after, context }: OrderChanged): NewException[] {
  const of = { billId: before.billId, at: after.updatedAt, context };
  const cancelled = after.items.filter(
    ({ status }, index) => status === 'cancelled' && before.items[index]?.status !== 'cancelled',
  );
  // A customer may cancel what nobody has begun.
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
