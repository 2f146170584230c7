import { pricePart } from '@comanda/contracts/bill-parts';
import type { ClaimPurpose } from '@comanda/contracts/internal';
import { problem, Problem } from '@comanda/contracts/problem';
import { pixReservationMinutes } from '@comanda/contracts/rules';
import type { Actor } from '../actor.ts';
import { fromMinor } from '../money.ts';
import type { BillDecision, BillEntry, BillStep, ClaimRequest, Settlement } from './bill-change.ts';
import { priceOf, type NewPayment } from './bill-payments.ts';
import { refuseOverpaid } from './bill-rules.ts';
import { refundTime, stateOf, type Bill, type BillWithOrders, type Payment } from './bill.ts';

/** How long a part of a bill stays reserved for its payer, in milliseconds. */
const reservationMsOf = ({ method }: Pick<Payment, 'method'>): number =>
  (method === 'pix' ? pixReservationMinutes : 5) * 60_000;
/** The maximum number of payments by account or Pix that one customer can start on a bill. The limit keeps the bill small enough to store. */
const maxReservations = 50;

/** Returns the bill's account payment with this id; null if there is none. */
export const findAccountPayment = ({ payments }: Bill, id: number): Payment | null =>
  payments.find((each) => each.id === id && each.method === 'account') ?? null;

const tooMany = (): Problem =>
  problem('rate_limited', { detail: 'You started too many payments of this bill. Ask a waiter to take the payment.' });
const notPayable = ({ status }: Payment): Problem => problem('payment_not_payable', { payment_status: status });

type PaymentStep = { payment: Payment; to: Partial<Payment>; kind: BillEntry['kind'] };

/** Changes fields of one payment. */
export function changePayment(bill: Bill, { payment, to, kind }: PaymentStep): BillStep {
  const payments = bill.payments.map((each) => (each === payment ? { ...payment, ...to } : each));
  return { bill: { ...bill, payments }, entry: { kind, paymentId: payment.id, amountMinor: payment.amountMinor } };
}

export const giveUp = (
  bill: Bill,
  payment: Payment,
  { to, now }: { to: 'cancelled' | 'expired'; now: Date },
): BillStep =>
  changePayment(bill, { payment, to: { status: to, expiresAt: null, settledAt: now }, kind: `payment_${to}` });

/**
 * Reserves a part of the bill for a customer, or for a Pix that staff ask for. A customer's new reservation replaces the earlier
 * one, whose part counts as free when the price is computed. If the new reservation is rejected, the earlier one stays.
 */
export function reservePayment({ bill, orders }: BillWithOrders, input: NewPayment): BillDecision {
  const { recordedBy, now } = input;
  const payer = recordedBy.role === 'customer' ? { id: recordedBy.id, name: recordedBy.name } : null;
  const own = payer ? bill.payments.filter((each) => each.payer?.id === payer.id) : [];
  if (own.length >= maxReservations) return tooMany();
  const earlier = own.find(({ status }) => status === 'reserved');
  const freed = earlier && giveUp(bill, earlier, { to: 'cancelled', now });
  const free = freed?.bill ?? bill;
  const priced = priceOf({ bill: free, orders }, input);
  if (priced instanceof Problem) return priced;
  const expiresAt = new Date(now.getTime() + reservationMsOf(priced));
  const payment: Payment = { ...priced, status: 'reserved', payer, expiresAt, settledAt: null };
  const reserved: BillStep = {
    bill: { ...free, payments: [...free.payments, payment] },
    entry: { kind: 'payment_reserved', paymentId: payment.id, amountMinor: payment.amountMinor },
  };
  return freed ? [freed, reserved] : [reserved];
}

/** Returns the payment as it was when it was reserved, for the response to a repeated request. */
export const asReserved = (payment: Payment): Payment => ({
  ...payment,
  status: 'reserved',
  expiresAt: new Date(payment.createdAt.getTime() + reservationMsOf(payment)),
  settledAt: null,
  transferId: null,
  pix: payment.pix && { confirmedBy: null, endToEndId: null, refundId: null },
  refundedAt: null,
  refund: null,
});

type Cancelling = { paymentId: number; by: Actor; now: Date };

/** Cancels a reservation on behalf of its payer or staff. Changes nothing if it is already cancelled. */
export function cancelReservation(bill: Bill, { paymentId, by, now }: Cancelling): BillDecision {
  const payment = bill.payments.find(({ id }) => id === paymentId);
  if (!payment || !(by.role !== 'customer' || payment.payer?.id === by.id)) return problem('not_found');
  if (payment.status === 'cancelled') return [];
  return payment.status === 'reserved' ? [giveUp(bill, payment, { to: 'cancelled', now })] : notPayable(payment);
}

export const isOverdue = ({ status, expiresAt }: Payment, now: Date): boolean =>
  status === 'reserved' && expiresAt !== null && expiresAt <= now;

/** Ends each reservation that has expired. Returns the steps, each with the user who made the reservation. */
export function expireReservations(bill: Bill, now: Date): { step: BillStep; payer: Actor }[] {
  const expired: { step: BillStep; payer: Actor }[] = [];
  for (const payment of bill.payments.filter((each) => isOverdue(each, now)))
    expired.push({
      step: giveUp(expired.at(-1)?.step.bill ?? bill, payment, { to: 'expired', now }),
      payer: payment.recordedBy,
    });
  return expired;
}

type Claiming = { paymentId: number; claim: ClaimRequest; by: Actor; now: Date };

/** For each purpose: the status in which a payment can be claimed, its status afterwards, and the name of the history entry. */
const claims = {
  payment: { from: 'reserved', to: 'claimed', kind: 'payment_claimed' },
  refund: { from: 'paid', to: 'refunding', kind: 'payment_refunding' },
} as const;

/**
 * Claims a payment for one step-up token. A claimed payment never expires by itself: only a settlement ends the claim. End
 * overdue reservations before you call this. Changes nothing if this token has already claimed the payment.
 */
export function claimPayment(bill: Bill, { paymentId, claim, by, now }: Claiming): BillDecision {
  const payment = findAccountPayment(bill, paymentId);
  if (!payment) return problem('not_found');
  const { purpose, jti, tokenExpiresAt, totalMinor, currency } = claim;
  const refusal = refuseClaimant(payment, { purpose, by });
  if (refusal) return refusal;
  const { from, to, kind } = claims[purpose];
  const total = payment.amountMinor + payment.tipMinor;
  if (currency !== bill.currency) return problem('currency_mismatch');
  if (totalMinor !== total) return problem('amount_mismatch', { total: fromMinor(total) });
  if (tokenExpiresAt <= now || payment.barredJtis.includes(jti)) return notPayable(payment);
  if (payment.status === to && payment.claim?.jti === jti) return [];
  if (payment.status !== from) return notPayable(payment);
  return [changePayment(bill, { payment, to: { status: to, claim: { purpose, jti, by }, expiresAt: null }, kind })];
}

/**
 * Rejects a claim by the wrong user. Only the payer can claim a reservation. Only a manager can claim a refund, and not of a
 * payment of their own.
 */
function refuseClaimant({ payer }: Payment, { purpose, by }: { purpose: ClaimPurpose; by: Actor }): Problem | null {
  const isPayer = payer?.id === by.id;
  if (purpose === 'payment') return isPayer ? null : problem('not_found');
  if (by.role !== 'manager') return problem(isPayer ? 'forbidden' : 'not_found');
  return isPayer ? problem('forbidden') : null;
}

/** `by`: the user who claimed the payment, or its payer if no one did. */
type Settling = { paymentId: number; settlement: Settlement; by: Actor; now: Date };
type SettlingFound = Omit<Settling, 'paymentId' | 'settlement'> & { payment: Payment };

/** Ends a claim on a payment, as `settlement` proves. Changes nothing if the same settlement has already ended it. */
export function settlePayment(given: BillWithOrders, { paymentId, settlement, ...rest }: Settling): BillDecision {
  const payment = findAccountPayment(given.bill, paymentId);
  if (!payment) return problem('not_found');
  return settlement.kind === 'receipt'
    ? acceptReceipt(given, { payment, receipt: settlement, ...rest })
    : barToken(given.bill, { payment, jti: settlement.jti, ...rest });
}

type Receipt = Extract<Settlement, { kind: 'receipt' }>;

/**
 * Marks a payment as paid or refunded. Requires a receipt for this payment and its total. The receipt is usually for the token
 * that claimed the payment. It may be for another token if the orders database was restored to a time before that claim. Each
 * payment is posted only once, so the receipt proves that the money moved for this payment.
 */
function acceptReceipt(
  given: BillWithOrders,
  { payment, receipt, by, now }: SettlingFound & { receipt: Receipt },
): BillDecision {
  const { bill } = given;
  const { purpose, transferId } = receipt;
  const isOfPayment =
    receipt.paymentId === payment.id &&
    receipt.amount === fromMinor(payment.amountMinor + payment.tipMinor) &&
    receipt.currency === bill.currency &&
    (purpose === 'refund' || receipt.userId === payment.payer?.id);
  if (!isOfPayment) return notPayable(payment);
  if (transferId === (purpose === 'payment' ? payment.transferId : payment.refundTransferId)) return [];
  const isClaimed = payment.claim?.purpose === purpose && payment.claim.jti === receipt.jti;
  const covers = isClaimed ? payment.covers : coversAfterRestore(given, { payment, receipt });
  if (!covers) return notPayable(payment);
  const ended = { covers, claim: null, expiresAt: null };
  const step =
    purpose === 'payment'
      ? changePayment(bill, {
          payment,
          to: { status: 'paid', transferId, settledAt: now, ...ended },
          kind: 'payment_paid',
        })
      : changePayment(bill, {
          payment,
          to: {
            status: 'refunded',
            refundTransferId: transferId,
            refundedAt: refundTime(bill, now),
            refund: { method: 'account', cashDrawer: null, reason: null, by },
            ...ended,
          },
          kind: 'payment_refunded',
        });
  if (!isClaimed && refuseOverpaid({ ...given, bill: step.bill })) return notPayable(payment);
  if (purpose === 'payment') return [step];
  return [{ ...step, exception: { kind: 'refunded', amountMinor: payment.amountMinor } }];
}

const activeBefore: Record<ClaimPurpose, readonly Payment['status'][]> = {
  payment: ['reserved', 'claimed'],
  refund: ['paid', 'refunding'],
};
const endedUnpaid: ReadonlySet<Payment['status']> = new Set(['cancelled', 'expired', 'failed']);

/**
 * Returns what a payment covers if it was paid or refunded with a token other than the one in its claim. A payment that had
 * already ended unpaid covers its dishes only if they are still unpaid; otherwise, it covers a plain amount. Returns null if the
 * receipt is rejected.
 */
function coversAfterRestore(
  { bill, orders }: BillWithOrders,
  { payment, receipt: { purpose, postedAt } }: { payment: Payment; receipt: Receipt },
): Payment['covers'] | null {
  // After a restore, a payment that was created after the transfer is a different payment with the same id.
  if (!(postedAt >= payment.createdAt)) return null;
  const { covers, status } = payment;
  if (activeBefore[purpose].includes(status)) return covers;
  if (purpose === 'refund' || !endedUnpaid.has(status) || bill.status !== 'open') return null;
  return isFree({ bill, orders }, covers) ? covers : { by: 'amount' };
}

/** Returns true if the payment covers dishes that can still be paid for in the same pieces. */
export function isFree(given: BillWithOrders, covers: Payment['covers']): boolean {
  if (covers.by !== 'lines') return false;
  const lines = covers.pieces.map(({ lineId, kind, count, of }) =>
    kind === 'parts' ? { lineId, parts: count, of } : { lineId, quantity: count },
  );
  return pricePart(stateOf(given), { lines }).kind === 'priced';
}

/**
 * Bars a token that will never move money from this payment. Bars it even if it never claimed the payment, because a frozen
 * instance of the transfers service may still try to claim the payment with this token. If the token claimed a payment, the
 * payment is `failed`. If it claimed a refund, the payment is `paid` again.
 */
function barToken(bill: Bill, { payment, jti, now }: SettlingFound & { jti: string }): BillDecision {
  if (payment.barredJtis.includes(jti)) return [];
  const barredJtis = [...payment.barredJtis, jti];
  const { claim } = payment;
  if (claim?.jti !== jti) {
    const payments = bill.payments.map((each) => (each === payment ? { ...payment, barredJtis } : each));
    return [{ bill: { ...bill, payments }, entry: null }];
  }
  const ended = { barredJtis, claim: null };
  return claim.purpose === 'payment'
    ? [changePayment(bill, { payment, to: { status: 'failed', settledAt: now, ...ended }, kind: 'payment_failed' })]
    : [changePayment(bill, { payment, to: { status: 'paid', ...ended }, kind: 'payment_paid' })];
}
