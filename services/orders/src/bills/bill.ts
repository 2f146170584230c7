import type {
  BillDiscount,
  BillLine,
  BillPayment as PaymentState,
  BillState,
  Coverage,
  PaymentStatus,
} from '@comanda/contracts/bill-amounts';
import type { BillStatus } from '@comanda/contracts/bill-query';
import type { BillChange as BillChangeKind } from '@comanda/contracts/bills';
import type { BillPart, PaymentMethod } from '@comanda/contracts/bill-payments';
import type { ClaimPurpose } from '@comanda/contracts/internal';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Actor } from '../actor.ts';
import { isCharged, type Order, type OrderItem } from '../orders/order.ts';

export type Discount = {
  id: number;
  /** Null for a discount on the whole bill. */
  lineId: number | null;
  /** Either `percent` or `amountMinor` is set; the other is null. */
  percent: string | null;
  amountMinor: number | null;
  /**
   * The largest percentage of the bill's current items that all discounts with a limit may take together. Null for no limit,
   * because a manager gave the discount or an earlier release stored it.
   */
  limit: string | null;
  /** Shown to the guest. */
  label: string | null;
  /** True if the discount no longer applies. It stays stored so that a retry of its request does not give the discount again. */
  isTakenAway: boolean;
  request: IdempotentRequest | null;
};
/** A claim by the transfers service on a payment, with a user's step-up token. The claim ends when the payment settles. */
export type Claim = { purpose: ClaimPurpose; jti: string; by: Actor };
/** What is known about a payment by Pix. */
export type PixOfPayment = {
  /** Null until the payment is paid. */
  confirmedBy: 'bank' | 'staff' | null;
  /** The id of the Pix; null until the bank has reported it. */
  endToEndId: string | null;
  /** The id of the refund while the payment is `refunding` or `refunded` through the bank; otherwise null. */
  refundId: string | null;
};
export type Refund = {
  method: PaymentMethod;
  /** The cash drawer from which the money came; null if it was not refunded in cash. */
  cashDrawer: string | null;
  reason: string | null;
  by: Actor;
};
export type Payment = {
  id: number;
  method: PaymentMethod;
  status: PaymentStatus;
  /** The part that the payer asked for. */
  part: BillPart;
  covers: Coverage;
  amountMinor: number;
  tipMinor: number;
  /** The cash handed over; null for other methods, or if it wasn't entered. */
  receivedMinor: number | null;
  reference: string | null;
  /** The cash drawer that got the money; null if it was not paid in cash. */
  cashDrawer: string | null;
  /** The customer who pays from an account or by Pix; null if staff took the payment. */
  payer: { id: number; name: string } | null;
  /** When the reservation expires; null unless the payment's status is `reserved`. */
  expiresAt: Date | null;
  /** Null unless the payment's status is `claimed` or `refunding`. */
  claim: Claim | null;
  /** The `jti`s of tokens that will never move money. They can no longer claim this payment. */
  barredJtis: readonly string[];
  /** The ids of the transfers that paid and refunded the payment; null for other methods. */
  transferId: number | null;
  refundTransferId: number | null;
  /** Null for other methods than Pix. */
  pix: PixOfPayment | null;
  recordedBy: Actor;
  createdAt: Date;
  settledAt: Date | null;
  refundedAt: Date | null;
  /** How and by whom the payment was refunded. Null if it wasn't, or if an earlier release has written the bill since. */
  refund: Refund | null;
  request: IdempotentRequest | null;
};
/** The sums of a bill when it was closed, in minor units, with the number of the day and the user who closed it. */
export type Closing = {
  day: number;
  itemsTotalMinor: number;
  discountTotalMinor: number;
  serviceChargeMinor: number;
  roundingMinor: number;
  totalMinor: number;
  by: { id: number; name: string };
};
/** The bill of one seating, or of one order without a seating. Its lines are the items of its orders. */
export type Bill = {
  id: number;
  status: BillStatus;
  /** Grows by 1 with each change. */
  version: number;
  /** Assigned when the bill is first closed. */
  number: number | null;
  table: string | null;
  /** When the guests last changed table; null if they haven't, or if an earlier release moved them. */
  movedAt: Date | null;
  seating: number | null;
  /** The number of guests; null if staff have not entered it. */
  covers: number | null;
  currency: string;
  serviceCharge: { rate: string; included: boolean };
  /** The id of the bill's newest discount. Ids start at 1 in each bill and are never reused. */
  lastDiscountId: number;
  discounts: readonly Discount[];
  payments: readonly Payment[];
  mergedInto: number | null;
  /** True if orders on the bill may be in the archive. Such a bill can't be reopened. */
  areOrdersArchived: boolean;
  /** The day in which the bill was closed, and its sums. Null unless it is closed, and if an earlier release closed it. */
  closing: Closing | null;
  createdAt: Date;
  closedAt: Date | null;
  updatedAt: Date;
};
export type BillWithOrders = { bill: Bill; orders: readonly Order[] };

/** One change to a bill, in its history. */
export type BillHistoryEntry = {
  at: Date;
  actor: Actor;
  what: BillChangeKind;
  reason?: string;
  amount?: string;
  line_id?: number;
  payment_id?: number;
  version: number;
};

/** An item that is charged, with the order that contains it. */
export type Line = { item: OrderItem; order: Order };

/** Returns the items that are charged, in the order in which they were ordered. */
export const linesOf = (orders: readonly Order[]): Line[] =>
  orders
    .flatMap((order) => order.items.map((item) => ({ item, order })))
    .filter(({ item }) => isCharged(item))
    .toSorted((first, second) => first.item.id - second.item.id);

export const toLineState = ({ item }: Line): BillLine => ({
  id: item.id,
  quantity: item.quantity,
  unitPrice: BigInt(item.unitPriceMinor),
  taxRate: null,
});
/** Returns the discounts that still apply. */
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

/** Returns false if the payment was refunded before the bill was closed. Such a payment doesn't count in the closed bill. */
const counts = ({ closedAt }: Bill, { refundedAt }: Payment): boolean =>
  closedAt === null || refundedAt === null || refundedAt >= closedAt;

/**
 * The times when a bill is closed and when a payment is refunded. `counts` compares the two times, so they must be in the same
 * order as the writes, even if another instance's clock is ahead.
 */
export const closingTime = ({ payments }: Bill, now: Date): Date =>
  new Date(
    Math.max(now.getTime(), ...payments.flatMap(({ refundedAt }) => (refundedAt ? refundedAt.getTime() + 1 : []))),
  );
export const refundTime = ({ closedAt }: Bill, now: Date): Date =>
  closedAt !== null && closedAt > now ? closedAt : now;

/** Returns the input for the formulas of `@comanda/contracts/bill-amounts`. */
export const stateOf = ({ bill, orders }: BillWithOrders): BillState => ({
  lines: linesOf(orders).map(toLineState),
  discounts: givenDiscounts(bill).map(toDiscountState),
  serviceCharge: bill.serviceCharge,
  payments: bill.payments.filter((payment) => counts(bill, payment)).map(toPaymentState),
  closed: bill.status === 'closed',
});

/** Returns true for staff, the guests of the bill's seating, and users who placed one of its orders or pay a part of it. */
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

/** Returns a bill's `ETag`. It includes the status of the bill's lines, which changes without a new version of the bill. */
export function tagOf({ bill, orders }: BillWithOrders): string {
  const ofOrders = orders.reduce((total, { changedVersion }) => total + changedVersion, 0);
  return `"${bill.id}-${bill.version}-${ofOrders}"`;
}
