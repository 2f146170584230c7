import { CallFailure, type Client } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { effect, untracked, type ReadonlySignal } from '@preact/signals';
import type { Found } from './ask-about-payment.ts';
import type { KeptPayment, PadHint, PinPaymentState } from './pin-payment-state.ts';

/** After this time without an answer, the page says that nobody knows yet. */
const lateAfterMs = 8000;

export type PaymentContext = { client: Client; state: PinPaymentState };
export type PadContext = PaymentContext & { showPad: (hint: PadHint | null) => void };

/** After a reload: the reservation as the server has it. */
export async function resume({ client, state, showPad }: PadContext, payment: BillPayment): Promise<void> {
  const { bill_id: id, id: payment_id } = payment;
  /** The page may be left meanwhile. */
  const isShown = (): boolean => state.kept.value?.payment?.id === payment_id;
  try {
    const now = await client.calls.getBillPayment({ id, payment_id });
    if (!isShown()) return;
    if (now.status === 'reserved') showPad(null);
    else follow({ client, state }, now);
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure;
    if (isShown()) state.stage.value = { kind: 'not_reserved', failure };
  }
}

/** What the questions have found out of this payment. Another one may have begun since. */
export function onFound(context: PadContext, found: Found, { reserveKey }: KeptPayment): void {
  const { state, showPad } = context;
  if (state.stage.value.kind === 'ended' || state.kept.value?.reserveKey !== reserveKey) return;
  if (found.kind === 'posted')
    return state.end({ outcome: 'paid', payment: state.kept.value?.payment ?? null, transfer: found.transfer });
  if (found.payment.status === 'reserved') return showPad({ kind: 'not_taken' });
  follow(context, found.payment, found.failure);
}

/** It is neither paid nor failed. */
export function noteClaimed({ stage }: PinPaymentState): void {
  if (stage.value.kind === 'asking' && !stage.value.isClaimed) stage.value = { ...stage.value, isClaimed: true };
}

/** Follows the payment on the bill, as the feed brings it. */
export function followBill(context: PaymentContext, bills: ReadonlySignal<readonly Bill[]>): () => void {
  return effect(() => {
    const { payment } = context.state.kept.value ?? {};
    const bill = bills.value.find(({ id }) => id === payment?.bill_id);
    const now = bill?.payments.find(({ id }) => id === payment?.id);
    if (now) untracked(() => follow(context, now));
  });
}

/** What the server says of the payment, from an answer or from the feed. Only `paid` overrules an end. */
function follow(context: PaymentContext, payment: BillPayment, failure: CallFailure | null = null): void {
  const { state } = context;
  const { kind } = state.stage.value;
  if (payment.status === 'paid') return void endPaid(context, payment);
  if (kind === 'ended') return;
  if (payment.status === 'claimed') noteClaimed(state);
  else if (payment.status === 'failed' || payment.status === 'expired' || payment.status === 'cancelled') {
    // The answer to a call that is on its way says more.
    if (kind !== 'asking' || failure) state.end({ outcome: payment.status, failure });
  }
}

/** @throws nothing: without its receipt, a payment is paid all the same */
async function endPaid({ client, state }: PaymentContext, payment: BillPayment): Promise<void> {
  const { stage, kept } = state;
  if (stage.value.kind === 'ended' && stage.value.outcome === 'paid') return;
  state.end({ outcome: 'paid', payment, transfer: null });
  if (payment.transfer_id === null) return;
  try {
    const transfer = await client.calls.getTransfer({ id: payment.transfer_id });
    const isShown = stage.value.kind === 'ended' && kept.value?.payment?.id === payment.id;
    if (isShown) state.end({ outcome: 'paid', payment, transfer });
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
  }
}

/** Ends a reservation whose time is over, and says when an answer is late. */
export function openTimers({ client, state }: PaymentContext): () => void {
  const { kept, stage } = state;
  return effect(() => {
    const { kind } = stage.value;
    const { payment } = kept.value ?? {};
    if (kind === 'asking' && !stage.value.isLate) {
      const timer = setTimeout(() => {
        if (stage.value.kind === 'asking') stage.value = { ...stage.value, isLate: true };
      }, lateAfterMs);
      return () => clearTimeout(timer);
    }
    if (kind !== 'pad' || payment?.expires_at == null) return undefined;
    const leftMs = Date.parse(payment.expires_at) - client.now();
    const timer = setTimeout(() => state.end({ outcome: 'expired', failure: null }), Math.max(0, leftMs));
    return () => clearTimeout(timer);
  });
}
