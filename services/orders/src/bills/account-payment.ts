import { pricePart } from '@comanda/contracts/bill-parts';
import type { ClaimPurpose } from '@comanda/contracts/internal';
import { problem, Problem } from '@comanda/contracts/problem';
import { fromMinor } from '../money.ts';
import type { Actor } from '../orders/order.ts';
import { refuseOverpaid, type BillEntry } from '../batch/record-bill-change.ts';
import { priceOf, type NewPayment } from './bill-payments.ts';
import type { ChangedBill } from './bill-rules.ts';
import { refundTime, stateOf, type Bill, type BillWithOrders, type Payment } from './bill.ts';

/** A part stays reserved for its payer so long. */
const reservationMs = 5 * 60_000;

type Change = Exclude<ChangedBill, Problem | null>;
/** So many payments by account may one customer begin at one bill, so that nobody makes it too large to be stored. */
const maxReservations = 50;

/** A payment of this bill from an account; null if there is none with this id. */
export const findAccountPayment = ({ payments }: Bill, id: number): Payment | null =>
  payments.find((each) => each.id === id && each.method === 'account') ?? null;

const tooMany = (): Problem =>
  problem('rate_limited', { detail: 'You started too many payments of this bill. Ask a waiter to take the payment.' });
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
  refundedAt: null,
  refund: null,
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

type ClaimRequest = {
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
      /** Who has consented to it. */
      userId: number;
      postedAt: Date;
    }
  | { kind: 'end'; jti: string };

/** `by`: who has claimed it, or whose it is. */
type Settling = { payment: Payment; settlement: Settlement; by: Actor; now: Date };

/** Ends a claim. The same settlement again changes nothing. */
export const settlePayment = (work: BillWithOrders, settling: Settling): ChangedBill =>
  settling.settlement.kind === 'receipt'
    ? enterReceipt(work, { ...settling, receipt: settling.settlement })
    : barToken(work.bill, { ...settling, jti: settling.settlement.jti });

type Receipt = Extract<Settlement, { kind: 'receipt' }>;

/**
 * Nothing less than the receipt of this payment and its total makes it paid or refunded. It is that of the token that has
 * claimed it; or of another one, if the database of orders was restored to a time before that claim: a payment is posted
 * once, so the money has moved for this payment, and for no other one.
 */
function enterReceipt(
  work: BillWithOrders,
  { payment, receipt, by, now }: Settling & { receipt: Receipt },
): ChangedBill {
  const { bill } = work;
  const { purpose, transferId } = receipt;
  const isOfPayment =
    receipt.paymentId === payment.id &&
    receipt.amount === fromMinor(payment.amountMinor + payment.tipMinor) &&
    receipt.currency === bill.currency &&
    (purpose === 'refund' || receipt.userId === payment.payer?.id);
  if (!isOfPayment) return notPayable(payment);
  if (transferId === (purpose === 'payment' ? payment.transferId : payment.refundTransferId)) return null;
  const { claim } = payment;
  const isClaimed = claim?.purpose === purpose && claim.jti === receipt.jti;
  const covers = isClaimed ? payment.covers : coversAfterRestore(work, { payment, receipt });
  if (!covers) return notPayable(payment);
  const step: Omit<Step, 'payment'> =
    purpose === 'payment'
      ? { to: { status: 'paid', transferId, settledAt: now }, kind: 'payment_paid' }
      : {
          to: {
            status: 'refunded',
            refundTransferId: transferId,
            refundedAt: refundTime(bill, now),
            refund: { method: 'account', reason: null, by },
          },
          kind: 'payment_refunded',
        };
  const to = { ...step.to, covers, claim: null, expiresAt: null };
  const changed = changePayment(bill, { payment, kind: step.kind, to });
  const isTooMuch = !isClaimed && refuseOverpaid({ ...work, bill: changed.bill }) !== null;
  if (isTooMuch) return notPayable(payment);
  const exception = { kind: 'refunded', amountMinor: payment.amountMinor } as const;
  return purpose === 'refund' ? { ...changed, exception } : changed;
}

const activeBefore: Record<ClaimPurpose, readonly Payment['status'][]> = {
  payment: ['reserved', 'claimed'],
  refund: ['paid', 'refunding'],
};
const endedUnpaid: ReadonlySet<Payment['status']> = new Set(['cancelled', 'expired', 'failed']);

/**
 * What a payment covers that another token than its claim's has paid or given back. If its dishes or shares were free in the
 * meantime, others may have taken them: then it is an amount. Null if it cannot be paid or given back so.
 */
function coversAfterRestore(
  { bill, orders }: BillWithOrders,
  { payment, receipt: { purpose, postedAt } }: { payment: Payment; receipt: Receipt },
): Payment['covers'] | null {
  // A payment that was begun after the transfer is another one, which was given the same number.
  if (!(postedAt >= payment.createdAt)) return null;
  const { covers, status } = payment;
  if (activeBefore[purpose].includes(status)) return covers;
  if (purpose === 'refund' || !endedUnpaid.has(status) || bill.status !== 'open') return null;
  return isFree({ bill, orders }, covers) ? covers : { by: 'amount' };
}

/** Whether dishes are open as they were when they were reserved. */
function isFree(work: BillWithOrders, covers: Payment['covers']): boolean {
  if (covers.by !== 'lines') return false;
  const lines = covers.pieces.map(({ lineId, kind, count, of }) =>
    kind === 'parts' ? { lineId, parts: count, of } : { lineId, quantity: count },
  );
  return pricePart(stateOf(work), { lines }).kind === 'priced';
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
