import { problem, Problem } from '@comanda/contracts/problem';
import type { Transfer as TransferResponse } from '@comanda/contracts/transfers';
import type { Reply } from '@comanda/shared/http/reply';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import { MutexTimeout, type KeyedMutex, type Release } from '@comanda/shared/runtime/keyed-mutex';
import { withTimeLimit } from '@comanda/shared/runtime/time-limit';
import type { Clock } from '@comanda/shared/runtime/clock';
import { answerTo, type Answer, type DecidedRow, type Row, type RequestIdentity } from './journal-row.ts';
import type { JournalStore, UserRequest } from './journal-store.ts';
import type { Ledger } from './ledger.ts';
import type { Posting } from './post-batch.ts';
import { readStepUpToken, undecidedMs, type TokenFacts } from './step-up-token.ts';
import { toTransferResponse, type TransferCommand, type TransferTerms } from './transfer.ts';

export type ExecuteTransferOnceDeps = {
  /** Locks idempotency keys within this process. */
  keyLocks: KeyedMutex<string>;
  journal: Pick<JournalStore, 'insertExpired'>;
  /** The decision about a request, by its idempotency key. */
  findRowByKey: (request: UserRequest) => Promise<Row | null>;
  ledger: Pick<Ledger, 'reserve'>;
  consume: Consume;
  clock: Clock;
  /** After how long a call is answered 503, though it goes on. */
  responseTimeLimitMs: number;
};
/** What kinds of transfers do each in its own way. */
export type TransferSteps = {
  /** The transfer that the request is for, if its accounts allow it; not whether there are funds. */
  check: () => Promise<TransferTerms>;
  /** Once the token is spent: what else must be so before it is posted; the reason if it is refused for good. */
  claim?: (terms: TransferTerms, token: TokenFacts) => Promise<TransferCommand['refusal'] | null>;
  /**
   * Tells somebody else what was decided; null: another token has moved the money before. Waits for a short time only, and
   * does not fail.
   */
  settle?: (row: DecidedRow | null, token: TokenFacts) => Promise<void>;
};
/** The transfer with proof of the user's consent, or the answer to an earlier request, replayed. */
type TransferReply = Reply<TransferResponse> & ({ consent: Consent } | { replayed: true });

type Input = { call: SensitiveCall; steps: TransferSteps };

/** So long before that, a request has stopped waiting for another one with its key. */
const lockMarginMs = 100;

/**
 * Transfers money, or deposits it: one consent has one effect, and one idempotency key has one answer. A request that is
 * refused before its token is spent can be repeated with the same token. After that, it is posted until it is decided or
 * the token expires, even if its caller was answered at the time limit.
 * @throws the problems of the contracts; 503 with `outcome: "unknown"` if the posting takes too long
 */
export async function executeTransferOnce(deps: ExecuteTransferOnceDeps, input: Input): Promise<TransferReply> {
  const deadline = performance.now() + deps.responseTimeLimitMs;
  return withTimeLimit(executeTransfer(deps, input), { deadline, onTimeout: outcomeUnknown });
}

async function executeTransfer(deps: ExecuteTransferOnceDeps, { call, steps }: Input): Promise<TransferReply> {
  const { idempotency } = call;
  const { userId } = call.caller;
  const deadline = performance.now() + deps.responseTimeLimitMs - lockMarginMs;
  const unlock = await lockKey(deps, { userId, idempotency, deadline });
  let slot: ReturnType<Ledger['reserve']> | undefined;
  try {
    const earlier = await findEarlierAnswer(deps, { userId, idempotency });
    if (earlier) return toReply(earlier);

    const terms = await steps.check();
    slot = deps.ledger.reserve(userId);

    const token = readStepUpToken(call.header('x-step-up-token'));
    const spent = await spendToken(deps, { call, idempotency, terms });
    if (spent.kind === 'answered') return toReply(spent.answer);
    if (!token) throw problem('step_up_invalid');
    if (spent.kind === 'expired') return toReply(await settleExpired(deps, { userId, idempotency, token }));

    const { jti, pinVersion, jws } = spent.consent;
    const consent = { jti, pinVersion, jws, expiresAtMs: token.expiresAtMs };
    const refusal = await steps.claim?.(terms, token);
    const { traceparent } = call.context;
    const command = { ...terms, userId, consent, idempotency, traceparent, ...(refusal && { refusal }) };
    const posted = await post({ slot, command, steps, token });
    if (posted === 'too_late') return toReply(await settleExpired(deps, { userId, idempotency, token }));
    await steps.settle?.(posted.row, token);
    return toReply(posted, spent.consent);
  } finally {
    slot?.release();
    unlock();
  }
}

type Submitted = {
  slot: ReturnType<Ledger['reserve']>;
  command: TransferCommand;
  steps: TransferSteps;
  token: TokenFacts;
};

/** @throws 409 `payment_not_payable` if another token has paid the payment of a bill, or given it back */
async function post({ slot, command, steps, token }: Submitted): Promise<Posting> {
  try {
    return await slot.submit(command);
  } catch (error) {
    if (error instanceof Problem && error.code === 'payment_not_payable') await steps.settle?.(null, token);
    throw error;
  }
}

type Identified = { userId: number; idempotency: IdempotentRequest | null };

/** One request of a user and key at a time. @throws 409 `request_in_progress` if it is still locked at the deadline */
async function lockKey(
  { keyLocks }: ExecuteTransferOnceDeps,
  { userId, idempotency, deadline }: Identified & { deadline: number },
): Promise<Release> {
  if (!idempotency) return () => undefined;
  try {
    return await keyLocks.acquire(`${userId} ${idempotency.key}`, { deadline });
  } catch (error) {
    throw error instanceof MutexTimeout ? requestInProgress() : error;
  }
}

/** @throws 422 `idempotency_key_reused` if the key was used for another request */
async function findEarlierAnswer(
  { findRowByKey }: ExecuteTransferOnceDeps,
  { userId, idempotency }: Identified,
): Promise<Answer | null> {
  const row = idempotency && (await findRowByKey({ userId, idempotency }));
  return row && answerOf(row, { userId, jti: '', idempotency });
}

type SpentToken = { kind: 'consented'; consent: Consent } | { kind: 'expired' } | { kind: 'answered'; answer: Answer };

/** Spends the step-up token. `answered`: it was refused, but another instance has posted this request in the meantime. */
async function spendToken(
  deps: ExecuteTransferOnceDeps,
  { call, idempotency, terms }: Pick<Input, 'call'> & Pick<Identified, 'idempotency'> & { terms: TransferTerms },
): Promise<SpentToken> {
  try {
    return { kind: 'consented', consent: await deps.consume(call, { currency: terms.currency }) };
  } catch (error) {
    if (error instanceof Problem && error.code === 'step_up_expired') return { kind: 'expired' };
    const answer = await findEarlierAnswer(deps, { userId: call.caller.userId, idempotency });
    if (!answer) throw error;
    return { kind: 'answered', answer };
  }
}

/**
 * Declares the token expired, so that no other instance can post with it any more, and returns the answer if one already
 * has.
 * @throws 409 `request_in_progress` while another instance may be posting; 401 `step_up_expired` or `step_up_used`
 */
async function settleExpired(
  { journal, clock }: ExecuteTransferOnceDeps,
  { userId, idempotency, token }: Identified & { token: TokenFacts },
): Promise<Answer> {
  const nowMs = clock();
  if (idempotency && nowMs < token.expiresAtMs + undecidedMs) throw requestInProgress();
  const row = await journal.insertExpired(token.jti, new Date(nowMs));
  return answerOf(row, { userId, jti: token.jti, idempotency });
}

/** The answer that `row` is to a request. @throws the problem that it is instead */
function answerOf(row: Row, identity: RequestIdentity): Answer {
  const answer = answerTo(row, identity);
  if (answer === null) throw new Error('the journal returned the row of another request');
  if (answer instanceof Problem) throw answer;
  return answer;
}

/** @throws the problem of a refused transfer */
function toReply({ row, replayed }: Answer, consent?: Consent): TransferReply {
  if (row.status === 'refused') {
    const headers = replayed ? { 'Idempotent-Replayed': 'true' } : {};
    throw row.paymentStatus === undefined
      ? problem('insufficient_funds', {}, headers)
      : problem('payment_not_payable', { payment_status: row.paymentStatus }, headers);
  }
  const proof = consent && !replayed ? { consent } : { replayed: true as const };
  const body = toTransferResponse(row);
  return { status: 201, body, headers: { Location: `/accounts/internal-transfers/${body.id}` }, ...proof };
}

const retryAfter = { 'Retry-After': '1' };
const requestInProgress = (): Problem => problem('request_in_progress', {}, retryAfter);
const outcomeUnknown = (): Problem => problem('service_unavailable', { outcome: 'unknown' }, retryAfter);
