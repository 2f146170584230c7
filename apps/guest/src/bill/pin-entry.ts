import { detailsOfCall, type Consent, type ConsentRequest } from '@comanda/client';
import { paymentInputOf, type PadHint, type PinPaymentState } from './pin-payment-state.ts';

export type PinEntry = ReturnType<typeof openPinEntry>;

/** Hands the PIN over when the server asks for consent, once for each entry. */
export function openPinEntry({ kept }: PinPaymentState, showPad: (hint: PadHint) => void) {
  let waiting: ((consent: Consent | null) => void) | null = null;
  /** Consent to exactly the payment that is shown: the server refuses it for another one or another amount. */
  const consentWith = (pin: string): Consent | null => {
    const input = kept.value && paymentInputOf(kept.value);
    const details = input && detailsOfCall('payBillFromAccount', input);
    return details && { transaction_password: pin, authorization_details: [details] };
  };
  /** Whether somebody waits for the PIN. Null: nobody agrees. */
  function answer(pin: string | null): boolean {
    const resolve = waiting;
    waiting = null;
    resolve?.(pin === null ? null : consentWith(pin));
    return resolve !== null;
  }
  const askForPin = (first: string) => {
    let unused: string | null = first;
    return async ({ challenge, refused }: ConsentRequest): Promise<Consent | null> => {
      // A consent that was given and not accepted: what became of it is asked, and no second one is given in its place.
      if (!refused && (challenge.code !== 'step_up_required' || unused === null)) return null;
      if (unused !== null) {
        const pin = unused;
        unused = null;
        return consentWith(pin);
      }
      const left = refused?.is('transaction_password_invalid') ? refused.problem.attempts_remaining : 0;
      showPad({ kind: 'wrong_pin', left });
      return new Promise((resolve) => {
        waiting = resolve;
      });
    };
  };
  return { askForPin, answer, close: () => answer(null) };
}
