import { discountsOf, limitOf, netsOf, billAmounts, activePayments, sum } from '@comanda/contracts/bill-amounts';
import { problem, type Problem } from '@comanda/contracts/problem';
import type { Excepted } from '../exceptions/exception.ts';
import { fromMinor } from '../money.ts';
import { refuseOverpaid, refuseSettledLine, refuseUnlessOpen, type BillEntry } from '../batch/record-bill-change.ts';
import { closingTime, givenDiscounts, stateOf, type Bill, type BillWithOrders, type Discount } from './bill.ts';

/** `exception`: what it takes away, for the list of exceptions. */
type Change = { bill: Bill; entry: BillEntry | null; exception?: Excepted };
/**
 * The bill after a change and what the change is called (`entry: null`: nobody who reads the bill sees it), null if there is nothing to change, or the
 * reason for a refusal.
 */
export type ChangedBill = Change | null | Problem;

const unknownLine = (): Problem =>
  problem('unprocessable_content', { errors: [{ pointer: '/line_id', detail: 'must be a line of this bill' }] });

/** What is left to discount: of a line, or of the whole bill. */
function leftToDiscount(work: BillWithOrders, lineId: number | null): bigint {
  const state = stateOf(work);
  const nets = netsOf(state);
  if (lineId !== null) return nets.get(lineId) ?? 0n;
  const taken = discountsOf(state.lines, state.discounts);
  const ofBill = state.discounts.filter((each) => each.lineId === null).map(({ id }) => taken.get(id) ?? 0n);
  return sum([...nets.values()]) - sum(ofBill);
}

/** With a limit, all discounts together may take at most so much of the items when it is given. */
export function giveDiscount(work: BillWithOrders, discount: Omit<Discount, 'id'>): ChangedBill {
  const { bill, orders } = work;
  const { lineId, amountMinor, limit } = discount;
  const closed = refuseUnlessOpen(bill);
  if (closed) return closed;
  if (lineId !== null && !stateOf(work).lines.some(({ id }) => id === lineId)) return unknownLine();
  const settled = lineId === null ? null : refuseSettledLine(work, lineId);
  if (settled) return settled;
  const atMost = leftToDiscount(work, lineId);
  if (amountMinor !== null && BigInt(amountMinor) > atMost)
    return problem('discount_too_large', { at_most: fromMinor(atMost) });

  const id = bill.lastDiscountId + 1;
  const after: Bill = { ...bill, lastDiscountId: id, discounts: [...bill.discounts, { id, ...discount }] };
  const state = stateOf({ bill: after, orders });
  const unlimited = state.discounts.map((each) => (each.id === id ? { ...each, limit: null } : each));
  const amounts = billAmounts({ ...state, discounts: unlimited });
  if (limit !== null && amounts.discountTotal > limitOf(amounts.itemsTotal, limit))
    return problem('forbidden', {
      detail: `Waiters can discount at most ${limit}% of a bill. Ask a manager for a larger discount.`,
    });
  const takes = Number(discountsOf(state.lines, state.discounts).get(id) ?? 0n);
  // What nobody has paid may leave a cent of rounding; a discount of what is paid does not.
  const { rounding } = billAmounts(state);
  if (lineId === null && rounding > 0n) return problem('bill_overpaid', { by: fromMinor(rounding) });
  const entry: BillEntry = { kind: 'discount_given', amountMinor: takes, ...(lineId !== null && { lineId }) };
  const line = orders.flatMap(({ items }) => items).find((item) => item.id === lineId);
  const exception: Excepted = { kind: 'discount', amountMinor: takes, ...(line && { line }) };
  return refuseOverpaid({ bill: after, orders }) ?? { bill: after, entry, exception };
}

export function takeDiscountAway(work: BillWithOrders, discountId: number): ChangedBill {
  const { bill } = work;
  const discount = givenDiscounts(bill).find(({ id }) => id === discountId);
  if (!discount) return problem('not_found');
  const { lineId } = discount;
  const refusal = refuseUnlessOpen(bill) ?? (lineId === null ? null : refuseSettledLine(work, lineId));
  if (refusal) return refusal;
  const discounts = bill.discounts.map((each) => (each === discount ? { ...discount, isTakenAway: true } : each));
  return {
    bill: { ...bill, discounts },
    entry: { kind: 'discount_taken_away', ...(lineId !== null && { lineId }) },
  };
}

const hasActivePayments = (work: BillWithOrders): boolean => activePayments(stateOf(work)).length > 0;

export function setServiceCharge(work: BillWithOrders, included: boolean): ChangedBill {
  const { bill } = work;
  const refusal = refuseUnlessOpen(bill);
  if (refusal) return refusal;
  if (bill.serviceCharge.included === included) return null;
  if (hasActivePayments(work)) return problem('bill_has_payments');
  const declinedMinor = Number(billAmounts(stateOf(work)).serviceCharge);
  return {
    bill: { ...bill, serviceCharge: { ...bill.serviceCharge, included } },
    entry: { kind: 'service_charge' },
    ...(!included && { exception: { kind: 'service_charge_declined', amountMinor: declinedMinor } }),
  };
}

/** `number`: what the bill is called from now on, unless it has been closed before. */
export function closeBill(work: BillWithOrders, { number, now }: { number: number; now: Date }): ChangedBill {
  const { bill } = work;
  if (bill.status === 'closed') return null;
  const refusal = refuseUnlessOpen(bill);
  if (refusal) return refusal;
  const { remaining } = billAmounts(stateOf(work));
  const unsettled = bill.payments.filter(({ status }) => ['reserved', 'claimed', 'refunding'].includes(status));
  if (remaining !== 0n || unsettled.length > 0)
    return problem('bill_unsettled', { remaining: fromMinor(remaining), payments: unsettled.map(({ id }) => id) });
  return {
    bill: { ...bill, status: 'closed', number: bill.number ?? number, closedAt: closingTime(bill, now) },
    entry: { kind: 'closed' },
  };
}

/** `hasNewer`: its seating has another bill by now. */
export function reopenBill(work: BillWithOrders, hasNewer: boolean): ChangedBill {
  const { bill } = work;
  if (bill.status === 'open') return null;
  if (bill.status === 'merged' || bill.areOrdersArchived || hasNewer) return problem('bill_not_open');
  return {
    bill: { ...bill, status: 'open', closedAt: null },
    entry: { kind: 'reopened' },
    exception: { kind: 'reopened', amountMinor: Number(billAmounts(stateOf(work)).total) },
  };
}

/** Why a bill cannot be merged into `into`. */
export const refuseMerge = (from: BillWithOrders, into: BillWithOrders): Problem | null =>
  refuseUnlessOpen(from.bill) ??
  refuseUnlessOpen(into.bill) ??
  (hasActivePayments(from) ? problem('bill_has_payments') : null);
