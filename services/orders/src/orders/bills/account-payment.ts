import type { ClaimPurpose } from '@comanda/contracts/bills';
import { problem, Problem } from '@comanda/contracts/problem';
import { fromMinor } from '../../money.ts';
import type { Actor } from '../order.ts';
import type { BillEntry } from './bill-batch.ts';
import { priceOf, type NewPayment } from './bill-payments.ts';
import type { ChangedBill } from './bill-rules.ts';
import type { Bill, BillWithOrders, Payment } from './bill.ts';

/** A part stays reserved for its payer so long. */
export const reservationMs = 5 * 60_000;

type Change = Exclude<ChangedBill, Problem | null>;
/** So many payments by account may one customer begin at one bill, so that nobody makes it too large to be stored. */
const maxReservations = 50;

/** A payment of this bill from an account; null if there is none with this id. */
export const findAccountPayment = ({ payments }: Bill, id: number): Payment | null =>
  payments.find((each) => each.id === id && each.method === 'account') ?? null;

const tooMany = (): Problem =>
  problem('rate_limited', { detail: 'You have begun too many payments of this bill. Ask the staff to take it.' });
const notPayable = ({ status }: Payment): Problem => problem('payment_not_payable', { payment_status: status });

type Step = { payment: Payment; to: Partial<Payment>; kind: BillEntry['kind'] };

/** The bill with another state of one payment. */
function changePayment(bill: Bill, { payment, to, kind }: Step): Change {
  const payments = bill.payments.map((each) => (each === payment ? { ...payment, ...to } : each));
  return { bill: { ...bill, payments }, entry: { kind, paymentId: payment.id, amountMinor: payment.amountMinor } };
}

const giveUp = (bill: Bill, payment: Payment, { to, now }: { to: 'cancelled' | 'expired'; now: Date }): Change =>
  changePayment(bill, { payment, to: { status: to, expiresAt: null, settledAt: now }, kind: `payment_${to}` });

/**
 * Reserves a part of the bill for a customer. It takes the place of the reservation that they have: its part is free for
 * the new price, and it stays if the new one is refused. Returns the changes in their order.
 */
export function reservePayment(
  { bill, orders }: BillWithOrders,
  { payer, ...input }: NewPayment & { payer: NonNullable<Payment['payer']> },
): readonly Change[] | Problem {
  const { now } = input;
  if (bill.payments.filter((each) => each.payer?.id === payer.id).length >= maxReservations) return tooMany();
  const earlier = bill.payments.find((each) => each.payer?.id === payer.id && each.status === 'reserved');
  const freed = earlier && giveUp(bill, earlier, { to: 'cancelled', now });
  const free = freed?.bill ?? bill;
  const priced = priceOf({ bill: free, orders }, input);
  if (priced instanceof Problem) return priced;
  const expiresAt = new Date(now.getTime() + reservationMs);
  const payment: Payment = { ...priced, status: 'reserved', payer, expiresAt, settledAt: null };
  const reserved: Change = {
    bill: { ...free, payments: [...free.payments, payment] },
    entry: { kind: 'payment_reserved', paymentId: payment.id, amountMinor: payment.amountMinor },
  };
  return freed ? [freed, reserved] : [reserved];
}

/** The payment as it was reserved, for the answer to a repeated request. */
export const asReserved = (payment: Payment): Payment => ({
  ...payment,
  status: 'reserved',
  expiresAt: new Date(payment.createdAt.getTime() + reservationMs),
  settledAt: null,
  transferId: null,
});

/** Gives up a reservation. One that was given up already stays so. */
export function cancelReservation(bill: Bill, { payment, now }: { payment: Payment; now: Date }): ChangedBill {
  if (payment.status === 'cancelled') return null;
  return payment.status === 'reserved' ? giveUp(bill, payment, { to: 'cancelled', now }) : notPayable(payment);
}

export const isOverdue = ({ status, expiresAt }: Payment, now: Date): boolean =>
  status === 'reserved' && expiresAt !== null && expiresAt <= now;

/** The reservations whose time has passed end. Returns the changes in their order. */
export function expireReservations(bill: Bill, now: Date): readonly Change[] {
  const changes: Change[] = [];
  for (const payment of bill.payments.filter((each) => isOverdue(each, now)))
    changes.push(giveUp(changes.at(-1)?.bill ?? bill, payment, { to: 'expired', now }));
  return changes;
}

export type ClaimRequest = {
  purpose: ClaimPurpose;
  jti: string;
  tokenExpiresAt: Date;
  totalMinor: number;
  currency: string;
};
type Claiming = { payment: Payment; request: ClaimRequest; by: Actor; now: Date };

/** What a claim begins with, and where it leads. */
const claims = {
  payment: { from: 'reserved', to: 'claimed', kind: 'payment_claimed' },
  refund: { from: 'paid', to: 'refunding', kind: 'payment_refunding' },
} as const;

/**
 * Holds a payment for one step-up token: from here nothing expires by itself, and only a settlement ends it. Reservations
 * that are overdue must have ended before. The same claim again changes nothing.
 */
export function claimPayment(bill: Bill, { payment, request, by, now }: Claiming): ChangedBill {
  const { purpose, jti, tokenExpiresAt, totalMinor, currency } = request;
  const { from, to, kind } = claims[purpose];
  const total = payment.amountMinor + payment.tipMinor;
  if (currency !== bill.currency) return problem('currency_mismatch');
  if (totalMinor !== total) return problem('amount_mismatch', { total: fromMinor(total) });
  if (tokenExpiresAt <= now || payment.barredJtis.includes(jti)) return notPayable(payment);
  if (payment.status === to && payment.claim?.jti === jti) return null;
  if (payment.status !== from) return notPayable(payment);
  const claimed = { status: to, claim: { purpose, jti, by }, expiresAt: null };
  return changePayment(bill, { payment, to: claimed, kind });
}

/** What a statement of transfers proves: that money has moved for a payment, or that a token moves none any more. */
export type Settlement =
  | {
      kind: 'receipt';
      purpose: ClaimPurpose;
      paymentId: number;
      transferId: number;
      jti: string;
      amount: string;
      currency: string;
    }
  | { kind: 'end'; jti: string };

type Settling = { payment: Payment; settlement: Settlement; now: Date };

/** Ends a claim. The same settlement again changes nothing. */
export const settlePayment = (bill: Bill, settling: Settling): ChangedBill =>
  settling.settlement.kind === 'receipt'
    ? enterReceipt(bill, { ...settling, receipt: settling.settlement })
    : barToken(bill, { ...settling, jti: settling.settlement.jti });

type Receipt = Extract<Settlement, { kind: 'receipt' }>;

/** Nothing less than the receipt of this payment, its total and the token that holds it makes it paid or refunded. */
function enterReceipt(bill: Bill, { payment, receipt, now }: Settling & { receipt: Receipt }): ChangedBill {
  const { purpose, transferId } = receipt;
  const isOfPayment =
    receipt.paymentId === payment.id &&
    receipt.amount === fromMinor(payment.amountMinor + payment.tipMinor) &&
    receipt.currency === bill.currency;
  if (!isOfPayment) return notPayable(payment);
  if (transferId === (purpose === 'payment' ? payment.transferId : payment.refundTransferId)) return null;
  const { claim } = payment;
  if (claim?.purpose !== purpose || claim.jti !== receipt.jti) return notPayable(payment);
  const step: Omit<Step, 'payment'> =
    purpose === 'payment'
      ? { to: { status: 'paid', transferId, settledAt: now }, kind: 'payment_paid' }
      : { to: { status: 'refunded', refundTransferId: transferId, refundedAt: now }, kind: 'payment_refunded' };
  return changePayment(bill, { payment, kind: step.kind, to: { ...step.to, claim: null } });
}

/**
 * A token that moves no money bars itself for this payment, whether it has claimed it or not: a frozen instance may still
 * try. If it has claimed it, the payment is `failed`, and one that was to be given back is `paid` again.
 */
function barToken(bill: Bill, { payment, jti, now }: Settling & { jti: string }): ChangedBill {
  if (payment.barredJtis.includes(jti)) return null;
  const barredJtis = [...payment.barredJtis, jti];
  const { claim } = payment;
  if (claim?.jti !== jti) {
    const payments = bill.payments.map((each) => (each === payment ? { ...payment, barredJtis } : each));
    return { bill: { ...bill, payments }, entry: null };
  }
  const step: Omit<Step, 'payment'> =
    claim.purpose === 'payment'
      ? { to: { status: 'failed', settledAt: now }, kind: 'payment_failed' }
      : { to: { status: 'paid' }, kind: 'payment_paid' };
  return changePayment(bill, { payment, kind: step.kind, to: { ...step.to, barredJtis, claim: null } });
}
