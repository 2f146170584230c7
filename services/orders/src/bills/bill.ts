import {
  activePayments,
  billAmounts,
  discountsOf,
  settledOf,
  sum,
  taxesOf,
  type BillDiscount,
  type BillLine,
  type BillPayment as PaymentState,
  type BillState,
  type Coverage,
  type PaymentStatus,
} from '@comanda/contracts/bill-amounts';
import { runningShares } from '@comanda/contracts/bill-parts';
import type { Bill as BillResponse, BillChange, BillStatus } from '@comanda/contracts/bills';
import type { BillPart, BillPayment as PaymentResponse, PaymentMethod } from '@comanda/contracts/bill-payments';
import type { ClaimPurpose } from '@comanda/contracts/internal';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { fromMinor } from '../money.ts';
import { translatedNameOf, type Actor, type Order, type OrderItem } from '../orders/order.ts';

export type Discount = {
  id: number;
  /** Null: of the whole bill. */
  lineId: number | null;
  /** Either `percent` or `amountMinor`; the other one is null. */
  percent: string | null;
  amountMinor: number | null;
  /**
   * All discounts with a limit together take at most so much of the items, in percent, also of those that are left once some are
   * cancelled or moved. Null: no limit, because a manager gave it, or an earlier release stored it.
   */
  limit: string | null;
  /** What the guest reads. */
  label: string | null;
  /** It takes nothing any more, and stays because of its request: sent again, that gives no second discount. */
  isTakenAway: boolean;
  request: IdempotentRequest | null;
};
/** The step-up token for which transfers holds a payment, until it settles. */
export type Claim = { purpose: ClaimPurpose; jti: string; by: Actor };
export type Refund = { method: PaymentMethod; reason: string | null; by: Actor };
export type Payment = {
  id: number;
  method: PaymentMethod;
  status: PaymentStatus;
  /** As it was asked. */
  part: BillPart;
  covers: Coverage;
  amountMinor: number;
  tipMinor: number;
  /** What was handed over in cash, or null. */
  receivedMinor: number | null;
  reference: string | null;
  /** The customer who pays from an account; null for what staff have taken. */
  payer: { id: number; name: string } | null;
  /** When the reservation ends; null unless it is reserved. */
  expiresAt: Date | null;
  /** Null unless it is claimed or refunding. */
  claim: Claim | null;
  /** Tokens that transfers has taken out of use: they claim this payment no more. */
  barredJtis: readonly string[];
  /** The transfer that paid it, and the one that gave it back. */
  transferId: number | null;
  refundTransferId: number | null;
  recordedBy: Actor;
  createdAt: Date;
  settledAt: Date | null;
  refundedAt: Date | null;
  /** How it was given back, and by whom; null if it was not, or an earlier release has written the bill since. */
  refund: Refund | null;
  request: IdempotentRequest | null;
};
/** What one seating, or one order without a seating, has to pay. Its lines are the items of its orders. */
export type Bill = {
  id: number;
  status: BillStatus;
  /** Grows by 1 with each change. */
  version: number;
  /** Given at the first closing. */
  number: number | null;
  table: string | null;
  seating: number | null;
  currency: string;
  serviceCharge: { rate: string; included: boolean };
  /** Ids of discounts count from 1 in each bill; none is used again. */
  lastDiscountId: number;
  discounts: readonly Discount[];
  payments: readonly Payment[];
  mergedInto: number | null;
  /** Then it stays closed. */
  areOrdersArchived: boolean;
  createdAt: Date;
  closedAt: Date | null;
  updatedAt: Date;
};
export type BillWithOrders = { bill: Bill; orders: readonly Order[] };

/** One change of a bill, in its history. */
export type BillHistoryEntry = {
  at: Date;
  actor: Actor;
  what: BillChange;
  reason?: string;
  amount?: string;
  line_id?: number;
  payment_id?: number;
  version: number;
};

type Line = { item: OrderItem; order: Order };

/** The items that are charged, in the order in which they were ordered. */
const linesOf = (orders: readonly Order[]): Line[] =>
  orders
    .flatMap((order) => order.items.map((item) => ({ item, order })))
    .filter(({ item }) => item.status !== 'cancelled')
    .toSorted((first, second) => first.item.id - second.item.id);

const toLineState = ({ item }: Line): BillLine => ({
  id: item.id,
  quantity: item.quantity,
  unitPrice: BigInt(item.unitPriceMinor),
  taxRate: null,
});
/** Those that are not taken away. */
export const givenDiscounts = ({ discounts }: Pick<Bill, 'discounts'>): readonly Discount[] =>
  discounts.filter(({ isTakenAway }) => !isTakenAway);
const toDiscountState = ({ id, lineId, percent, amountMinor, limit }: Discount): BillDiscount =>
  percent === null ? { id, lineId, limit, amount: BigInt(amountMinor ?? 0) } : { id, lineId, limit, percent };
const toPaymentState = ({ id, status, amountMinor, covers }: Payment): PaymentState => ({
  id,
  status,
  amount: BigInt(amountMinor),
  covers,
});

/** On a closed bill, what was refunded before it was closed does not count any more. */
const counts = ({ closedAt }: Bill, { refundedAt }: Payment): boolean =>
  closedAt === null || refundedAt === null || refundedAt >= closedAt;

/**
 * The times of a close and of a refund. `counts` compares them: they are in the order of the writes, also if another instance
 * whose clock is ahead has written before.
 */
export const closingTime = ({ payments }: Bill, now: Date): Date =>
  new Date(
    Math.max(now.getTime(), ...payments.flatMap(({ refundedAt }) => (refundedAt ? refundedAt.getTime() + 1 : []))),
  );
export const refundTime = ({ closedAt }: Bill, now: Date): Date =>
  closedAt !== null && closedAt > now ? closedAt : now;

/** What the formulas of `@comanda/contracts/bill-amounts` compute with. */
export const stateOf = ({ bill, orders }: BillWithOrders): BillState => ({
  lines: linesOf(orders).map(toLineState),
  discounts: givenDiscounts(bill).map(toDiscountState),
  serviceCharge: bill.serviceCharge,
  payments: bill.payments.filter((payment) => counts(bill, payment)).map(toPaymentState),
  closed: bill.status === 'closed',
});

/** Staff, the guests of its seating, and whoever has placed one of its orders or pays a part of it, may read a bill. */
export function mayRead(
  { bill, orders }: BillWithOrders,
  caller: Pick<Caller, 'userId' | 'role' | 'seating'>,
): boolean {
  if (caller.role !== 'customer') return true;
  if (caller.seating !== undefined && caller.seating === bill.seating) return true;
  return (
    orders.some(({ ownerId }) => ownerId === caller.userId) ||
    bill.payments.some(({ payer }) => payer?.id === caller.userId)
  );
}

/** The `ETag` of a bill: also the status of its lines, which changes without a new version of the bill. */
export function tagOf({ bill, orders }: BillWithOrders): string {
  const ofOrders = orders.reduce((total, { changedVersion }) => total + changedVersion, 0);
  return `"${bill.id}-${bill.version}-${ofOrders}"`;
}

/** Who reads: `reference` and the reason of a refund are for staff only. */
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
  payer: payment.payer,
  transfer_id: payment.transferId,
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
    // What staff write to each other.
    ...(isStaff && reason !== null && { reason }),
    by: by && { id: by.id, role: by.role },
  };
}

const isHeld = (status: PaymentStatus): boolean => status === 'reserved' || status === 'claimed';

/** How active payments divide the bill: by the coarsest way that there is. */
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
    quantity: item.quantity,
    unit_price: fromMinor(item.unitPriceMinor),
    amount: fromMinor(item.unitPriceMinor * item.quantity),
    discount: fromMinor(sum(own)),
    status: item.status,
    settled: { count, of },
    // Guests do not learn who works here.
    ordered_by: { id: order.ownerId, name: order.placedByStaff ? null : order.ownerName },
  };
}

/** The bill as the API answers it, and, for readers who are not staff, as its events have it. */
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
    day: null,
    created_at: bill.createdAt.toISOString(),
    closed_at: bill.closedAt?.toISOString() ?? null,
    updated_at: bill.updatedAt.toISOString(),
  };
}
