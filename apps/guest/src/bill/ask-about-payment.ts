import { CallFailure, createOutbox, type Client, type Outbox } from '@comanda/client';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { paymentInputOf, type KeptPayment, type Transfer } from './pin-payment-state.ts';

/** What the server says of a payment. `failure`: what it answered to the question. */
export type Found =
  | { kind: 'posted'; transfer: Transfer }
  | { kind: 'payment'; payment: BillPayment; failure: CallFailure };

type Deps = {
  client: Client;
  /** It is taken from the account now: the end follows. */ onClaimed: () => void;
  onFound: (found: Found, kept: KeptPayment) => void;
};
export type PaymentQuestions = Pick<Outbox<KeptPayment>, 'tryNow' | 'close'> & { ask: (kept: KeptPayment) => void };

/**
 * Asks what became of a payment, again and again until the server has decided. It asks with the same idempotency key and
 * without consent: an answer that was lost comes again, and nothing is paid by asking.
 */
export function openPaymentQuestions({ client, onClaimed, onFound }: Deps): PaymentQuestions {
  const outbox = createOutbox<KeptPayment, Found>({
    // The payment is kept already.
    storage: { get: () => [], write: () => {} },
    keyOf: ({ reserveKey }) => reserveKey,
    send: async (kept, { signal }) => {
      const found = await askOnce(client, kept, signal);
      if (found.kind !== 'payment' || found.payment.status !== 'claimed') return found;
      onClaimed();
      throw undecided('The payment is being confirmed.');
    },
    onSent: (kept, found) => onFound(found, kept),
    onRefused: () => {},
    isDecided: () => false,
  });
  return {
    ask: (kept) => {
      const isSame = ({ reserveKey }: KeptPayment): boolean => reserveKey === kept.reserveKey;
      // One of a user who has left cannot be asked about, and holds up no other.
      for (const each of outbox.entries()) if (!isSame(each)) outbox.remove(each.reserveKey);
      if (!outbox.entries().some(isSame)) outbox.add(kept);
    },
    tryNow: outbox.tryNow,
    close: outbox.close,
  };
}

/** @throws CallFailure without an answer */
async function askOnce({ calls, who }: Client, kept: KeptPayment, signal: AbortSignal): Promise<Found> {
  const input = paymentInputOf(kept);
  if (!input || !kept.payment || kept.payKey === null || who()?.userId !== kept.payerId)
    throw undecided('The user who pays has signed out.');
  try {
    const options = { idempotencyKey: kept.payKey, consent: 'never', repeat: 'never', signal } as const;
    return { kind: 'posted', transfer: await calls.payBillFromAccount(input, options) };
  } catch (failure) {
    if (!(failure instanceof CallFailure) || failure.needsSignIn) throw failure;
    const { bill_id: id, id: payment_id } = kept.payment;
    const payment = await calls.getBillPayment({ id, payment_id }, { signal });
    // Without an answer to the question, only the end of the reservation is certain: nothing is taken from then on.
    if (failure.isUndecided && !endings.has(payment.status)) throw failure;
    return { kind: 'payment', payment, failure };
  }
}
const endings = new Set<BillPayment['status']>(['failed', 'expired', 'cancelled']);

const undecided = (message: string): CallFailure =>
  new CallFailure(message, { code: 'request_in_progress', outcome: 'unknown' });
