import { activePayments } from '@comanda/contracts/bill-amounts';
import { Problem } from '@comanda/contracts/problem';
import type { BatchState } from './batch-state.ts';
import type { ChangeContext } from '../orders/order-events.ts';
import type { Order } from '../orders/order.ts';
import {
  beginBill,
  enterBill,
  refuseOverpaid,
  refuseSettledLine,
  refuseUnlessOpen,
  withOrder,
  type BillWork,
} from './record-bill-change.ts';
import { stateOf, type Bill } from '../bills/bill.ts';

const openBillOf = ({ bills }: BatchState, { seating }: Order): number =>
  (seating !== null && bills.openBySeating.get(seating)) || 0;

/** A new bill for the seating of the order, or for this order alone. */
function begin(state: BatchState, { seating, table, currency }: Order): BillWork {
  const { bills, now } = state;
  const id = state.counters.billId + 1;
  state.counters = { ...state.counters, billId: id };
  return beginBill(bills, { id, seating, table, currency, now });
}

const onBill = (order: Order, billId: number): Order => ({
  ...order,
  billId,
  originalLocation: { ...order.originalLocation, billId },
});

/**
 * Enters a new order on the open bill of its seating, or on a new one: an order without a seating has a bill of its own.
 * Returns it with the bill's id.
 */
export function enterOnBill(state: BatchState, order: Order, context: ChangeContext): Order {
  const { bills, now } = state;
  const openId = openBillOf(state, order);
  const growing = bills.growing.get(openId);
  if (growing) {
    growing.version++;
    growing.history.push({ at: now, actor: context.actor, what: 'ordered', version: growing.version });
    return onBill(order, openId);
  }
  const work = bills.byId.get(openId) ?? begin(state, order);
  const placed = onBill(order, work.bill.id);
  enterBill(work, { bill: work.bill, orders: [...work.orders, placed], entry: { kind: 'ordered' }, context, now });
  return placed;
}

const cancelledLines = (before: Order, after: Order): number[] =>
  after.items
    .filter(({ status }, index) => status === 'cancelled' && before.items[index]?.status !== 'cancelled')
    .map(({ id }) => id);

/** Whether a change of an order changes a bill too: something is cancelled, or the order moves. */
export const concernsBill = (before: Order, after: Order): boolean =>
  before.table !== after.table || before.seating !== after.seating || cancelledLines(before, after).length > 0;

type OrderChanged = { before: Order; after: Order; context: ChangeContext };

/**
 * What a change of an order means for its bill. Returns the order, with the id of another bill if it has moved to that, or
 * the reason why the bill does not allow the change.
 */
export function followOnBill(state: BatchState, changed: OrderChanged): Order | Problem {
  const { before, after, context } = changed;
  const work = state.bills.byId.get(after.billId ?? 0);
  if (!work) return after; // an order of the first release, without a bill
  const cancelled = cancelledLines(before, after);
  if (cancelled.length > 0) return cancelOnBill(state, work, { ...changed, cancelled });
  if (before.seating !== after.seating) return moveToOtherBill(state, work, changed);
  work.orders = withOrder(work.orders, after);
  // A bill without a seating is where its only order is. One that others were merged into stays where it is.
  if (before.table !== after.table && after.seating === null && work.orders.length === 1 && work.bill.status === 'open')
    enterBill(work, {
      bill: { ...work.bill, table: after.table },
      entry: { kind: 'table' },
      context,
      now: state.now,
    });
  return after;
}

function cancelOnBill(
  { now }: BatchState,
  work: BillWork,
  { after, cancelled, context }: OrderChanged & { cancelled: readonly number[] },
): Order | Problem {
  const { bill } = work;
  const orders = withOrder(work.orders, after);
  const refusal = refuseUnlessOpen(bill) ?? refuseAnySettled(work, cancelled) ?? refuseOverpaid({ bill, orders });
  if (refusal) return refusal;
  const [only, ...others] = cancelled;
  const line = only !== undefined && others.length === 0 ? { lineId: only } : {};
  enterBill(work, { bill, orders, entry: { kind: 'item_cancelled', ...line }, context, now });
  return after;
}

function refuseAnySettled(work: BillWork, lineIds: readonly number[]): Problem | null {
  for (const lineId of lineIds) {
    const refusal = refuseSettledLine(work, lineId);
    if (refusal) return refusal;
  }
  return null;
}

/** Moves the order's lines, with their discounts, to the bill of its new seating. A bill that has lost all is merged. */
function moveToOtherBill(state: BatchState, work: BillWork, { after, context }: OrderChanged): Order | Problem {
  const { now } = state;
  const lineIds = after.items.map(({ id }) => id);
  const orders = work.orders.filter(({ id }) => id !== after.id);
  const { left, moved } = takeDiscounts(work.bill, new Set(lineIds));
  const refusal =
    refuseUnlessOpen(work.bill) ?? refuseAnySettled(work, lineIds) ?? refuseOverpaid({ bill: left, orders });
  if (refusal) return refusal;
  const target = state.bills.byId.get(openBillOf(state, after)) ?? begin(state, after);
  const arrived = { ...after, billId: target.bill.id };
  const isEmpty = orders.every(({ items }) => items.every(({ status }) => status === 'cancelled'));
  const ends = isEmpty && activePayments(stateOf(work)).length === 0;
  const bill: Bill = ends ? { ...left, status: 'merged', mergedInto: target.bill.id } : left;
  const entry = { kind: 'order_moved' } as const;
  enterBill(work, { bill, orders, entry, context, now });
  if (ends && bill.seating !== null) state.bills.openBySeating.delete(bill.seating);
  const targetOrders = [...target.orders, arrived];
  enterBill(target, { bill: putDiscounts(target.bill, moved), orders: targetOrders, entry, context, now });
  return arrived;
}

type Discounts = Bill['discounts'];

/** The discounts of these lines, and the bill without them. */
export function takeDiscounts(bill: Bill, lineIds: ReadonlySet<number>): { left: Bill; moved: Discounts } {
  const isMoved = ({ lineId }: Discounts[number]): boolean => lineId !== null && lineIds.has(lineId);
  const moved = bill.discounts.filter(isMoved);
  return { left: { ...bill, discounts: bill.discounts.filter((each) => !isMoved(each)) }, moved };
}

/** The bill with discounts of another one, which get ids of this bill. */
export function putDiscounts(bill: Bill, moved: Discounts): Bill {
  const added = moved.map((discount, index) => ({ ...discount, id: bill.lastDiscountId + 1 + index }));
  return {
    ...bill,
    lastDiscountId: bill.lastDiscountId + added.length,
    discounts: [...bill.discounts, ...added],
  };
}
