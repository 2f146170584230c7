import { CallFailure, type Client } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { pinCall, type PinCall, type PinHint } from '@comanda/ui/pin-call.ts';
import { batch, computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import { askAboutPayment, type FoundPayment } from './ask-about-payment.ts';
import {
  openKeptPayment,
  paymentInputOf,
  type Ending,
  type KeptPayment,
  type Plan,
  type Stage,
  type Step,
  type Transfer,
} from './pin-payment-state.ts';
import { cancelReservation, preparePayment } from './prepare-payment.ts';

type Deps = { client: Client; bills: ReadonlySignal<readonly Bill[]> };
type From = { kind: 'pin'; hint: PinHint | null } | { kind: 'asking' };
export type PinPayment = ReturnType<typeof openPinPayment>;

/**
 * Returns true for failures that prove that no money has moved. After any other failure, the payment's status says what happened.
 */
const isDecided = ({ code }: CallFailure): boolean =>
  code === 'insufficient_funds' || code === 'transfers_stopped' || code.startsWith('transaction_password_');

/**
 * Pays a part of the bill from an account, from the reservation to the outcome, even if responses are lost. Leaving the page
 * releases the reservation. If a payment may have been sent, the page asks about it until the server responds, even after a
 * reload. The payment has one idempotency key, so it is made at most once.
 */
export function openPinPayment({ client, bills }: Deps) {
  const { kept, keep, change, forget } = openKeptPayment();
  const step = signal<Step>({ kind: 'preparing' });
  const call = signal<PinCall<Transfer | FoundPayment> | null>(null);
  /** Cancels the current step when the user leaves the page or a later step starts. */
  let visit = new AbortController();
  /** The payment as the feed last sent it; undefined until its bill is loaded. */
  const onBill = computed<BillPayment | undefined>(() => {
    const { payment } = kept.value ?? {};
    return bills.value.find(({ id }) => id === payment?.bill_id)?.payments.find(({ id }) => id === payment?.id);
  });
  const stage = computed<Stage>(() => {
    const at = call.value?.stage.value;
    if (at?.kind === 'pin') return at;
    if (at?.kind !== 'sending' && at?.kind !== 'asking') return step.value;
    const isClaimed = (at.kind === 'asking' && at.isClaimed) || onBill.value?.status === 'claimed';
    return { kind: 'asking', isLate: at.isLate, isClaimed };
  });
  const isOwn = (): boolean => kept.value?.payerId === client.who()?.userId;

  function show(next: Step): void {
    batch(() => {
      call.value?.close();
      call.value = null;
      step.value = next;
    });
  }
  function end(ending: Ending): void {
    show({ kind: 'ended', ...ending });
    forget();
  }
  /** Releases the reservation before it is paid. The next one gets new idempotency keys. */
  function giveUp(): void {
    const { payment, isSent } = kept.value ?? {};
    show({ kind: 'preparing' });
    if (payment && !isSent) cancelReservation(client, payment);
    change({ payment: null, payKey: null, isSent: false, reserveKey: client.newKey() });
  }
  /**
   * Runs a step before the PIN. If it fails, no money has moved. If the user has left the page in the meantime, its result is
   * ignored.
   */
  async function visitWith(run: (signal: AbortSignal) => Promise<() => void>): Promise<void> {
    visit.abort();
    visit = new AbortController();
    const { signal: aborted } = visit;
    show({ kind: 'preparing' });
    try {
      const goOn = await run(aborted);
      if (!aborted.aborted) goOn();
    } catch (failure) {
      if (aborted.aborted) return;
      if (!(failure instanceof CallFailure)) throw failure;
      show({ kind: 'not_reserved', failure });
    }
  }

  async function prepare(): Promise<void> {
    const payerId = client.who()?.userId;
    if (!kept.value || payerId === undefined) return;
    change({ payerId });
    const { value: before } = kept;
    await visitWith(async (aborted) => {
      const prepared = await preparePayment(client, { kept: before, payerId, signal: aborted });
      const isGivenUp = kept.value?.reserveKey !== before.reserveKey;
      if (prepared.kind === 'reserved' && isGivenUp) cancelReservation(client, prepared.payment);
      return () => {
        if (prepared.kind === 'reserved') {
          change({ payment: prepared.payment, accountId: prepared.accountId });
          void pay({ kind: 'pin', hint: null });
        } else {
          if (prepared.kind === 'changed') change({ plan: prepared.plan, reserveKey: client.newKey() });
          show(prepared);
        }
      };
    });
  }
  /** Continues a reservation after a reload, with its status from the server. */
  const resume = ({ bill_id: id, id: payment_id }: BillPayment): Promise<void> =>
    visitWith(async () => {
      const now = await client.calls.getBillPayment({ id, payment_id });
      return () => (now.status === 'reserved' ? void pay({ kind: 'pin', hint: null }) : follow(now));
    });

  /** Makes the payment, or asks about one that was sent, and follows it to its outcome. */
  async function pay(from: From): Promise<void> {
    const { value: paid } = kept;
    const input = paid && paymentInputOf(paid);
    if (!paid || !input) return;
    const key = paid.payKey ?? client.newKey();
    change({ payKey: key });
    const made = pinCall<'payBillFromAccount', FoundPayment>(client, 'payBillFromAccount', {
      input,
      key,
      from,
      isDecided,
      ask: (options, noteClaimed) => askAboutPayment(client, { input, kept: paid, options, noteClaimed }),
    });
    call.value?.close();
    call.value = made;
    const ended = await made.ended;
    if (ended.kind === 'left') return;
    if (ended.kind === 'refused') return refuse(ended.failure);
    if (!('failure' in ended.answer)) return end({ outcome: 'paid', payment: paid.payment, transfer: ended.answer });
    const { payment, failure } = ended.answer;
    if (payment.status === 'reserved') await pay({ kind: 'pin', hint: { kind: 'again', code: failure.code } });
    else follow(payment, failure);
  }
  function refuse(failure: CallFailure): void {
    if (failure.is('insufficient_funds')) return end({ outcome: 'failed', failure });
    change({ isSent: false });
    giveUp();
    if (failure.is('transaction_password_blocked'))
      show({ kind: 'blocked', until: failure.problem.blocked_until ?? null });
    else end({ outcome: 'cancelled', failure });
  }
  /** Continues according to the payment's status on the server. */
  function follow(payment: BillPayment, failure: CallFailure | null = null): void {
    const { status } = payment;
    if (status === 'paid') void endPaid(payment);
    else if (status === 'claimed') void pay({ kind: 'asking' });
    else if (status === 'failed' || status === 'expired' || status === 'cancelled') end({ outcome: status, failure });
  }
  /** Ends the payment as paid, even if its receipt can't be loaded. */
  async function endPaid(payment: BillPayment): Promise<void> {
    end({ outcome: 'paid', payment, transfer: null });
    const { value: shown } = step;
    if (payment.transfer_id === null) return;
    try {
      const transfer = await client.calls.getTransfer({ id: payment.transfer_id });
      if (step.value === shown) end({ outcome: 'paid', payment, transfer });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
    }
  }

  const stops = [
    // After a reload, the page asks about a payment that may have been sent.
    effect(() => {
      const kind = call.value?.stage.value.kind;
      if (kind === 'pin' || kind === 'sending' || kind === 'asking')
        untracked(() => change({ isSent: kind !== 'pin' }));
    }),
    // The feed reports outcomes too. While the page is asking, its response has more details, unless the payment is paid.
    effect(() => {
      const now = onBill.value;
      const at = stage.value;
      if (!now || now.status === 'reserved' || now.status === 'claimed') return;
      const isPaid = at.kind === 'ended' && at.outcome === 'paid';
      if (now.status === 'paid' ? !isPaid : at.kind === 'pin') untracked(() => follow(now));
    }),
    effect(() => {
      const expiresAt = kept.value?.payment?.expires_at;
      if (stage.value.kind !== 'pin' || expiresAt == null) return undefined;
      const leftMs = Math.max(0, Date.parse(expiresAt) - client.now());
      const timer = setTimeout(() => end({ outcome: 'expired', failure: null }), leftMs);
      return () => clearTimeout(timer);
    }),
  ];
  if (kept.value?.isSent && isOwn()) void pay({ kind: 'asking' });
  return {
    kept,
    stage,
    prepare,
    /** Pays from this account, which the user has selected from several. */
    payFrom: (accountId: number): Promise<void> => {
      change({ accountId });
      return prepare();
    },
    /** Sends the payment with this PIN. */
    enter: (pin: string): void => call.value?.enter(pin),
    askNow: (): void => call.value?.askNow(),
    /** Starts a new payment. If an earlier one may have been sent, continues with that one first. */
    begin: (plan: Plan): void => {
      if (stage.value.kind === 'asking' && isOwn()) return;
      visit.abort();
      show({ kind: 'preparing' });
      keep(newPayment(plan, client));
    },
    /** Call this when the payer opens the page. Continues where the payment was left. */
    open: async (): Promise<void> => {
      const { kind } = stage.value;
      if (!kept.value || kind === 'asking' || kind === 'ended') return;
      const { payment } = kept.value;
      if (!payment || !isOwn()) return prepare();
      if (kind !== 'pin') await resume(payment);
    },
    /** Starts again with the same selection, after the last reservation has ended. */
    beginAgain: (): Promise<void> => {
      change({ payment: null });
      giveUp();
      return prepare();
    },
    /** Call this when the user leaves the page. Releases a reservation that isn't paid. */
    leave: (): void => {
      const { kind } = stage.value;
      if (kind === 'asking') return;
      visit.abort();
      if (kind === 'pin' || kind === 'preparing') giveUp();
      if (kind === 'ended') keep(null);
      show({ kind: 'preparing' });
    },
    close: (): void => {
      visit.abort();
      call.value?.close();
      for (const stop of stops) stop();
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
