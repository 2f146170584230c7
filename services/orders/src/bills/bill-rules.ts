import {
  activePayments,
  billAmounts,
  discountsOf,
  limitOf,
  netsOf,
  settledOf,
  sum,
} from '@comanda/contracts/bill-amounts';
import { problem, type Problem } from '@comanda/contracts/problem';
import type { Actor } from '../actor.ts';
import type { Excepted } from '../exceptions/exception.ts';
import { fromMinor } from '../money.ts';
import { nextVersion } from '../orders/order-rules.ts';
import type { Order, OrderLocation } from '../orders/order.ts';
import type { BillDecision, BillEntry, GuestChanges } from './bill-change.ts';
import {
  closingTime,
  givenDiscounts,
  stateOf,
  type Bill,
  type BillWithOrders,
  type Closing,
  type Discount,
} from './bill.ts';

export const refuseUnlessOpen = ({ status }: Bill): Problem | null =>
  status === 'open' ? null : problem('bill_not_open');

/** Rejects a change to a line if any piece of the line is paid or reserved. */
export function refuseSettledLine(bill: BillWithOrders, lineId: number): Problem | null {
  const state = stateOf(bill);
  const line = state.lines.find(({ id }) => id === lineId);
  const active = activePayments(state);
  if (!line || settledOf(line, active).count === 0) return null;
  const paying = active.filter(
    ({ covers }) => covers.by === 'lines' && covers.pieces.some((piece) => piece.lineId === lineId),
  );
  return problem('bill_item_settled', { line_id: lineId, payment_ids: paying.map(({ id }) => id) });
}

/** Rejects a change if the guests would then have paid more than the bill's total. */
export function refuseOverpaid(bill: BillWithOrders): Problem | null {
  const { remaining } = billAmounts(stateOf(bill));
  return remaining < 0n ? problem('bill_overpaid', { by: fromMinor(-remaining) }) : null;
}

const hasActivePayments = (bill: BillWithOrders): boolean => activePayments(stateOf(bill)).length > 0;

const unknownLine = (): Problem =>
  problem('unprocessable_content', { errors: [{ pointer: '/line_id', detail: 'must be a line of this bill' }] });

/** Returns the amount in minor units that can still be discounted: from one line, or from the whole bill if `lineId` is null. */
function leftToDiscount(bill: BillWithOrders, lineId: number | null): bigint {
  const state = stateOf(bill);
  const nets = netsOf(state);
  if (lineId !== null) return nets.get(lineId) ?? 0n;
  const taken = discountsOf(state.lines, state.discounts);
  const ofBill = state.discounts.filter((each) => each.lineId === null).map(({ id }) => taken.get(id) ?? 0n);
  return sum([...nets.values()]) - sum(ofBill);
}

/**
 * Gives a discount. Rejects a discount with a `limit` if all discounts together would take more than this percentage of the
 * items.
 */
export function giveDiscount(given: BillWithOrders, discount: Omit<Discount, 'id' | 'isTakenAway'>): BillDecision {
  const { bill, orders } = given;
  const { lineId, amountMinor, limit } = discount;
  const closed = refuseUnlessOpen(bill);
  if (closed) return closed;
  if (lineId !== null && !stateOf(given).lines.some(({ id }) => id === lineId)) return unknownLine();
  const settled = lineId === null ? null : refuseSettledLine(given, lineId);
  if (settled) return settled;
  const atMost = leftToDiscount(given, lineId);
  if (amountMinor !== null && BigInt(amountMinor) > atMost)
    return problem('discount_too_large', { at_most: fromMinor(atMost) });

  const id = bill.lastDiscountId + 1;
  const discounts = [...bill.discounts, { id, ...discount, isTakenAway: false }];
  const after: Bill = { ...bill, lastDiscountId: id, discounts };
  const state = stateOf({ bill: after, orders });
  const unlimited = state.discounts.map((each) => (each.id === id ? { ...each, limit: null } : each));
  const amounts = billAmounts({ ...state, discounts: unlimited });
  if (limit !== null && amounts.discountTotal > limitOf(amounts.itemsTotal, limit))
    return problem('forbidden', {
      detail: `Waiters can discount at most ${limit}% of a bill. Ask a manager for a larger discount.`,
    });
  const takes = Number(discountsOf(state.lines, state.discounts).get(id) ?? 0n);
  // Payments may exceed the total by a few cents because of rounding. A discount on the whole bill must not use this tolerance.
  const { rounding } = billAmounts(state);
  if (lineId === null && rounding > 0n) return problem('bill_overpaid', { by: fromMinor(rounding) });
  const entry: BillEntry = { kind: 'discount_given', amountMinor: takes, ...(lineId !== null && { lineId }) };
  const line = orders.flatMap(({ items }) => items).find((item) => item.id === lineId);
  const exception: Excepted = { kind: 'discount', amountMinor: takes, ...(line && { line }) };
  return refuseOverpaid({ bill: after, orders }) ?? [{ bill: after, entry, exception }];
}

export function takeDiscountAway(given: BillWithOrders, discountId: number): BillDecision {
  const { bill } = given;
  const discount = givenDiscounts(bill).find(({ id }) => id === discountId);
  if (!discount) return problem('not_found');
  const { lineId } = discount;
  const refusal = refuseUnlessOpen(bill) ?? (lineId === null ? null : refuseSettledLine(given, lineId));
  if (refusal) return refusal;
  const discounts = bill.discounts.map((each) => (each === discount ? { ...discount, isTakenAway: true } : each));
  const entry: BillEntry = { kind: 'discount_taken_away', ...(lineId !== null && { lineId }) };
  return [{ bill: { ...bill, discounts }, entry }];
}

/** How many times customers can change a bill's service charge. The limit keeps the bill small enough to store. */
const maxGuestChanges = 20;

/** `guestChanges`: null if staff make the change. `isOptional`: true if customers may decline the service charge. */
type ServiceCharge = { included: boolean; guestChanges: GuestChanges | null; isOptional: boolean };

export function setServiceCharge(
  given: BillWithOrders,
  { included, guestChanges, isOptional }: ServiceCharge,
): BillDecision {
  const { bill } = given;
  if (guestChanges && !isOptional) return problem('forbidden');
  const refusal = refuseUnlessOpen(bill);
  if (refusal) return refusal;
  if (bill.serviceCharge.included === included) return [];
  if (hasActivePayments(given)) return problem('bill_has_payments');
  // The bill may have changed since `guestChanges` was counted. Each newer version counts as one more change, to be safe.
  if (guestChanges && guestChanges.count + bill.version - guestChanges.version >= maxGuestChanges)
    return problem('rate_limited', {
      detail: "Customers changed this bill's service charge too often. Ask a waiter to change it.",
    });
  const after = { ...bill, serviceCharge: { ...bill.serviceCharge, included } };
  const entry = { kind: 'service_charge' } as const;
  if (included) return [{ bill: after, entry }];
  const amountMinor = Number(billAmounts(stateOf(given)).serviceCharge);
  return [{ bill: after, entry, exception: { kind: 'service_charge_declined', amountMinor } }];
}

type ClosingBill = { number: number; day: number; by: Actor; now: Date };

/**
 * `number`: the number for a bill that is closed for the first time. A reopened bill keeps its number. `day`: the running day.
 */
export function closeBill(given: BillWithOrders, { number, day, by, now }: ClosingBill): BillDecision {
  const { bill } = given;
  if (bill.status === 'closed') return [];
  const refusal = refuseUnlessOpen(bill);
  if (refusal) return refusal;
  const { remaining } = billAmounts(stateOf(given));
  const unsettled = bill.payments.filter(({ status }) => ['reserved', 'claimed', 'refunding'].includes(status));
  if (remaining !== 0n || unsettled.length > 0)
    return problem('bill_unsettled', { remaining: fromMinor(remaining), payments: unsettled.map(({ id }) => id) });
  const closed: Bill = {
    ...bill,
    status: 'closed',
    number: bill.number ?? number,
    closedAt: closingTime(bill, now),
    closing: closingOf(given, { day, by }),
  };
  return [{ bill: closed, entry: { kind: 'closed' } }];
}

/** Returns the sums of a bill that is closed in this day. */
export function closingOf(bill: BillWithOrders, { day, by }: { day: number; by: Pick<Actor, 'id' | 'name'> }): Closing {
  const amounts = billAmounts(stateOf(bill));
  return {
    day,
    itemsTotalMinor: Number(amounts.itemsTotal),
    discountTotalMinor: Number(amounts.discountTotal),
    serviceChargeMinor: Number(amounts.serviceCharge),
    roundingMinor: Number(amounts.rounding),
    totalMinor: Number(amounts.total),
    by: { id: by.id, name: by.name },
  };
}

/**
 * `hasNewer`: true if the bill's seating has a newer bill or another open bill. `day`: the running day; a bill of a closed day is
 * never reopened, because the day's report has its sums.
 */
export function reopenBill(given: BillWithOrders, { hasNewer, day }: { hasNewer: boolean; day: number }): BillDecision {
  const { bill } = given;
  if (bill.status === 'open') return [];
  if (bill.status === 'merged' || bill.areOrdersArchived || hasNewer || bill.closing?.day !== day)
    return problem('bill_not_open');
  const amountMinor = Number(billAmounts(stateOf(given)).total);
  const exception: Excepted = { kind: 'reopened', amountMinor };
  return [{ bill: { ...bill, status: 'open', closedAt: null, closing: null }, entry: { kind: 'reopened' }, exception }];
}

/** Moves the bill to another table, with its orders that aren't delivered or cancelled. */
export function moveBill({ bill, orders }: BillWithOrders, { table, now }: { table: string; now: Date }): BillDecision {
  const refusal = refuseUnlessOpen(bill);
  if (refusal) return refusal;
  const stays = orders.filter(({ status }) => status === 'delivered' || status === 'cancelled');
  const carried = orders.filter((order) => !stays.includes(order));
  const moved = carried.filter((order) => order.table !== table).map((order) => relocated(order, { table }, now));
  if (bill.table === table && moved.length === 0) return [];
  const after = carried.map((order) => moved.find(({ before }) => before === order)?.after ?? order);
  return [{ bill: { ...bill, table, movedAt: now }, orders: [...stays, ...after], moved, entry: { kind: 'table' } }];
}

/** Sets the number of guests. The entry is `table`, because release 1.0.0 knows no other one that fits. */
export function setCovers({ bill }: BillWithOrders, covers: number | null): BillDecision {
  const refusal = refuseUnlessOpen(bill);
  if (refusal) return refusal;
  return bill.covers === covers ? [] : [{ bill: { ...bill, covers }, entry: { kind: 'table' } }];
}

/** Returns the bill with another bill's guests added. A bill without a number doesn't count. */
export const withCoversOf = (bill: Bill, { covers }: Bill): Bill =>
  covers === null ? bill : { ...bill, covers: (bill.covers ?? 0) + covers };

/** Merges `from` into `into`, which gets its orders and the discounts on their lines. Does nothing if they are already merged. */
export function mergeBills(from: BillWithOrders, into: BillWithOrders, now: Date): BillDecision {
  if (from.bill.mergedInto === into.bill.id) return [];
  const refusal =
    refuseUnlessOpen(from.bill) ??
    refuseUnlessOpen(into.bill) ??
    (hasActivePayments(from) ? problem('bill_has_payments') : null);
  if (refusal) return refusal;
  const { id: billId, seating } = into.bill;
  const moved = from.orders.map((order) => relocated(order, { seating, billId }, now));
  const lineIds = new Set(from.orders.flatMap(({ items }) => items.map(({ id }) => id)));
  const { moved: discounts } = takeDiscounts(from.bill, lineIds);
  const ended: Bill = { ...from.bill, status: 'merged', mergedInto: billId, discounts: [] };
  const { seating: fromSeating } = from.bill;
  const entry: BillEntry = { kind: 'merged', ...(fromSeating !== null && { fromSeating }) };
  const orders = [...into.orders, ...moved.map(({ after }) => after)];
  return [
    { bill: ended, orders: [], moved, entry: { kind: 'merged' } },
    { bill: withCoversOf(putDiscounts(into.bill, discounts), from.bill), orders, entry },
  ];
}

const relocated = (before: Order, to: Partial<OrderLocation & { billId: number }>, now: Date) => ({
  before,
  after: nextVersion({ ...before, ...to }, now),
});

type Discounts = Bill['discounts'];

/** Removes the discounts on these lines from the bill. Returns the bill without them, and the removed discounts. */
export function takeDiscounts(bill: Bill, lineIds: ReadonlySet<number>): { left: Bill; moved: Discounts } {
  const isMoved = ({ lineId }: Discounts[number]): boolean => lineId !== null && lineIds.has(lineId);
  const moved = bill.discounts.filter(isMoved);
  return { left: { ...bill, discounts: bill.discounts.filter((each) => !isMoved(each)) }, moved };
}

/** Adds another bill's discounts to the bill, with new ids. Returns the bill. */
export function putDiscounts(bill: Bill, moved: Discounts): Bill {
  const added = moved.map((discount, index) => ({ ...discount, id: bill.lastDiscountId + 1 + index }));
  return {
    ...bill,
    lastDiscountId: bill.lastDiscountId + added.length,
    discounts: [...bill.discounts, ...added],
  };
}
