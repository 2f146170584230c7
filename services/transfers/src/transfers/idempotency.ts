import { problem, Problem } from '@comanda/contracts/problem';
import type { SensitiveCall } from '@comanda/shared/http/step-up';
import type { KeyedMutex, Lock } from '@comanda/shared/runtime/keyed-mutex';
import { resultFor, type RequestIdentity, type Result, type Row } from './journal-row.ts';
import type { UserRequest } from './journal-store.ts';

/** A request's user and idempotency key. */
export type IdentifiedCall = Pick<SensitiveCall, 'caller' | 'idempotency'>;
export type LockRequestDeps = {
  /** Locks by user and idempotency key, in this process only. */
  keyLocks: KeyedMutex<string>;
  /** The time after which a caller gets a 503 while its request continues, in milliseconds. */
  responseTimeLimitMs: number;
};
export type FindEarlierDeps = {
  /** Finds the journal's row for a request by its user and idempotency key; null if there is none. */
  findRowByKey: (request: UserRequest) => Promise<Row | null>;
};

/** How long before its own response is due a request stops waiting for another request with its key, in milliseconds. */
const lockMarginMs = 100;

export const requestInProgress = (): Problem => problem('request_in_progress', {}, { 'Retry-After': '1' });

/**
 * Locks the request's idempotency key, so that requests with the same key run one after another. Returns null without a key.
 * @throws 409 `request_in_progress` if an earlier request with the key takes too long
 */
export async function lockRequest(
  { keyLocks, responseTimeLimitMs }: LockRequestDeps,
  { caller, idempotency }: IdentifiedCall,
): Promise<Lock | null> {
  const deadline = performance.now() + responseTimeLimitMs - lockMarginMs;
  return idempotency && keyLocks.acquire(`${caller.userId} ${idempotency.key}`, deadline);
}

/**
 * Returns the result of an earlier request with the same idempotency key; null if there was none.
 * @throws 422 `idempotency_key_reused` if the key was used for another request
 */
export async function findEarlierResult(
  { findRowByKey }: FindEarlierDeps,
  { caller: { userId }, idempotency }: IdentifiedCall,
): Promise<Result | null> {
  const row = idempotency && (await findRowByKey({ userId, idempotency }));
  return row && resultOf(row, { userId, jti: '', idempotency });
}

/** Returns the result stored in `row`. @throws `idempotency_key_reused`, `step_up_used` or `step_up_expired`, see `resultFor` */
export function resultOf(row: Row, identity: RequestIdentity): Result {
  const result = resultFor(row, identity);
  if (result === null) throw new Error('the journal returned the row of another request');
  if (result instanceof Problem) throw result;
  return result;
}
