import type { PixRefusal } from '@comanda/contracts/pix-internal';
import { changePayment, giveUp, isFree } from '../bills/account-payment.ts';
import type { BillStep } from '../bills/bill-change.ts';
import { refuseOverpaid } from '../bills/bill-rules.ts';
import { refundTime, type BillWithOrders, type Payment, type PixOfPayment } from '../bills/bill.ts';
import { fromMinor } from '../money.ts';
import type { ProvenStatement } from './pix-decision.ts';

/** A payment with its bill. */
export type PixPaymentFound = { given: BillWithOrders; payment: Payment };
/** What else decides about a statement. */
export type PixFacts = {
  /** The payment that this Pix has paid, in whatever status it is now; null if it has paid none. */
  paidBySame: PixPaymentFound | null;
  /** The Pix that has paid the payment, if the bank has confirmed it; null if none has. */
  paidWith: string | null;
  now: Date;
};
/** The outcome of a statement, and the steps that it takes on the bill. `isFinal`: the outcome is stored. */
export type PixOutcome = {
  reason: PixRefusal | null;
  paymentId: number | null;
  steps: readonly BillStep[];
  isFinal: boolean;
};

const accepted = (paymentId: number | null, steps: readonly BillStep[] = []): PixOutcome => ({
  reason: null,
  paymentId,
  steps,
  isFinal: true,
});
const refused = (reason: PixRefusal, paymentId: number | null): PixOutcome => ({
  reason,
  paymentId,
  steps: [],
  isFinal: true,
});

/**
 * Decides about a statement that a Pix has been received, or that staff have seen it. `found`: the payment that it names, with
 * its id and the time of its reservation; null if there is none.
 */
export function decidePixPayment(
  statement: ProvenStatement,
  { found, ...facts }: PixFacts & { found: PixPaymentFound | null },
): PixOutcome {
  if (statement.payment_id === null) return findPaid(facts);
  if (!found) return refused('not_found', statement.payment_id);
  const { bill } = found.given;
  const { id, amountMinor, tipMinor, status } = found.payment;
  if (statement.amount !== fromMinor(amountMinor + tipMinor) || statement.currency !== bill.currency)
    return refused('wrong_amount', id);
  if (facts.paidBySame && facts.paidBySame.payment.id !== id) return refused('already_paid', id);
  if (status === 'reserved') return accepted(id, [pay(found, { statement, now: facts.now })]);
  if (status === 'cancelled' || status === 'expired') return payLate(found, { statement, now: facts.now });
  if (status === 'paid') return confirmAgain(found, { statement, paidWith: facts.paidWith });
  return refused('refunded', id);
}

/** Returns the payment that a Pix without a charge has paid: transfers may have been restored since. */
function findPaid({ paidBySame }: PixFacts): PixOutcome {
  const isPaid = paidBySame && ['paid', 'refunding'].includes(paidBySame.payment.status);
  return isPaid ? accepted(paidBySame.payment.id) : { ...refused('no_charge', null), isFinal: false };
}

type Paying = { statement: ProvenStatement; now: Date };

/** Marks a payment as paid. If a manager has assigned the Pix, that is an exception. */
function pay({ given: { bill }, payment }: PixPaymentFound, { statement, now }: Paying): BillStep {
  const { reference } = statement;
  const to = {
    status: 'paid',
    expiresAt: null,
    settledAt: now,
    pix: proofIn(statement),
    ...(reference !== undefined && { reference }),
  } as const;
  return { ...changePayment(bill, { payment, to, kind: 'payment_paid' }), ...exceptionOf(payment, statement) };
}

const proofIn = ({ confirmed_by, end_to_end_id }: ProvenStatement): PixOfPayment => ({
  confirmedBy: confirmed_by,
  endToEndId: end_to_end_id,
  refundId: null,
});

const exceptionOf = ({ amountMinor }: Payment, { by, confirmed_by }: ProvenStatement): Pick<BillStep, 'exception'> =>
  by && confirmed_by === 'bank' ? { exception: { kind: 'pix_assigned', amountMinor } } : {};

/**
 * Pays with a Pix that comes after its reservation has ended, if the part is still free. If it isn't, a later reservation for the
 * same Pix is given up for it: the payer has asked for another code, and then paid with the first one.
 */
function payLate(found: PixPaymentFound, paying: Paying): PixOutcome {
  const { given, payment } = found;
  const { id } = payment;
  if (given.bill.status !== 'open') return refused('bill_closed', id);
  const atOnce = payIfFree(found, paying);
  if (atOnce) return accepted(id, [atOnce]);
  for (const later of given.bill.payments.filter((each) => isAnotherCode(each, payment))) {
    const freed = giveUp(given.bill, later, { to: 'cancelled', now: paying.now });
    const step = payIfFree({ given: { ...given, bill: freed.bill }, payment }, paying);
    if (step) return accepted(id, [freed, step]);
  }
  return refused('part_taken', id);
}

/** Pays the same dishes if they are still unpaid, otherwise an amount. Returns null if the bill would be overpaid. */
function payIfFree({ given, payment }: PixPaymentFound, paying: Paying): BillStep | null {
  const covers = isFree(given, payment.covers) ? payment.covers : ({ by: 'amount' } as const);
  const covering = { ...payment, covers };
  const payments = given.bill.payments.map((each) => (each === payment ? covering : each));
  const bill = { ...given.bill, payments };
  const step = pay({ given: { ...given, bill }, payment: covering }, paying);
  return refuseOverpaid({ ...given, bill: step.bill }) ? null : step;
}

const isAnotherCode = (later: Payment, payment: Payment): boolean =>
  later.id > payment.id &&
  later.method === 'pix' &&
  later.status === 'reserved' &&
  later.amountMinor + later.tipMinor === payment.amountMinor + payment.tipMinor &&
  (later.payer === null || later.payer.id === payment.payer?.id);

/**
 * Decides about a payment that is already paid. The bank's Pix replaces staff's word. A second Pix pays nothing. What staff
 * confirm again stays as it is.
 */
function confirmAgain(
  { given: { bill }, payment }: PixPaymentFound,
  { statement, paidWith }: { statement: ProvenStatement; paidWith: string | null },
): PixOutcome {
  const { id } = payment;
  if (statement.confirmed_by === 'staff') return accepted(id);
  const earlier = paidWith ?? payment.pix?.endToEndId ?? null;
  if (earlier !== null) return earlier === statement.end_to_end_id ? accepted(id) : refused('already_paid', id);
  const step = changePayment(bill, { payment, to: { pix: proofIn(statement) }, kind: 'payment_paid' });
  return accepted(id, [{ ...step, ...exceptionOf(payment, statement) }]);
}

/**
 * Decides about a statement that a refund begins, was done or has failed. It is about the payment that the Pix has paid. Money
 * that has paid nothing may always be returned.
 */
export function decidePixRefund(statement: ProvenStatement, { paidBySame, now }: PixFacts): PixOutcome {
  if (!paidBySame) return accepted(null);
  const { given, payment } = paidBySame;
  const { bill } = given;
  const { id, status, amountMinor } = payment;
  const { refund_id: refundId, purpose, by } = statement;
  const known = payment.pix ?? { confirmedBy: 'bank', endToEndId: statement.end_to_end_id, refundId: null };
  const isOwn = status === 'refunding' && known.refundId === refundId;
  if (purpose === 'refund_begun') {
    if (isOwn) return accepted(id);
    if (status !== 'paid' && status !== 'refunding') return refused('refunded', id);
    const to = { status: 'refunding', pix: { ...known, refundId } } as const;
    return accepted(id, [changePayment(bill, { payment, to, kind: 'payment_refunding' })]);
  }
  if (!isOwn) return accepted(id);
  if (purpose === 'refund_failed') {
    const to = { status: 'paid', pix: { ...known, refundId: null } } as const;
    return accepted(id, [changePayment(bill, { payment, to, kind: 'payment_paid' })]);
  }
  const refund = { method: 'pix', cashDrawer: null, reason: null, by: by ?? payment.recordedBy } as const;
  const to = { status: 'refunded', refundedAt: refundTime(bill, now), refund } as const;
  const step = changePayment(bill, { payment, to, kind: 'payment_refunded' });
  return accepted(id, [{ ...step, exception: { kind: 'refunded', amountMinor } }]);
}
