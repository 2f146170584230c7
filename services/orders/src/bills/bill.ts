import type {
  BillDiscount,
  BillLine,
  BillPayment as PaymentState,
  BillState,
  Coverage,
  PaymentStatus,
} from '@comanda/contracts/bill-amounts';
import type { BillChange as BillChangeKind, BillStatus } from '@comanda/contracts/bills';
import type { BillPart, PaymentMethod } from '@comanda/contracts/bill-payments';
import type { ClaimPurpose } from '@comanda/contracts/internal';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Actor } from '../actor.ts';
import type { Order, OrderItem } from '../orders/order.ts';

export type Discount = {
  id: number;
  /** Null for a discount on the whole bill. */
  lineId: number | null;
  /** Either `percent` or `amountMinor`; the other one is null. */
  percent: string | null;
  amountMinor: number | null;
  /**
   * The largest share of the bill's current items that all discounts with a limit may take together, in percent. Null if there is
   * no limit, because a manager gave the discount or an earlier release stored it.
   */
  limit: string | null;
  /** Shown to the guest. */
  label: string | null;
  /** True if the discount no longer applies. It stays stored so that a retry of its request does not give a second discount. */
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
  /** The part that the payer asked for. */
  part: BillPart;
  covers: Coverage;
  amountMinor: number;
  tipMinor: number;
  /** The cash handed over; null for other methods, or if it wasn't entered. */
  receivedMinor: number | null;
  reference: string | null;
  /** The customer who pays from an account; null if staff took the payment. */
  payer: { id: number; name: string } | null;
  /** When the reservation ends; null unless it is reserved. */
  expiresAt: Date | null;
  /** Null unless it is claimed or refunding. */
  claim: Claim | null;
  /** Tokens that transfers has barred: they can no longer claim this payment. */
  barredJtis: readonly string[];
  /** The transfer that paid it, and the one that refunded it. */
  transferId: number | null;
  refundTransferId: number | null;
  recordedBy: Actor;
  createdAt: Date;
  settledAt: Date | null;
  refundedAt: Date | null;
  /** How it was refunded, and by whom; null if it wasn't, or an earlier release has written the bill since. */
  refund: Refund | null;
  request: IdempotentRequest | null;
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
  seating: number | null;
  currency: string;
  serviceCharge: { rate: string; included: boolean };
  /** Ids of discounts count from 1 in each bill; none is used again. */
  lastDiscountId: number;
  discounts: readonly Discount[];
  payments: readonly Payment[];
  mergedInto: number | null;
  /** If true, the bill stays closed. */
  areOrdersArchived: boolean;
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

/** An item that is charged, with its order. */
export type Line = { item: OrderItem; order: Order };

/** Returns the items that are charged, in the order in which they were ordered. */
export const linesOf = (orders: readonly Order[]): Line[] =>
  orders
    .flatMap((order) => order.items.map((item) => ({ item, order })))
    .filter(({ item }) => item.status !== 'cancelled')
    .toSorted((first, second) => first.item.id - second.item.id);

export const toLineState = ({ item }: Line): BillLine => ({
  id: item.id,
  quantity: item.quantity,
  unitPrice: BigInt(item.unitPriceMinor),
  taxRate: null,
});
/** Returns the discounts that are not taken away. */
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

/** Returns false for a payment of a closed bill that was refunded before the bill was closed. */
const counts = ({ closedAt }: Bill, { refundedAt }: Payment): boolean =>
  closedAt === null || refundedAt === null || refundedAt >= closedAt;

/**
 * The times when a bill is closed and a payment refunded. `counts` compares them, so they follow the order of the writes, even if
 * an instance whose clock is ahead of ours wrote earlier.
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
