import { activePayments } from '@comanda/contracts/bill-amounts';
import { Problem } from '@comanda/contracts/problem';
import {
  putDiscounts,
  refuseOverpaid,
  refuseSettledLine,
  refuseUnlessOpen,
  takeDiscounts,
  withCoversOf,
} from '../bills/bill-rules.ts';
import { linesOf, stateOf, type Bill, type BillWithOrders } from '../bills/bill.ts';
import type { ChangeContext } from '../change-context.ts';
import type { Division } from '../orders/divide-order.ts';
import { cancellationsOf } from '../orders/order-rules.ts';
import type { Order } from '../orders/order.ts';
import type { BatchState, BillInBatch } from './batch-state.ts';
import { createBill, recordBillStep } from './record-bill-change.ts';

const openBillOf = ({ bills }: BatchState, { seating }: Order): number =>
  (seating !== null && bills.openBySeating.get(seating)) || 0;

const onBill = (order: Order, billId: number): Order => ({
  ...order,
  billId,
  originalLocation: { ...order.originalLocation, billId },
});

/**
 * Records a new order on its seating's open bill, or on a new bill. An order without a seating always gets a new bill. Returns
 * the order with the bill's id.
 */
export function addToBill(state: BatchState, order: Order, context: ChangeContext): Order {
  const { bills, now } = state;
  const openId = openBillOf(state, order);
  const appendOnly = bills.appendOnly.get(openId);
  if (appendOnly) {
    appendOnly.version++;
    appendOnly.history.push({ at: now, actor: context.actor, what: 'ordered', version: appendOnly.version });
    return onBill(order, openId);
  }
  const { bill, orders } = bills.byId.get(openId) ?? createBill(state, order);
  const placed = onBill(order, bill.id);
  recordBillStep(state, { bill, orders: [...orders, placed], entry: { kind: 'ordered' } }, context);
  return placed;
}

type OrderChanged = { before: Order; after: Order; context: ChangeContext };

/**
 * Records the effects of an order's change on its bill. Returns the order, with the new bill's id if its lines moved to another
 * bill. Returns a problem if the bill doesn't allow the change.
 */
export function followOnBill(state: BatchState, changed: OrderChanged): Order | Problem {
  const { before, after, context } = changed;
  const inBatch = state.bills.byId.get(after.billId ?? 0);
  if (!inBatch) return after; // orders from the first release have no bill
  const cancelled = cancellationsOf(before, after).map(({ lineId }) => lineId);
  if (cancelled.length > 0) return cancelOnBill(state, inBatch, { ...changed, cancelled });
  if (before.seating !== after.seating) return moveToOtherBill(state, inBatch, changed);
  inBatch.orders = withOrder(inBatch.orders, after);
  // A bill without a seating moves with its only order. If bills were merged into it, it has other orders and keeps its table.
  const { bill, orders } = inBatch;
  if (before.table !== after.table && after.seating === null && orders.length === 1 && bill.status === 'open')
    recordBillStep(state, { bill: { ...bill, table: after.table }, entry: { kind: 'table' } }, context);
  return after;
}

const withOrder = (orders: readonly Order[], order: Order): Order[] =>
  orders.map((each) => (each.id === order.id ? order : each));

function cancelOnBill(
  state: BatchState,
  inBatch: BillInBatch,
  { after, cancelled, context }: OrderChanged & { cancelled: readonly number[] },
): Order | Problem {
  const { bill } = inBatch;
  const orders = withOrder(inBatch.orders, after);
  const refusal = refuseUnlessOpen(bill) ?? refuseAnySettled(inBatch, cancelled) ?? refuseOverpaid({ bill, orders });
  if (refusal) return refusal;
  const [only, ...others] = cancelled;
  const line = only !== undefined && others.length === 0 ? { lineId: only } : {};
  recordBillStep(state, { bill, orders, entry: { kind: 'item_cancelled', ...line } }, context);
  return after;
}

function refuseAnySettled(bill: BillWithOrders, lineIds: readonly number[]): Problem | null {
  for (const lineId of lineIds) {
    const refusal = refuseSettledLine(bill, lineId);
    if (refusal) return refusal;
  }
  return null;
}

/**
 * Moves the order's lines and their discounts to the new seating's bill. If the old bill has no lines left, it is merged into the
 * new one.
 */
function moveToOtherBill(state: BatchState, from: BillInBatch, { after, context }: OrderChanged): Order | Problem {
  const lineIds = after.items.map(({ id }) => id);
  const orders = from.orders.filter(({ id }) => id !== after.id);
  const { left, moved } = takeDiscounts(from.bill, new Set(lineIds));
  const refusal =
    refuseUnlessOpen(from.bill) ?? refuseAnySettled(from, lineIds) ?? refuseOverpaid({ bill: left, orders });
  if (refusal) return refusal;
  const into = state.bills.byId.get(openBillOf(state, after)) ?? createBill(state, after);
  const arrived = { ...after, billId: into.bill.id };
  const ends = linesOf(orders).length === 0 && activePayments(stateOf(from)).length === 0;
  const bill: Bill = ends ? { ...left, status: 'merged', mergedInto: into.bill.id } : left;
  recordBillStep(state, { bill, orders, entry: moveEntry }, context);
  const ordersThere = [...into.orders, arrived];
  const withDiscounts = putDiscounts(into.bill, moved);
  const billThere = ends ? withCoversOf(withDiscounts, from.bill) : withDiscounts;
  recordBillStep(state, { bill: billThere, orders: ordersThere, entry: moveEntry }, context);
  return arrived;
}

/**
 * Records on the bills that a part of an order has moved. Returns the new order, with its bill's id. Discounts of whole items move
 * with them. Returns a problem if the bill doesn't allow the move.
 */
export function divideOnBill(
  state: BatchState,
  { rest, moved, lineIds }: Division,
  { before, context }: Pick<OrderChanged, 'before' | 'context'>,
): Order | Problem {
  const from = state.bills.byId.get(before.billId ?? 0);
  if (!from) return moved; // remakes and orders from the first release have no bill
  if (moved.seating !== null && moved.seating === before.seating)
    return divideOnSameBill(state, { rest, moved, lineIds }, { from, context });
  const orders = withOrder(from.orders, rest);
  const { left, moved: discounts } = takeDiscounts(from.bill, idsOf(moved));
  const refusal =
    refuseUnlessOpen(from.bill) ?? refuseAnySettled(from, lineIds) ?? refuseOverpaid({ bill: left, orders });
  if (refusal) return refusal;
  const into = state.bills.byId.get(openBillOf(state, moved)) ?? createBill(state, moved);
  const arrived = { ...moved, billId: into.bill.id };
  recordBillStep(state, { bill: left, orders, entry: moveEntry }, context);
  const ordersThere = [...into.orders, arrived];
  recordBillStep(state, { bill: putDiscounts(into.bill, discounts), orders: ordersThere, entry: moveEntry }, context);
  return arrived;
}

const moveEntry = { kind: 'order_moved' } as const;
const idsOf = ({ items }: Order): Set<number> => new Set(items.map(({ id }) => id));

/**
 * At another table of the same seating, the dishes stay on the bill. Only lines that are divided must be unpaid, on an open bill.
 * A closed bill stays as it is: its lines are the same.
 */
function divideOnSameBill(
  state: BatchState,
  { rest, moved, lineIds }: Division,
  { from, context }: Pick<OrderChanged, 'context'> & { from: BillInBatch },
): Order | Problem {
  const whole = idsOf(moved);
  const divided = lineIds.filter((id) => !whole.has(id));
  const refusal = divided.length === 0 ? null : (refuseUnlessOpen(from.bill) ?? refuseAnySettled(from, divided));
  if (refusal) return refusal;
  const orders = [...withOrder(from.orders, rest), moved];
  if (from.bill.status === 'open') recordBillStep(state, { bill: from.bill, orders, entry: moveEntry }, context);
  else from.orders = orders;
  return moved;
}
