import { CallFailure, type CallOptions, type Client } from '@comanda/client/core';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { KeptPayment, PaymentInput, Transfer } from './pin-payment-state.ts';

/** The payment, and why the server rejected the question whether it was made. */
export type FoundPayment = { payment: BillPayment; failure: CallFailure };
type Question = { input: PaymentInput; kept: KeptPayment; options: CallOptions; noteClaimed: () => void };

const endings = new Set<BillPayment['status']>(['failed', 'expired', 'cancelled']);

/**
 * Asks whether a payment was made, with the same idempotency key and without authorization. If the payment was made, the server
 * repeats the lost response. Asking never pays anything.
 * @throws CallFailure if the server has not decided yet
 */
export async function askAboutPayment({ calls, who }: Client, question: Question): Promise<Transfer | FoundPayment> {
  const { input, kept, options, noteClaimed } = question;
  if (who()?.userId !== kept.payerId) throw undecided('The user who pays has signed out.');
  try {
    return await calls.payBillFromAccount(input, options);
  } catch (failure) {
    if (!(failure instanceof CallFailure) || failure.needsSignIn) throw failure;
    const at = { id: kept.plan.billId, payment_id: input.payment_id };
    const payment = await calls.getBillPayment(at, options.signal ? { signal: options.signal } : {});
    // If the question got no response, only an ended reservation is certain, because it can no longer be paid.
    if (failure.isUndecided && !endings.has(payment.status)) throw failure;
    if (payment.status !== 'claimed') return { payment, failure };
    noteClaimed();
    throw undecided('The payment is being confirmed.');
  }
}

const undecided = (message: string): CallFailure =>
  new CallFailure(message, { code: 'request_in_progress', outcome: 'unknown' });
