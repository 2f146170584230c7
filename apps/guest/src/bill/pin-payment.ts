import type { Client } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import type { ReadonlySignal } from '@preact/signals';
import { openPaymentQuestions } from './ask-about-payment.ts';
import { confirmPayment, giveUp } from './confirm-payment.ts';
import { followBill, noteClaimed, onFound, openTimers, resume } from './follow-payment.ts';
import { openPinEntry } from './pin-entry.ts';
import { createPinPaymentState, type KeptPayment, type PadHint, type Plan } from './pin-payment-state.ts';
import { createPreparation } from './prepare-payment.ts';

type Deps = { client: Client; bills: ReadonlySignal<readonly Bill[]> };
export type PinPayment = ReturnType<typeof openPinPayment>;

/**
 * One payment of a part of the bill from an account, from the reservation to its end, however often an answer is lost. A
 * reservation is given up when its page is left; a payment that may be on its way is asked about until the server has
 * answered, also after a reload, with one idempotency key: it is made once at most.
 */
export function openPinPayment({ client, bills }: Deps) {
  const state = createPinPaymentState();
  const { kept, stage, change } = state;
  const showPad = (hint: PadHint | null): void => {
    change({ isSent: false });
    stage.value = { kind: 'pad', hint };
  };
  const context = { client, state, showPad, pinEntry: openPinEntry(state, showPad) };
  const preparation = createPreparation({ client, state, onReserved: () => showPad(null) });
  const questions = openPaymentQuestions({
    client,
    onClaimed: () => noteClaimed(state),
    onFound: (found, of) => onFound(context, found, of),
  });
  const ask = (): void => {
    if (!kept.value) return;
    if (stage.value.kind !== 'asking') stage.value = { kind: 'asking', isLate: true, isClaimed: false };
    questions.ask(kept.value);
  };
  const stopFollowing = followBill(context, bills);
  const stopTimers = openTimers(context);
  const isOwn = (): boolean => kept.value?.payerId === client.who()?.userId;
  if (kept.value?.isSent && isOwn()) ask();
  return {
    kept,
    stage,
    ...preparation,
    confirm: (pin: string): Promise<void> => confirmPayment({ ...context, ask }, pin),
    askNow: questions.tryNow,
    /** What is meant from now on. One that may be on its way goes on first. */
    begin: (plan: Plan): void => {
      if (kept.value?.isSent && stage.value.kind === 'asking' && isOwn()) return;
      stage.value = { kind: 'preparing' };
      state.keep(newPayment(plan, client));
    },
    /** The page is shown to who pays: goes on where it was. */
    enter: async (): Promise<void> => {
      if (!kept.value || stage.value.kind === 'asking' || state.hasEnded()) return;
      const { payment } = kept.value;
      if (!payment || !isOwn()) return preparation.prepare();
      if (stage.value.kind !== 'pad') await resume(context, payment);
    },
    /** Begins again after the last reservation has ended. */
    beginAgain: (): Promise<void> => {
      change({ payment: null });
      giveUp(context);
      return preparation.prepare();
    },
    /** The page is left: what is reserved and not paid is free again. */
    leave: (): void => {
      if (stage.value.kind === 'pad' || stage.value.kind === 'preparing') giveUp(context);
      if (stage.value.kind === 'ended') state.keep(null);
      if (stage.value.kind !== 'asking') stage.value = { kind: 'preparing' };
    },
    close: (): void => {
      context.pinEntry.close();
      stopFollowing();
      stopTimers();
      questions.close();
    },
  };
}

const newPayment = (plan: Plan, { newKey }: Client): KeptPayment => ({
  plan,
  payerId: null,
  reserveKey: newKey(),
  accountId: null,
  payment: null,
  payKey: null,
  isSent: false,
  at: Date.now(),
});
