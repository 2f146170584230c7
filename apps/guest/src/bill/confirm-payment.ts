import { CallFailure } from '@comanda/client';
import type { PaymentContext } from './follow-payment.ts';
import type { PinEntry } from './pin-entry.ts';
import { paymentInputOf } from './pin-payment-state.ts';
import { giveUpReservation } from './prepare-payment.ts';

type EntryContext = PaymentContext & { pinEntry: PinEntry };
type ConfirmContext = EntryContext & { /** Asks what became of it. */ ask: () => void };

/** Pays with this PIN: the last step. */
export async function confirmPayment(context: ConfirmContext, pin: string): Promise<void> {
  const { client, state, pinEntry } = context;
  const { kept, stage, change } = state;
  if (stage.value.kind !== 'pad' || !kept.value) return;
  const payKey = kept.value.payKey ?? client.newKey();
  change({ payKey, isSent: true });
  stage.value = { kind: 'asking', isLate: false, isClaimed: false };
  if (pinEntry.answer(pin)) return;
  const input = paymentInputOf(kept.value);
  if (!input) return;
  const { payment } = kept.value;
  // Somebody else may have begun another payment on this phone, or the feed may have told the end.
  const isShown = (): boolean => kept.value?.payKey === payKey;
  try {
    const options = { idempotencyKey: payKey, consent: pinEntry.askForPin(pin) };
    const transfer = await client.calls.payBillFromAccount(input, options);
    if (isShown()) state.end({ outcome: 'paid', payment, transfer });
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure;
    if (isShown() && !state.hasEnded()) refuse(context, failure);
  }
}

function refuse(context: ConfirmContext, failure: CallFailure): void {
  const { state, ask } = context;
  if (failure.is('insufficient_funds')) state.end({ outcome: 'failed', failure });
  else if (failure.code.startsWith('transaction_password_') || failure.is('transfers_stopped')) {
    state.change({ isSent: false });
    giveUp(context);
    if (failure.is('transaction_password_blocked'))
      state.stage.value = { kind: 'blocked', until: failure.problem.blocked_until ?? null };
    else state.end({ outcome: 'cancelled', failure });
  }
  // Whether it was taken is not certain, or the answer is about the payment: the payment itself says it.
  else ask();
}

/** Ends the reservation before it is paid. Another one has other keys. */
export function giveUp({ client, state, pinEntry }: EntryContext): void {
  const { payment, isSent } = state.kept.value ?? {};
  pinEntry.answer(null);
  if (payment && !isSent) giveUpReservation(client, payment);
  state.change({ payment: null, payKey: null, isSent: false, reserveKey: client.newKey() });
}
