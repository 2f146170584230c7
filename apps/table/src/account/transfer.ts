import { CallFailure, createClient } from '@comanda/client';
import type { Consent, ConsentRequest, Input, PendingCall } from '@comanda/client';
import { batch, effect, signal } from '@preact/signals';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { language } from '@comanda/ui/language.ts';
import { client } from '../state/client.ts';
import { setConsentAsker } from '../state/consent.ts';
import { replaceRoute, route } from '../state/route.ts';
import { readAccounts, rememberTransfer } from './accounts.ts';
import type { Transfer } from './accounts.ts';
import { accountFailureWords } from './failures.ts';
import { askToSignInAgain, isLocked } from './lock.ts';
import { blockPin, readPin } from './pin.ts';

type TransferInput = Required<
  Pick<Input<'transferMoney'>, 'from_account_id' | 'to_account_id' | 'amount' | 'currency'>
> &
  Pick<Input<'transferMoney'>, 'description'>;
/** One transfer that a person means, and its idempotency key. */
export type Intent = { key: string; input: TransferInput };
export type Settled = Intent & { outcome: 'done' | 'not_done' | 'unknown' };

/**
 * Where the transfer is. `checking`: the server looks whether it is possible. `consent`: the PIN is asked for. `sending`:
 * with consent. `asking`: there was no answer, and the server is asked what happened.
 */
export type Stage = 'form' | 'checking' | 'consent' | 'sending' | 'asking';
export const stage = signal<Stage>('form');
export const intent = signal<Intent | null>(null);
/** What the server asks consent for, and how to answer. */
export const consentRequest = signal<{ request: ConsentRequest; answer: (consent: Consent | null) => void } | null>(
  null,
);
/** Why the last one was refused. */
export const refusal = signal<{
  words: FailureWords;
  /** The field that it is about. */ field?: 'to' | 'amount';
} | null>(null);
/** The transfer of which the server says that it was not made. The same one can be sent again with its key. */
export const notSent = signal<Intent | null>(null);
/** The one that turned out to have been made, after the server was asked. */
export const foundSent = signal<Transfer | null>(null);
/** When the server was last asked what happened, by this device's clock. */
export const asked = signal({ count: 0, at: 0 });
/** What became of transfers without an answer when the user signed out. */
export const settledAtSignOut = signal<readonly Settled[]>([]);

/** Of a form that was left or reloaded. */
export const draft = signal({ to: '', amount: '', description: '' });
const clearDraft = (): void => {
  draft.value = { to: '', amount: '', description: '' };
};

/**
 * Asks what became of a transfer, and cannot make one: it never has consent. The server repeats its answer if the transfer
 * was made, and asks for consent if it was not.
 */
const asking = createClient({ url: location.origin, patienceMs: 4000 });

const pauseMs = 1500;
let abort = new AbortController();
let endPause = (): void => {};
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseMs);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });
/** Ends the pause between two questions. */
export const askNow = (): void => endPause();
addEventListener('online', askNow);

setConsentAsker((request) => {
  const isWanted = request.call === 'transferMoney' && !isLocked.peek() && stage.peek() !== 'form';
  if (!isWanted) return Promise.resolve(null);
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
});
// Nobody agrees to anything on a locked page.
effect(() => {
  if (isLocked.value) consentRequest.peek()?.answer(null);
});

/** Consent to exactly this transfer: the server refuses it for another payee or amount. */
export function agree(pin: string): void {
  const { input } = intent.value ?? {};
  if (!input) return;
  const { from_account_id, to_account_id, amount, currency } = input;
  consentRequest.value?.answer({
    transaction_password: pin,
    authorization_details: [{ type: 'internal_transfer', from_account_id, to_account_id, amount, currency }],
  });
}
/** Back to the form. No consent was given, so nothing was sent. */
export function changeTransfer(): void {
  consentRequest.value?.answer(null);
}

const isSame = (a: TransferInput, b: TransferInput): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Has the server check the transfer, asks for consent, and makes it. */
export async function reviewTransfer(input: TransferInput): Promise<void> {
  if (stage.value !== 'form') return;
  // What the server has not made keeps its key: should an earlier attempt still arrive, there is one transfer.
  const earlier = notSent.value;
  const mine = earlier && isSame(earlier.input, input) ? earlier : { key: client.newKey(), input };
  abort = new AbortController();
  batch(() => {
    refusal.value = null;
    notSent.value = null;
    foundSent.value = null;
    intent.value = mine;
    stage.value = 'checking';
  });
  try {
    const { key } = mine;
    accept(await client.calls.transferMoney(input, { idempotencyKey: key, signal: abort.signal }));
  } catch (error) {
    if (abort.signal.aborted) return reset();
    if (!(error instanceof CallFailure)) throw error;
    if (isUndecided(error)) await findOut(mine, error);
    else refuse(mine, error);
  }
}

const undecidedCodes: ReadonlySet<string> = new Set([
  'unreachable',
  'service_unavailable',
  'bad_gateway',
  'gateway_timeout',
  'request_in_progress',
  'rate_limited',
]);
const isUndecided = ({ code, outcome }: CallFailure): boolean => undecidedCodes.has(code) || outcome === 'unknown';
const isSignedOut = ({ code }: CallFailure): boolean => code === 'authentication_required' || code === 'invalid_token';

/** Asks until the server says whether the transfer was made. */
async function findOut(mine: Intent, cause?: CallFailure): Promise<void> {
  abort = new AbortController();
  const { signal: aborted } = abort;
  batch(() => {
    intent.value = mine;
    stage.value = 'asking';
    asked.value = { count: 0, at: Date.now() };
  });
  for (;;) {
    asked.value = { count: asked.peek().count + 1, at: Date.now() };
    const found = await ask(mine, aborted);
    if (aborted.aborted) return reset();
    if (found.kind === 'sent') return accept(found.transfer);
    if (found.kind === 'refused') return refuse(mine, found.error);
    if (found.kind === 'signed_out') return reset();
    if (found.kind === 'not_sent')
      return batch(() => {
        notSent.value = mine;
        keepAsDraft(mine);
        if (cause?.code === 'rate_limited') refusal.value = { words: accountFailureWords(cause) };
        reset();
      });
    await pause();
  }
}

type Found =
  | { kind: 'sent'; transfer: Transfer }
  | { kind: 'not_sent' | 'undecided' | 'signed_out' }
  | { kind: 'refused'; error: CallFailure };
async function ask({ key, input }: Intent, signalOf?: AbortSignal): Promise<Found> {
  try {
    const options = { idempotencyKey: key, ...(signalOf && { signal: signalOf }) };
    return { kind: 'sent', transfer: await asking.calls.transferMoney(input, options) };
  } catch (error) {
    if (signalOf?.aborted === true) return { kind: 'undecided' };
    if (!(error instanceof CallFailure)) throw error;
    if (error.code.startsWith('step_up_')) return { kind: 'not_sent' };
    if (isSignedOut(error)) return { kind: 'signed_out' };
    return isUndecided(error) ? { kind: 'undecided' } : { kind: 'refused', error };
  }
}

function reset(): void {
  batch(() => {
    consentRequest.value = null;
    intent.value = null;
    stage.value = 'form';
  });
}
/** The transfer's own page goes on to the receipt; another page has a notice, so that nothing moves under a finger. */
function accept(transfer: Transfer): void {
  const { page, part } = { part: undefined, ...route.value };
  const isShown = page === 'account' && part === 'transfer';
  const wasUnsure = stage.value === 'asking';
  batch(() => {
    rememberTransfer(transfer);
    clearDraft();
    foundSent.value = wasUnsure || !isShown ? transfer : null;
    reset();
  });
  void readAccounts();
  if (isShown) replaceRoute({ page, part: 'receipt', id: transfer.id });
}
function refuse(mine: Intent, error: CallFailure): void {
  const { code } = error;
  keepAsDraft(mine);
  reset();
  // The person went back to change it.
  if (code === 'step_up_required') return;
  if (code === 'transaction_password_blocked') blockPin((error.problem?.['blocked_until'] ?? null) as string | null);
  if (code === 'transaction_password_absent') void readPin();
  if (code === 'reauthentication_required') askToSignInAgain();
  if (code === 'transaction_password_blocked' || code === 'transaction_password_absent') {
    notSent.value = mine;
    return;
  }
  const field = fields[code];
  refusal.value = { words: accountFailureWords(error), ...(field !== undefined && { field }) };
  if (code === 'insufficient_funds') void readAccounts();
}
const fields: Readonly<Record<string, 'to' | 'amount'>> = {
  account_not_found: 'to',
  same_account: 'to',
  currency_mismatch: 'to',
  insufficient_funds: 'amount',
};
/** After a reload the form is empty; else it has what was typed. */
function keepAsDraft({ input }: Intent): void {
  if (draft.peek().to !== '') return;
  const { to_account_id: to, amount, description = '' } = input;
  draft.value = { to: String(to), amount: language.value === 'pt-BR' ? amount.replace('.', ',') : amount, description };
}

const isTransfer = (pending: PendingCall): pending is PendingCall & { call: 'transferMoney'; input: TransferInput } =>
  pending.call === 'transferMoney';
/** After a reload or a sign-in: asks about each transfer that has no answer. */
export async function resumePending(): Promise<void> {
  if (stage.value !== 'form') return;
  for (const { key, input } of client.pendingCalls().filter(isTransfer)) {
    if (route.value.page === 'account') replaceRoute({ page: 'account', part: 'transfer' });
    await findOut({ key, input });
  }
}
/** A transfer was posted: perhaps the one that was not, from another tab or by an attempt that was late. */
export async function askAboutNotSent(): Promise<void> {
  const mine = notSent.peek();
  if (!mine || stage.peek() !== 'form') return;
  const found = await ask(mine);
  if (found.kind !== 'sent' || notSent.peek() !== mine) return;
  batch(() => {
    rememberTransfer(found.transfer);
    notSent.value = null;
    foundSent.value = found.transfer;
    clearDraft();
  });
}

const settleWithinMs = 5000;
/** What became of each transfer without an answer. An attempt of this page ends. */
async function settle(): Promise<readonly Settled[]> {
  consentRequest.peek()?.answer(null);
  const current = stage.peek() === 'sending' || stage.peek() === 'asking' ? intent.peek() : null;
  const pending = new Map<string, Intent>(
    client
      .pendingCalls()
      .filter(isTransfer)
      .map((each) => [each.key, each]),
  );
  if (current) pending.set(current.key, current);
  abort.abort(new Error('The user signs out.'));
  endPause();
  const timeout = AbortSignal.timeout(settleWithinMs);
  return Promise.all(
    [...pending.values()].map(async (each) => {
      const { kind } = await ask(each, timeout);
      const outcome = kind === 'sent' ? 'done' : kind === 'not_sent' || kind === 'refused' ? 'not_done' : 'unknown';
      return { ...each, outcome };
    }),
  );
}
/** Signs out, after asking what became of transfers without an answer. */
export async function signOut(): Promise<void> {
  const settled = await settle();
  await client.signOut().catch(() => []);
  settledAtSignOut.value = settled;
}
/** Ends every session of this user. @throws CallFailure if that was not done: then this session goes on too */
export async function signOutEverywhere(): Promise<void> {
  const settled = await settle();
  await client.calls.endSessions();
  await client.signOut().catch(() => []);
  settledAtSignOut.value = settled;
}
export function forgetTransfers(): void {
  batch(() => {
    reset();
    clearDraft();
    refusal.value = null;
    notSent.value = null;
    foundSent.value = null;
  });
}
