import type { payBill } from '@comanda/contracts/bills';
import { pricePart, type BillPart as PartState, type PartRefusal } from '@comanda/contracts/bill-parts';
import { billAmounts } from '@comanda/contracts/bill-amounts';
import type { BodyOf } from '@comanda/contracts/endpoint';
import { problem, type Problem } from '@comanda/contracts/problem';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { fromMinor, toMinor } from '../../money.ts';
import type { Actor } from '../order.ts';
import { refuseUnlessOpen } from './bill-batch.ts';
import type { ChangedBill } from './bill-rules.ts';
import { stateOf, type BillWithOrders, type Payment } from './bill.ts';

type Body = BodyOf<typeof payBill>;

/** @throws TypeError if the part is none of those that the contract accepts */
function toPartState({ rest, shares, of, amount, lines }: Body['part']): PartState {
  if (rest) return { rest: true };
  if (shares !== undefined && of !== undefined) return { shares, of };
  if (amount !== undefined) return { amount: BigInt(toMinor(amount)) };
  if (lines === undefined) throw new TypeError('a part without a way to divide');
  return {
    lines: lines.map(({ line_id: lineId, quantity, parts, of: ofParts }) => {
      if (parts !== undefined && ofParts !== undefined) return { lineId, parts, of: ofParts };
      return { lineId, ...(quantity !== undefined && { quantity }) };
    }),
  };
}

function problemOf(refusal: PartRefusal): Problem {
  if (refusal.kind === 'nothing_to_pay') return problem('nothing_to_pay');
  if (refusal.kind === 'amount_exceeds_remaining')
    return problem('amount_exceeds_remaining', { remaining: fromMinor(refusal.remaining) });
  const { lineId, sharesOf, sharesTaken } = refusal;
  return problem('bill_split_conflict', {
    ...(lineId !== undefined && { line_id: lineId }),
    ...(sharesOf !== undefined && { shares_of: sharesOf }),
    ...(sharesTaken !== undefined && { shares_taken: sharesTaken }),
  });
}

type NewPayment = { id: number; body: Body; recordedBy: Actor; request: IdempotentRequest | null; now: Date };

/** Records what staff have taken in cash, by card or in another way: at the price of this moment, or not at all. */
export function recordPayment(work: BillWithOrders, { id, body, recordedBy, request, now }: NewPayment): ChangedBill {
  const { bill } = work;
  const closed = refuseUnlessOpen(bill);
  if (closed) return closed;
  const state = stateOf(work);
  const priced = pricePart(state, toPartState(body.part));
  if (priced.kind !== 'priced') return problemOf(priced);
  const amountMinor = Number(priced.amount);
  if (toMinor(body.expected_amount) !== amountMinor) {
    const remaining = fromMinor(billAmounts(state).remaining);
    return problem('bill_changed', { amount: fromMinor(amountMinor), remaining, version: bill.version });
  }
  const tipMinor = toMinor(body.tip ?? '0');
  const receivedMinor = body.received === undefined ? null : toMinor(body.received);
  if (receivedMinor !== null && receivedMinor < amountMinor + tipMinor) return problem('amount_too_small');
  const payment: Payment = {
    id,
    method: body.method,
    status: 'paid',
    part: body.part,
    covers: priced.covers,
    amountMinor,
    tipMinor,
    receivedMinor,
    reference: body.reference ?? null,
    recordedBy,
    createdAt: now,
    settledAt: now,
    refundedAt: null,
    request,
  };
  return {
    bill: { ...bill, payments: [...bill.payments, payment] },
    entry: { kind: 'payment_recorded', paymentId: id, amountMinor },
  };
}

/** A payment that was taken by hand is given back by hand. */
export function refundPayment(
  { bill }: BillWithOrders,
  { paymentId, now }: { paymentId: number; now: Date },
): ChangedBill {
  const payment = bill.payments.find(({ id }) => id === paymentId);
  if (!payment) return problem('not_found');
  if (payment.status !== 'paid') return problem('payment_not_payable', { payment_status: payment.status });
  const payments = bill.payments.map((each): Payment =>
    each === payment ? { ...payment, status: 'refunded', refundedAt: now } : each,
  );
  return {
    bill: { ...bill, payments },
    entry: { kind: 'payment_refunded', paymentId, amountMinor: payment.amountMinor },
  };
}
