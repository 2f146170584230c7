import { problem } from '@comanda/contracts/problem';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { keyOf, type PixDecision } from '../pix/pix-decision.ts';
import { decidePixPayment, decidePixRefund, type PixPaymentFound } from '../pix/pix-rules.ts';
import type { BatchState } from './batch-state.ts';
import { recordBillStep } from './record-bill-change.ts';
import type { DecidePix, WrittenPix } from './write.ts';

/**
 * Decides what a statement about a Pix means for its payment, and records the decision and the bill's steps in `state`. A
 * statement that was decided before gets the same decision, and changes nothing.
 */
export function decidePix(state: BatchState, { statement, context }: DecidePix): Outcome<WrittenPix> {
  const decisions = [...state.pix.known, ...state.pix.added];
  const key = keyOf(statement);
  const earlier = decisions.find((each) => each.key === key);
  if (earlier) return { value: { decision: earlier } };

  const { end_to_end_id: endToEndId, payment_id: paymentId, payment_created_at: createdAt, purpose } = statement;
  const paying = decisions.filter(
    (each) => each.purpose === 'payment' && each.outcome === 'accepted' && each.endToEndId,
  );
  const paidId =
    endToEndId === null ? null : (paying.find((each) => each.endToEndId === endToEndId)?.paymentId ?? null);
  const paidBySame = paidId === null ? null : findPayment(state, paidId);
  // Another statement about the same Pix was decided after this one had looked for it. Transfers asks again.
  if (paidId !== null && !paidBySame) return { error: problem('service_unavailable') };
  const facts = {
    paidBySame,
    paidWith: paying.find((each) => each.paymentId === paymentId)?.endToEndId ?? null,
    now: state.now,
  };
  const named = paymentId === null ? null : findPayment(state, paymentId);
  const found = named?.payment.createdAt.toISOString() === createdAt ? named : null;
  const {
    reason,
    paymentId: decidedId,
    steps,
    isFinal,
  } = purpose === 'payment' ? decidePixPayment(statement, { ...facts, found }) : decidePixRefund(statement, facts);
  for (const step of steps) recordBillStep(state, step, context);
  const outcome = reason === null ? 'accepted' : 'refused';
  const decision: PixDecision = { key, purpose, endToEndId, outcome, reason, paymentId: decidedId };
  if (isFinal) state.pix.added.push(decision);
  return { value: { decision } };
}

/** Finds a payment by Pix on the batch's bills. */
function findPayment({ bills }: BatchState, id: number): PixPaymentFound | null {
  for (const { bill, orders } of bills.byId.values()) {
    const payment = bill.payments.find((each) => each.id === id && each.method === 'pix');
    if (payment) return { given: { bill, orders }, payment };
  }
  return null;
}
