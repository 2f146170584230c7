import { movementsOfStep } from '../cash-drawers/movements-of-step.ts';
import { newMessage } from '../messages.ts';
import { fromMinor } from '../money.ts';
import { exceptionsOfOrder } from '../orders/exceptions-of-order.ts';
import type { ChangeContext } from '../change-context.ts';
import { recordTableChange } from '../orders/order-events.ts';
import type { Order } from '../orders/order.ts';
import { toException } from '../exceptions/exception.ts';
import type { BillEntry, BillStep } from '../bills/bill-change.ts';
import { toBillResponse } from '../bills/bill-response.ts';
import type { Bill } from '../bills/bill.ts';
import type { BatchState, BillInBatch } from './batch-state.ts';

type NewBill = Pick<Bill, 'table' | 'seating' | 'currency'>;

/** Creates a bill in the batch. Its version is 0 until its first step is recorded. */
export function createBill(state: BatchState, { table, seating, currency }: NewBill): BillInBatch {
  const { bills, now } = state;
  const id = state.counters.billId + 1;
  state.counters = { ...state.counters, billId: id };
  const bill: Bill = {
    id,
    status: 'open',
    version: 0,
    number: null,
    table,
    movedAt: null,
    seating,
    covers: null,
    currency,
    serviceCharge: { rate: bills.settings.serviceCharge.rate, included: true },
    lastDiscountId: 0,
    discounts: [],
    payments: [],
    mergedInto: null,
    areOrdersArchived: false,
    closing: null,
    createdAt: now,
    closedAt: null,
    updatedAt: now,
  };
  const created: BillInBatch = { before: null, bill, orders: [], history: [], messages: [] };
  bills.byId.set(id, created);
  return created;
}

/**
 * Records one step of a bill's change in the batch: the bill's next version with its history entry and event, the orders that the
 * step moves, its exception, and whether the bill is its seating's open bill.
 */
export function recordBillStep(state: BatchState, step: BillStep, context: ChangeContext): void {
  const { now, bills } = state;
  const { bill, moved = [], entry, exception } = step;
  const inBatch = bills.byId.get(bill.id);
  if (!inBatch) throw new Error(`bill ${bill.id} is not in the batch`);
  const { orders = inBatch.orders } = step;
  for (const { before, after } of moved) recordMove(state, { before, after, context });

  const fromUserIds = ownersOf(inBatch.orders).filter((id) => !ownersOf(orders).includes(id));
  state.movements.push(...movementsOfStep({ before: inBatch.bill, after: bill, at: now, actor: context.actor }));
  inBatch.bill = { ...bill, version: inBatch.bill.version + 1, updatedAt: now };
  inBatch.orders = orders;
  if (entry) recordEntry(inBatch, { entry, fromUserIds, context, now });
  if (exception) state.exceptions.push(toException(exception, { billId: bill.id, at: now, context }));

  const { id, status, seating } = bill;
  if (seating === null) return;
  if (status === 'open') bills.openBySeating.set(seating, id);
  else if (bills.openBySeating.get(seating) === id) bills.openBySeating.delete(seating);
}

type OrderMoved = { before: Order; after: Order; context: ChangeContext };

/** Records that a whole order has moved to another table, seating or bill. */
export function recordMove(state: BatchState, { before, after: order, context }: OrderMoved): void {
  state.changed.push({ before, order, ...recordTableChange(before, order, context) });
  state.exceptions.push(...exceptionsOfOrder({ before, after: order, context }));
  state.orders.set(order.id, order);
}

type Recorded = { entry: BillEntry; fromUserIds: readonly number[]; context: ChangeContext; now: Date };

/** Adds an entry to the bill's history, and the event that reports the entry. */
function recordEntry(inBatch: BillInBatch, { entry, fromUserIds, context, now }: Recorded): void {
  const { actor, traceparent, reason } = context;
  const { kind, amountMinor, lineId, paymentId, fromSeating } = entry;
  const ids = {
    ...(lineId !== undefined && { line_id: lineId }),
    ...(paymentId !== undefined && { payment_id: paymentId }),
  };
  inBatch.history.push({
    at: now,
    actor,
    what: kind,
    ...(reason !== undefined && { reason }),
    ...(amountMinor !== undefined && { amount: fromMinor(amountMinor) }),
    ...ids,
    version: inBatch.bill.version,
  });
  // For a new order, `order.created` already reports the bill's id, so no event for the bill is needed.
  if (kind === 'ordered') return;
  const data = {
    bill: toBillResponse(inBatch, { isStaff: false }),
    change: { kind, ...ids },
    ...(fromSeating !== undefined && { from_seating: fromSeating }),
    ...(fromUserIds.length > 0 && { from_user_ids: [...fromUserIds] }),
    actor: { id: actor.id, role: actor.role },
  };
  const subject = String(inBatch.bill.id);
  inBatch.messages.push(newMessage('bill.changed', { subject, at: now, traceparent, data }));
}

const ownersOf = (orders: readonly Order[]): number[] => [...new Set(orders.map(({ ownerId }) => ownerId))];
