import { problem, Problem } from '@comanda/shared/contracts/problems';
import type { Transfer as TransferAnswer } from '@comanda/shared/contracts/transfers';
import type { Reply } from '@comanda/shared/http/api';
import { callHash } from '@comanda/shared/http/call-hash';
import { stepUpProblem } from '@comanda/shared/http/step-up';
import type { Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import { createRowIndex } from './journal-row.ts';
import type { Final } from './journal-row.ts';
import type { JournalStore } from './journal-store.ts';
import type { Ledger } from './ledger.ts';
import { readStepUpToken } from './step-up-token.ts';
import { toTransferAnswer } from './transfer.ts';
import type { KeyedCall, Wish } from './transfer.ts';
import { createTurns, within } from './turns.ts';

/** What a call asks for, once nothing speaks against it, and what its consent may be bound to. */
export type Request = {
  wish: Omit<Wish, 'userId' | 'consent' | 'call' | 'traceparent'>;
  details?: Record<string, unknown>[];
};
export type PostOnce = (call: SensitiveCall, check: () => Promise<Request>) => Promise<Reply<TransferAnswer>>;
type Options = {
  journal: JournalStore;
  ledger: Ledger;
  consume: Consume;
  /** Milliseconds since the epoch. */
  clock: () => number;
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
export function createPostOnce({ journal, ledger, consume, clock }: Options): PostOnce {
  const inTurn = createTurns();

  async function decide(call: SensitiveCall, keyed: KeyedCall | null, check: () => Promise<Request>): Promise<Final> {
    const { userId } = call.caller;
    const deadline = performance.now() + answerWithinMs;
    const earlier = keyed && (await journal.byCall(userId, keyed));
    if (earlier) return readAnswer([earlier], { userId, jti: '', call: keyed });
    const { wish, details } = await check();
    return ledger.hold(userId, async (post) => {
      const token = readStepUpToken(call.header('x-step-up-token'));
      const consent = await consume(call, details && { details }).catch((error: unknown) => {
        if (isExpired(error)) return null;
        throw error;
      });
      if (consent && token) {
        const { jti, pinVersion } = consent;
        const { traceparent } = call.context;
        const whole = { ...wish, userId, call: keyed, traceparent };
        const posting = post({ ...whole, consent: { jti, pinVersion, expiresAtMs: token.expiresAtMs } });
        const posted = await within(posting, { deadline, otherwise: nobodyKnows });
        if (posted !== 'too_late') return posted;
      }
      if (!token) throw stepUpProblem('step_up_invalid');
      if (keyed && clock() < token.expiresAtMs + undecidedMs) throw later('request_in_progress');
      // Whoever is still at it with this token finds it taken out of use.
      return readAnswer([await journal.expire(token.jti, new Date(clock()))], { userId, jti: token.jti, call: keyed });
    });
  }

  return async (call, check) => {
    const { caller, idempotencyKey: key, route, body } = call;
    const keyed = key === undefined ? null : { key, hash: callHash({ userId: caller.userId, ...route, key, body }) };
    if (!keyed) return toReply(await decide(call, null, check));
    const turn = { who: `${caller.userId} ${keyed.key}`, waitMs: answerWithinMs };
    return toReply(await inTurn(turn, () => decide(call, keyed, check)));
  };
}

const isExpired = (error: unknown): boolean => error instanceof Problem && error.code === 'step_up_expired';

function readAnswer(rows: Parameters<ReturnType<typeof createRowIndex>['add']>[0][], who: Who): Final {
  const index = createRowIndex();
  rows.forEach(index.add);
  const answer = index.answer(who);
  if (answer === null || answer instanceof Problem) throw answer ?? new Error('the journal has another row');
  return answer;
}
type Who = { userId: number; jti: string; call: KeyedCall | null };

function toReply({ row, replayed }: Final): Reply<TransferAnswer> {
  const mark = replayed ? { 'Idempotent-Replayed': 'true' } : {};
  if (row.status === 'refused') throw problem(row.refusal.code, {}, mark);
  const body = toTransferAnswer(row.transfer);
  return { status: 201, body, headers: { Location: `/accounts/internal-transfers/${body.id}`, ...mark } };
}
