import { problem, Problem } from '@comanda/contracts/problems';
import type { Transfer as TransferAnswer } from '@comanda/contracts/transfers';
import type { Reply } from '@comanda/shared/http/api';
import { requestFingerprint } from '@comanda/shared/http/request-fingerprint';
import { stepUpProblem } from '@comanda/shared/http/step-up';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import { createRowIndex } from './journal-row.ts';
import type { Final, JournalRow } from './journal-row.ts';
import type { JournalStore, UsersCall } from './journal-store.ts';
import type { Ledger } from './ledger.ts';
import type { Posting } from './post-batch.ts';
import { readStepUpToken } from './step-up-token.ts';
import type { TokenFacts } from './step-up-token.ts';
import { toTransferAnswer } from './transfer.ts';
import type { IdempotentRequest, Wish } from './transfer.ts';
import { createTurns, within } from './turns.ts';

/** What a call asks for, once nothing speaks against it, and what its consent may be bound to. */
export type Request = {
  wish: Omit<Wish, 'userId' | 'consent' | 'call' | 'traceparent'>;
  details?: Record<string, unknown>[];
};
/** A posted transfer with proof of the consent to it, or what was answered before. */
type Answered = Reply<TransferAnswer> & ({ consent: Consent } | { replayed: true });
type Decided = Final & { consent?: Consent };
export type PostOnce = (call: SensitiveCall, check: () => Promise<Request>) => Promise<Answered>;
type Options = {
  journal: Pick<JournalStore, 'expire'>;
  /** What the journal has of a call. */
  byCall: (call: UsersCall) => Promise<JournalRow | null>;
  ledger: Ledger;
  consume: Consume;
  /** Milliseconds since the epoch. */
  clock: () => number;
};

type Post = (wish: Wish) => Promise<Posting>;
type Undecided = {
  call: SensitiveCall;
  keyed: IdempotentRequest | null;
  check: () => Promise<Request>;
  /** By `performance.now()`: when the caller is to have an answer. */
  deadline: number;
  /** Makes the call's turn last until this has ended. */
  last: (until: Promise<unknown>) => void;
};

/** The caller hears within 2 s, whatever is down. */
const answerWithinMs = 1800;
/** So long after a token's end a call with it may still be under way somewhere. */
const undecidedMs = 10_000;

const later = (code: 'request_in_progress' | 'service_unavailable', members = {}) =>
  problem(code, members, { 'Retry-After': '1' });
const nobodyKnows = () => later('service_unavailable', { outcome: 'unknown' });

/**
 * One effect of one consent: answers a call that was decided before with that decision; else lets `check` refuse it,
 * keeps a place in the queue, spends the token and posts. In this order, so that what is refused early spends nothing.
 */
export function createPostOnce({ journal, byCall, ledger, consume, clock }: Options): PostOnce {
  const inTurn = createTurns();

  async function decide(undecided: Undecided): Promise<Decided> {
    const { call, keyed, check } = undecided;
    const { userId } = call.caller;
    const earlier = keyed && (await byCall({ userId, call: keyed }));
    if (earlier) return readAnswer(earlier, { userId, jti: '', call: keyed });
    const request = await check();
    const slot = ledger.reserve(userId);
    try {
      return await spendAndPost(undecided, request, slot.submit);
    } finally {
      slot.release();
    }
  }

  async function spendAndPost(undecided: Undecided, { wish, details }: Request, post: Post): Promise<Decided> {
    const { call, keyed, deadline, last } = undecided;
    const { userId } = call.caller;
    const token = readStepUpToken(call.header('x-step-up-token'));
    const spent = await spend(undecided, details);
    if (!token) throw stepUpProblem('step_up_invalid');
    if (spent === 'ended') return settleEnded(undecided, token);
    if ('status' in spent) return readAnswer(spent, { userId, jti: '', call: keyed });
    const consent = { jti: spent.jti, pinVersion: spent.pinVersion, expiresAtMs: token.expiresAtMs };
    const posting = post({ ...wish, userId, call: keyed, consent, traceparent: call.context.traceparent });
    last(posting);
    const posted = await within(posting, { deadline, otherwise: nobodyKnows });
    return posted === 'too_late' ? settleEnded(undecided, token) : { ...posted, consent: spent };
  }

  /** The consent; or that the token has ended; or what another instance has posted meanwhile, where it is refused. */
  async function spend(
    { call, keyed }: Undecided,
    details: Request['details'],
  ): Promise<Consent | 'ended' | JournalRow> {
    try {
      return await consume(call, details && { details });
    } catch (error) {
      if (error instanceof Problem && error.code === 'step_up_expired') return 'ended';
      // The step-up store may have lost its memory since.
      const posted = keyed && (await byCall({ userId: call.caller.userId, call: keyed }));
      if (!posted) throw error;
      return posted;
    }
  }

  /** Takes the token out of use, so that nobody who is still at it can post, and answers what that finds. */
  async function settleEnded({ call, keyed }: Undecided, { jti, expiresAtMs }: TokenFacts): Promise<Final> {
    const now = clock();
    if (keyed && now < expiresAtMs + undecidedMs) throw later('request_in_progress');
    const row = await journal.expire(jti, new Date(now));
    return readAnswer(row, { userId: call.caller.userId, jti, call: keyed });
  }

  return async (call, check) => {
    const { caller, idempotencyKey: key, route, body } = call;
    const deadline = performance.now() + answerWithinMs;
    if (key === undefined) return toReply(await decide({ call, keyed: null, check, deadline, last: () => undefined }));
    const keyed = { key, hash: requestFingerprint({ userId: caller.userId, ...route, key, body }) };
    const work = (last: Undecided['last']) => decide({ call, keyed, check, deadline, last });
    return toReply(await inTurn({ who: `${caller.userId} ${key}`, deadline, work }));
  };
}

/** @throws the problem that `row` is for this caller */
function readAnswer(row: JournalRow, who: { userId: number; jti: string; call: IdempotentRequest | null }): Final {
  const index = createRowIndex();
  index.add(row);
  const answer = index.answer(who);
  if (answer === null || answer instanceof Problem) throw answer ?? new Error('the journal has another row');
  return answer;
}

function toReply({ row, replayed, consent }: Decided): Answered {
  if (row.status === 'refused') throw problem(row.refusal.code, {}, replayed ? { 'Idempotent-Replayed': 'true' } : {});
  const proof = consent && !replayed ? { consent } : { replayed: true as const };
  const body = toTransferAnswer(row.transfer);
  return { status: 201, body, headers: { Location: `/accounts/internal-transfers/${body.id}` }, ...proof };
}
