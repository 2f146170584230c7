import {
  CallFailure,
  type CallOptions,
  type Client,
  type Input,
  type PendingCall,
  type SettledCall,
} from '@comanda/client/core';
import { language } from '@comanda/ui/language.ts';
import { pinCall, type PinCall, type PinStage } from '@comanda/ui/pin-call.ts';
import { batch, computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import type { Accounts, Transfer } from './accounts.ts';
import type { Lock } from './lock.ts';
import type { Pin } from './pin.ts';

type TransferInput = Required<
  Pick<Input<'transferMoney'>, 'from_account_id' | 'to_account_id' | 'amount' | 'currency'>
> &
  Pick<Input<'transferMoney'>, 'description'>;
/** A transfer that the user wants to make, and its idempotency key. */
export type Intent = { key: string; input: TransferInput };
export type SettledTransfer = Intent & Pick<SettledCall, 'outcome'>;
type Refused = Extract<PinStage<Transfer>, { kind: 'refused' }>;

/** The form's field that each failure code concerns. */
const fields: Readonly<Record<string, 'to' | 'amount'>> = {
  account_not_found: 'to',
  same_account: 'to',
  currency_mismatch: 'to',
  insufficient_funds: 'amount',
};
const emptyDraft = { to: '', amount: '', description: '' };

const isTransfer = <C extends PendingCall>(pending: C): pending is C & Intent => pending.call === 'transferMoney';
const isSame = (a: TransferInput, b: TransferInput): boolean => JSON.stringify(a) === JSON.stringify(b);
/** Asks whether a transfer was posted. Without authorization, the server only repeats its earlier response. */
const ask = ({ calls }: Client, { key, input }: Intent, options: CallOptions = {}): Promise<Transfer> =>
  calls.transferMoney(input, { ...options, idempotencyKey: key, consent: 'never' });

type Deps = { client: Client; lock: Lock; pin: Pin; accounts: ReadonlySignal<Accounts | null> };

/** Follows a transfer from the form to the server's decision, even if responses are lost. */
export function openTransfers({ client, lock, pin, accounts }: Deps) {
  /** The transfer that is being checked, sent, or looked up; null if there is none. */
  const current = signal<{ intent: Intent; call: PinCall<Transfer> } | null>(null);
  const stage = computed<PinStage<Transfer> | { kind: 'form' }>(
    () => current.value?.call.stage.value ?? { kind: 'form' },
  );
  /** Why the last transfer was rejected, and the form's field that the failure concerns. */
  const refusal = signal<{ failure: CallFailure; field?: 'to' | 'amount' } | null>(null);
  /** A transfer that the server has not posted. The user can send it again with the same key. */
  const notSent = signal<Intent | null>(null);
  /** A transfer whose response was lost, and that turned out to be posted. */
  const found = signal<Transfer | null>(null);
  /** The transfer that was posted last. */
  const lastSent = signal<Transfer | null>(null);
  /** What the user has entered in the form. */
  const draft = signal(emptyDraft);
  /**
   * True if a transfer was posted while this page asked about another: a response that says "not posted" may then be outdated.
   */
  let isOutdated = false;

  /** Follows a transfer until the server has decided. Returns false if the user left the page first. */
  async function follow(intent: Intent, from: 'checking' | 'asking'): Promise<boolean> {
    const call = pinCall(client, 'transferMoney', {
      input: intent.input,
      key: intent.key,
      from: { kind: from },
      ask: (options) => ask(client, intent, options),
    });
    current.value = { intent, call };
    const end = await call.ended;
    batch(() => {
      current.value = null;
      if (end.kind === 'done') accept(end.answer, end.wasAsked);
      if (end.kind === 'refused') refuse(intent, end);
    });
    return end.kind !== 'left';
  }
  function accept(transfer: Transfer, wasAsked: boolean): void {
    accounts.peek()?.remember(transfer);
    draft.value = emptyDraft;
    found.value = wasAsked ? transfer : null;
    lastSent.value = transfer;
    void accounts.peek()?.read();
  }
  function refuse(refused: Intent, { failure, wasAsked, cause }: Refused): void {
    // After a reload the form is empty, so it is filled with the rejected transfer.
    if (draft.peek().to === '') draft.value = draftOf(refused);
    if (failure.code.startsWith('step_up_')) {
      // A user who went back from the PIN pad knows that nothing was sent, so no message is needed.
      if (!wasAsked) return failure.is('step_up_required') ? undefined : void (refusal.value = { failure });
      notSent.value = refused;
      if (isOutdated) void lookForNotSent();
      if (cause?.is('rate_limited')) refusal.value = { failure: cause };
      return;
    }
    if (failure.is('reauthentication_required')) lock.askToSignInAgain();
    if (failure.is('insufficient_funds')) void accounts.peek()?.read();
    if (failure.is('transaction_password_absent')) void pin.read();
    if (failure.is('transaction_password_blocked')) pin.block(failure.problem.blocked_until ?? null);
    if (failure.is('transaction_password_absent') || failure.is('transaction_password_blocked')) {
      notSent.value = refused;
      return;
    }
    const field = fields[failure.code];
    refusal.value = { failure, ...(field !== undefined && { field }) };
  }
  /** Lets the server check the transfer, asks for the PIN, and makes it. */
  async function review(input: TransferInput): Promise<void> {
    if (current.value) return;
    // A transfer that was not posted is sent again with the same key. If an earlier attempt arrives late, the money still moves
    // only once.
    const earlier = notSent.value;
    const next = earlier && isSame(earlier.input, input) ? earlier : { key: client.newKey(), input };
    batch(() => {
      refusal.value = null;
      notSent.value = null;
      found.value = null;
    });
    await follow(next, 'checking');
  }
  async function askAbout(pending: readonly Intent[]): Promise<void> {
    for (const { key, input } of pending) if (!(await follow({ key, input }, 'asking'))) return;
  }
  /** Call this after any transfer was posted. Checks whether it is the one in `notSent`, posted by another tab or a late attempt. */
  async function lookForNotSent(): Promise<void> {
    isOutdated = current.peek() !== null;
    const sought = notSent.peek();
    if (!sought || isOutdated) return;
    const transfer = await ask(client, sought).catch(nullIfFailed);
    if (!transfer || notSent.peek() !== sought) return;
    batch(() => {
      accounts.peek()?.remember(transfer);
      notSent.value = null;
      found.value = transfer;
      draft.value = emptyDraft;
    });
  }
  /** Leaves the PIN pad, or stops the check before it. No PIN was entered yet, so nothing was sent. */
  const leave = (): void => current.peek()?.call.leave();
  // While the page is locked, the user can't authorize anything.
  const stopWatching = effect(() => {
    if (lock.isLocked.value) untracked(leave);
  });
  return {
    stage,
    intent: computed(() => current.value?.intent ?? null),
    refusal,
    notSent,
    found,
    lastSent,
    draft,
    changeDraft: (part: Partial<typeof emptyDraft>): void =>
      batch(() => {
        draft.value = { ...draft.value, ...part };
        refusal.value = null;
      }),
    /** Sets the notice about a posted transfer, which other pages show. */
    setFound: (transfer: Transfer | null): void => {
      found.value = transfer;
    },
    review,
    enter: (digits: string): void => current.value?.call.enter(digits),
    leave,
    /** After a reload or a sign-in, asks about each transfer without a response. Returns true if there are any. */
    resume: (): boolean => {
      const pending = current.peek() ? [] : client.pendingCalls().filter(isTransfer);
      void askAbout(pending);
      return pending.length > 0;
    },
    lookForNotSent,
    askNow: (): void => current.value?.call.askNow(),
    /** Signs out, but first asks about transfers without a response. Returns their outcomes. */
    signOut: async (): Promise<readonly SettledTransfer[]> => {
      leave();
      return (await client.signOut()).filter(isTransfer);
    },
    /** Ends all of the user's sessions. @throws CallFailure if that fails; this session then continues too */
    signOutEverywhere: async (): Promise<readonly SettledTransfer[]> => {
      const settled = await client.settlePendingCalls();
      await client.calls.endSessions();
      await client.signOut();
      return settled.filter(isTransfer);
    },
    close: (): void => {
      stopWatching();
      current.peek()?.call.close();
    },
  };
}

const draftOf = ({ input: { to_account_id: to, amount, description = '' } }: Intent): typeof emptyDraft => ({
  to: String(to),
  amount: language.value === 'pt-BR' ? amount.replace('.', ',') : amount,
  description,
});

function nullIfFailed(error: unknown): null {
  if (!(error instanceof CallFailure)) throw error;
  return null;
}
