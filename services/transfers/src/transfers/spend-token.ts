import { problem, Problem } from '@comanda/contracts/problem';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import type { Clock } from '@comanda/shared/runtime/clock';
import {
  findEarlierResult,
  requestInProgress,
  resultOf,
  type FindEarlierDeps,
  type IdentifiedCall,
} from './idempotency.ts';
import type { Result } from './journal-row.ts';
import type { JournalStore } from './journal-store.ts';
import { readStepUpToken, undecidedMs, type TokenFacts } from './step-up-token.ts';
import type { ConsentedTransfer, TransferTerms } from './transfer.ts';

export type DeclareExpiredDeps = { journal: Pick<JournalStore, 'insertExpired'>; clock: Clock };
export type SpendTokenDeps = FindEarlierDeps & DeclareExpiredDeps & { consume: Consume };
/**
 * `spent`: the token was spent for this transfer. `decided`: the token was rejected, but an earlier request already has the
 * result.
 */
type Spent = { kind: 'spent'; consent: Consent; transfer: ConsentedTransfer } | { kind: 'decided'; result: Result };
type Input = { call: SensitiveCall; terms: TransferTerms };

/**
 * Spends the step-up token for a transfer with these terms. If the result is `spent`, the caller must post the transfer until it
 * is decided or the token expires.
 * @throws a `step_up_…` problem; 409 `request_in_progress`; 503 `service_unavailable`
 */
export async function spendToken(deps: SpendTokenDeps, { call, terms }: Input): Promise<Spent> {
  const { caller, idempotency, context } = call;
  const token = readStepUpToken(call.header('x-step-up-token'));
  let consent: Consent;
  try {
    consent = await deps.consume(call, { currency: terms.currency });
  } catch (error) {
    return { kind: 'decided', result: await findDecision(deps, { call, token, error }) };
  }
  if (!token) throw problem('step_up_invalid');
  const { jti, pinVersion, jws } = consent;
  const transfer = {
    ...terms,
    userId: caller.userId,
    consent: { jti, pinVersion, jws, expiresAtMs: token.expiresAtMs },
    idempotency,
    traceparent: context.traceparent,
  };
  return { kind: 'spent', consent, transfer };
}

type Rejected = { call: IdentifiedCall; token: TokenFacts | null; error: unknown };

/**
 * Returns the decision that was already made about this request, after its token was rejected with `error`.
 * @throws `error`, or another problem, if there is no such decision
 */
async function findDecision(deps: SpendTokenDeps, { call, token, error }: Rejected): Promise<Result> {
  if (error instanceof Problem && error.code === 'step_up_expired') {
    if (!token) throw problem('step_up_invalid');
    return declareExpired(deps, { call, token });
  }
  const earlier = await findEarlierResult(deps, call);
  if (!earlier) throw error;
  return earlier;
}

/**
 * Declares the token expired, so that no instance can post with it. If an instance has already posted with it, returns that
 * result.
 * @throws 409 `request_in_progress` while another instance may be posting; 401 `step_up_expired` or `step_up_used`
 */
export async function declareExpired(
  { journal, clock }: DeclareExpiredDeps,
  { call, token }: { call: IdentifiedCall; token: TokenFacts },
): Promise<Result> {
  const { caller, idempotency } = call;
  const nowMs = clock();
  if (idempotency && nowMs < token.expiresAtMs + undecidedMs) throw requestInProgress();
  const row = await journal.insertExpired(token.jti, new Date(nowMs));
  return resultOf(row, { userId: caller.userId, jti: token.jti, idempotency });
}
