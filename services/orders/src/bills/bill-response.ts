import {
  activePayments,
  billAmounts,
  discountsOf,
  settledOf,
  sum,
  taxesOf,
  type BillState,
  type PaymentStatus,
} from '@comanda/contracts/bill-amounts';
import { runningShares } from '@comanda/contracts/bill-parts';
import type { Bill as BillResponse } from '@comanda/contracts/bills';
import type { BillPayment as PaymentResponse } from '@comanda/contracts/bill-payments';
import { fromMinor } from '../money.ts';
import { measureOf, translatedNameOf } from '../orders/order.ts';
import { givenDiscounts, linesOf, stateOf, toLineState, type BillWithOrders, type Line, type Payment } from './bill.ts';

/** The kind of user who reads a bill. Only staff see `reference`, the id of a Pix and the reason for a refund. */
type Reader = { isStaff: boolean };

export const toPaymentResponse = (payment: Payment, billId: number, reader: Reader): PaymentResponse => ({
  id: payment.id,
  bill_id: billId,
  method: payment.method,
  status: payment.status,
  part: payment.part,
  amount: fromMinor(payment.amountMinor),
  tip: fromMinor(payment.tipMinor),
  total: fromMinor(payment.amountMinor + payment.tipMinor),
  received: payment.receivedMinor === null ? null : fromMinor(payment.receivedMinor),
  change:
    payment.receivedMinor === null ? null : fromMinor(payment.receivedMinor - payment.amountMinor - payment.tipMinor),
  reference: reader.isStaff ? payment.reference : null,
  cash_drawer: payment.cashDrawer,
  payer: payment.payer,
  transfer_id: payment.transferId,
  pix: payment.pix && {
    confirmed_by: payment.pix.confirmedBy,
    end_to_end_id: reader.isStaff ? payment.pix.endToEndId : null,
  },
  expires_at: payment.expiresAt?.toISOString() ?? null,
  recorded_by: { id: payment.recordedBy.id, role: payment.recordedBy.role },
  created_at: payment.createdAt.toISOString(),
  settled_at: payment.settledAt?.toISOString() ?? null,
  refund: toRefundResponse(payment, reader),
});

function toRefundResponse(
  { method: paidBy, refundedAt, refund }: Payment,
  { isStaff }: Reader,
): NonNullable<PaymentResponse['refund']> | null {
  if (!refundedAt) return null;
  const { method = paidBy, reason = null, by = null } = refund ?? {};
  return {
    at: refundedAt.toISOString(),
    method,
    // The reason is for staff only.
    ...(isStaff && reason !== null && { reason }),
    by: by && { id: by.id, role: by.role },
  };
}

const isHeld = (status: PaymentStatus): boolean => status === 'reserved' || status === 'claimed';

/** Returns how active payments divide the bill. If they divide it in several ways, returns the coarsest one. */
function splitOf(state: BillState): BillResponse['split'] {
  const ways = new Set(activePayments(state).map(({ covers }) => covers.by));
  const mode = (['amount', 'shares', 'lines'] as const).find((way) => ways.has(way)) ?? 'none';
  const { of, taken } = runningShares(state);
  return { mode, shares_of: of, shares_taken: taken };
}

function toLineResponse(
  line: Line,
  state: BillState,
  taken: ReadonlyMap<number, bigint>,
): BillResponse['lines'][number] {
  const { item, order } = line;
  const { count, of } = settledOf(toLineState(line), activePayments(state));
  const own = state.discounts.filter(({ lineId }) => lineId === item.id).map(({ id }) => taken.get(id) ?? 0n);
  return {
    id: item.id,
    order_id: order.id,
    ticket: order.ticket,
    name: item.name,
    ...translatedNameOf(item),
    options: [...item.options],
    quantity: item.quantity,
    unit_price: fromMinor(item.unitPriceMinor),
    ...measureOf(item),
    amount: fromMinor(item.unitPriceMinor * item.quantity),
    discount: fromMinor(sum(own)),
    status: item.status,
    settled: { count, of },
    // Guests must not learn the names of staff.
    ordered_by: { id: order.ownerId, name: order.placedByStaff ? null : order.ownerName },
  };
}

/** Converts a bill to the API's response for this reader. Events contain the response for customers. */
export function toBillResponse(work: BillWithOrders, reader: Reader): BillResponse {
  const { bill, orders } = work;
  const state = stateOf(work);
  const amounts = billAmounts(state);
  const taken = discountsOf(state.lines, state.discounts);
  const paid = new Set(activePayments(state).flatMap(({ id, status }) => (isHeld(status) ? [] : [id])));
  const ofPaid = bill.payments.filter(({ id }) => paid.has(id));
  const [refunds, kept] = [
    ofPaid.filter(({ status }) => status === 'refunded'),
    ofPaid.filter(({ status }) => status !== 'refunded'),
  ];
  const tips = kept.reduce((all, { tipMinor }) => all + tipMinor, 0);
  const refunded = refunds.reduce((all, { amountMinor }) => all + amountMinor, 0);
  return {
    id: bill.id,
    number: bill.number,
    status: bill.status,
    version: bill.version,
    table: bill.table,
    seating: bill.seating,
    covers: bill.covers,
    currency: bill.currency,
    lines: linesOf(orders).map((line) => toLineResponse(line, state, taken)),
    discounts: givenDiscounts(bill).map(({ id, lineId, percent, label }) => ({
      id,
      line_id: lineId,
      percent,
      amount: fromMinor(taken.get(id) ?? 0n),
      label,
    })),
    items_total: fromMinor(amounts.itemsTotal),
    discount_total: fromMinor(amounts.discountTotal),
    service_charge: { ...bill.serviceCharge, amount: fromMinor(amounts.serviceCharge) },
    rounding: fromMinor(amounts.rounding),
    total: fromMinor(amounts.total),
    paid: fromMinor(amounts.paid),
    reserved: fromMinor(amounts.reserved),
    remaining: fromMinor(amounts.remaining),
    tips: fromMinor(tips),
    refunded: fromMinor(refunded),
    split: splitOf(state),
    taxes: taxesOf(state).map(({ rate, net, tax }) => ({ rate, net: fromMinor(net), tax: fromMinor(tax) })),
    payments: bill.payments.map((payment) => toPaymentResponse(payment, bill.id, reader)),
    merged_into: bill.mergedInto,
    day: bill.closing?.day ?? null,
    created_at: bill.createdAt.toISOString(),
    closed_at: bill.closedAt?.toISOString() ?? null,
    updated_at: bill.updatedAt.toISOString(),
  };
}
