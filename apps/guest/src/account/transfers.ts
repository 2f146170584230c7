import {
  CallFailure,
  createOutbox,
  detailsOfCall,
  type AskConsent,
  type CallOptions,
  type Client,
  type Consent,
  type Outbox,
} from '@comanda/client';
import { batch, effect, type ReadonlySignal } from '@preact/signals';
import type { Accounts, Transfer } from './accounts.ts';
import type { Lock } from './lock.ts';
import type { Pin } from './pin.ts';
import {
  createTransferState,
  isTransfer,
  type Intent,
  type TransferInput,
  type TransferState,
} from './transfer-state.ts';

/** The fields that refusals are about. */
const fields: Readonly<Record<string, 'to' | 'amount'>> = {
  account_not_found: 'to',
  same_account: 'to',
  currency_mismatch: 'to',
  insufficient_funds: 'amount',
};

const isSame = (a: TransferInput, b: TransferInput): boolean => JSON.stringify(a) === JSON.stringify(b);
type Deps = { client: Client; lock: Lock; pin: Pin; accounts: ReadonlySignal<Accounts | null> };

/** A transfer from the form to its answer, however often the answer is lost. */
export function openTransfers(deps: Deps) {
  const { client, lock, accounts } = deps;
  const state = createTransferState();
  const { stage, refusal, notSent, found, lastSent } = state;
  const { askForPin, close: closeConsent } = openConsent(state, lock);
  /** The server has found the account: now it says whose it is, while the PIN is entered. */
  const askWithName: AskConsent = (request) => {
    const to = state.intent.peek()?.input.to_account_id;
    if (to !== undefined) void accounts.peek()?.readPayee(to);
    return askForPin(request);
  };
  /** Ends the call that is sent with consent: the next session asks what became of it. */
  const sending = new AbortController();
  /** Why the server did not decide at first. */
  let cause: CallFailure | null = null;
  const search = openSearch({ client, accounts, state });
  const refuse = (refused: Intent, failure: CallFailure): void =>
    endRefused({ ...deps, state, cause, search }, refused, failure);

  function accept(transfer: Transfer): void {
    batch(() => {
      accounts.peek()?.remember(transfer);
      state.clearDraft();
      found.value = stage.value === 'asking' ? transfer : null;
      lastSent.value = transfer;
      state.end();
    });
    void accounts.peek()?.read();
  }
  const unanswered = openUnanswered({ client, state, onSent: accept, onRefused: refuse });

  /** Has the server check the transfer, asks for consent, and makes it. */
  async function review(input: TransferInput): Promise<void> {
    if (stage.value !== 'form') return;
    // A transfer that was not posted is sent with the same key: should an earlier attempt still arrive, there is one transfer.
    const earlier = notSent.value;
    const next = earlier && isSame(earlier.input, input) ? earlier : { key: client.newKey(), input };
    cause = null;
    batch(() => {
      refusal.value = null;
      notSent.value = null;
      found.value = null;
      state.begin(next, 'checking');
    });
    const options = { idempotencyKey: next.key, consent: askWithName, signal: sending.signal };
    try {
      accept(await client.calls.transferMoney(input, options));
    } catch (error) {
      if (sending.signal.aborted) return;
      if (!(error instanceof CallFailure)) throw error;
      if (!error.isUndecided) return refuse(next, error);
      cause = error;
      unanswered.add(next);
    }
  }
  /** After a reload or a sign-in: asks about each transfer that has no answer. Returns whether there is one more. */
  function resume(): boolean {
    const waiting = new Set(unanswered.entries().map(({ key }) => key));
    const pending = client.pendingCalls().filter(isTransfer);
    const added = pending.filter(({ key }) => !waiting.has(key));
    for (const { key, input } of added) unanswered.add({ key, input });
    return added.length > 0;
  }
  return {
    ...state,
    review,
    resume,
    /** A transfer was posted: perhaps the one that was not, from another tab or by an attempt that was late. */
    lookForNotSent: search.begin,
    /** Asks at once, not after the pause. */
    askNow: unanswered.tryNow,
    ...signingOut(client, state),
    close: () => {
      if (stage.peek() === 'sending') sending.abort();
      closeConsent();
      unanswered.close();
    },
  };
}

const signingOut = (client: Client, state: TransferState) => ({
  /** Signs out, after asking what became of transfers without an answer. */
  signOut: async () => {
    refuseConsent(state);
    return (await client.signOut()).filter(isTransfer);
  },
  /** Ends every session of this user. @throws CallFailure if that was not done: then this session goes on too */
  signOutEverywhere: async () => {
    const settled = await client.settlePendingCalls();
    await client.calls.endSessions();
    await client.signOut();
    return settled.filter(isTransfer);
  },
});

/** Asks what became of a transfer, and cannot cause one: without consent the server only repeats its earlier answer. */
const ask = ({ calls }: Client, { key, input }: Intent, options: CallOptions = {}): Promise<Transfer> =>
  calls.transferMoney(input, { ...options, idempotencyKey: key, consent: 'never' });

type UnansweredDeps = {
  client: Client;
  state: TransferState;
  onSent: (transfer: Transfer) => void;
  onRefused: (refused: Intent, failure: CallFailure) => void;
};
/** Asks about transfers without an answer, until the server has answered whether they were posted. */
const openUnanswered = ({ client, state, onSent, onRefused }: UnansweredDeps): Outbox<Intent> =>
  createOutbox<Intent, Transfer>({
    // The client stores the calls that have no answer.
    storage: { get: () => [], write: () => {} },
    keyOf: ({ key }) => key,
    send: (sought, { signal: aborted }) => {
      const count = state.intent.peek()?.key === sought.key ? state.questions.peek().count : 0;
      state.begin(sought, 'asking');
      state.questions.value = { count: count + 1, at: Date.now() };
      return ask(client, sought, { repeat: 'never', signal: aborted });
    },
    onSent: (_sought, transfer) => onSent(transfer),
    onRefused,
  });

type LookDeps = Pick<Deps, 'client' | 'accounts'> & { state: TransferState };
/** Looks for the transfer that was not sent. */
function openSearch({ client, accounts, state }: LookDeps) {
  /** One was posted while the page asked: the answer that it was not may be older. */
  let isWaiting = false;
  async function begin(): Promise<void> {
    isWaiting = state.stage.peek() !== 'form';
    const sought = state.notSent.peek();
    if (!sought || isWaiting) return;
    const transfer = await ask(client, sought).catch(nullIfFailed);
    if (!transfer || state.notSent.peek() !== sought) return;
    batch(() => {
      accounts.peek()?.remember(transfer);
      state.notSent.value = null;
      state.found.value = transfer;
      state.clearDraft();
    });
  }
  const goOn = (): void => {
    if (isWaiting) void begin();
  };
  return { begin, goOn };
}
function nullIfFailed(error: unknown): null {
  if (!(error instanceof CallFailure)) throw error;
  return null;
}

/** Asks for the PIN when the server wants consent to a transfer. */
function openConsent({ stage, consentRequest }: TransferState, lock: Lock) {
  let isClosed = false;
  const askForPin: AskConsent = (request) => {
    if (lock.isLocked.peek() || isClosed) return Promise.resolve(null);
    return new Promise((resolve) => {
      const answer = (consent: Consent | null): void => {
        batch(() => {
          consentRequest.value = null;
          stage.value = consent ? 'sending' : 'checking';
        });
        resolve(consent);
      };
      batch(() => {
        consentRequest.value = { request, answer };
        stage.value = 'consent';
      });
    });
  };
  // Nobody agrees to anything on a locked page.
  const stopWatching = effect(() => {
    if (lock.isLocked.value) refuseConsent({ consentRequest });
  });
  const close = (): void => {
    isClosed = true;
    stopWatching();
    refuseConsent({ consentRequest });
  };
  return { askForPin, close };
}

/** Back to the form. No consent was given, so nothing was sent. */
export const refuseConsent = ({ consentRequest }: Pick<TransferState, 'consentRequest'>): void =>
  consentRequest.peek()?.answer(null);

/** Consent to exactly the transfer that is shown: the server refuses it for another payee or amount. */
export function agree({ intent, consentRequest }: Pick<TransferState, 'intent' | 'consentRequest'>, pin: string): void {
  const { input } = intent.value ?? {};
  if (!input) return;
  const details = detailsOfCall('transferMoney', input);
  if (details) consentRequest.value?.answer({ transaction_password: pin, authorization_details: [details] });
}

type RefusalDeps = Pick<Deps, 'lock' | 'pin' | 'accounts'> & {
  state: TransferState;
  cause: CallFailure | null;
  search: ReturnType<typeof openSearch>;
};
function endRefused(
  { lock, pin, accounts, state, cause, search }: RefusalDeps,
  refused: Intent,
  failure: CallFailure,
): void {
  const wasAsking = state.stage.peek() === 'asking';
  state.fillDraft(refused);
  state.end();
  if (failure.code.startsWith('step_up_')) {
    // Who went back from the PIN pad knows that nothing was sent.
    if (wasAsking) {
      state.notSent.value = refused;
      search.goOn();
    }
    if (wasAsking && cause?.is('rate_limited')) state.refusal.value = { failure: cause };
    if (!wasAsking && !failure.is('step_up_required')) state.refusal.value = { failure };
    return;
  }
  if (failure.is('reauthentication_required')) lock.askToSignInAgain();
  if (failure.is('insufficient_funds')) void accounts.peek()?.read();
  if (failure.is('transaction_password_absent')) void pin.read();
  if (failure.is('transaction_password_blocked')) pin.block(failure.problem.blocked_until ?? null);
  if (failure.is('transaction_password_absent') || failure.is('transaction_password_blocked')) {
    state.notSent.value = refused;
    return;
  }
  const field = fields[failure.code];
  state.refusal.value = { failure, ...(field !== undefined && { field }) };
}
