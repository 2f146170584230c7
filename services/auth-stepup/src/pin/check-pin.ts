import type { Role } from '@comanda/contracts/endpoint';
import { problem, type Problem } from '@comanda/contracts/problem';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import { withTimeLimit } from '@comanda/shared/runtime/time-limit';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { UserStore } from '../users/user-store.ts';
import { movesMoney, transfersStopped } from '../stops/stop.ts';
import type { StopStore } from '../stops/stop-store.ts';
import { userNotActive } from '../users/user.ts';
import type { PinCheckStore, ReservedCheck, WrongResult } from './pin-check-store.ts';
import type { PinHolder } from './pin-document.ts';
import type { HashedPin, PinHasher } from './pin-hasher.ts';
import { checkInterrupted, pinAbsent, pinBlocked, pinBusy, reauthenticationRequired } from './pin-problems.ts';
import { turnOwnerOf, type PinRequester, type PinRules } from './pin-requester.ts';
import type { PinStore } from './pin-store.ts';
import { attemptsUntilBlock, blockMs, maxGuesses, storedWrong, type Pin } from './pin.ts';
import { storeBlock, type Block } from './store-block.ts';

export type CheckPinDeps = {
  pinChecks: PinCheckStore;
  pins: PinStore;
  users: Pick<UserStore, 'forgetWrongPasswords'>;
  stops: Pick<StopStore, 'get'>;
  pinHasher: PinHasher;
  rules: PinRules;
  recordSecurityEvent: RecordSecurityEvent;
  /** Publishes the messages that a write has put into an outbox. Returns immediately and never fails. */
  publishNow: (documentId: unknown, messages: readonly Message[]) => void;
  /**
   * Checks that the session of this access token is still open.
   * @throws 401 `invalid_token` if the session has ended
   */
  assertLiveSession: (caller: PinRequester['caller']) => Promise<unknown>;
  logger: Logger;
  clock: Clock;
};
export type PinAttempt = PinRequester & {
  pin: string;
  /** The roles that may use this endpoint. They are compared with the stored role, not with the access token's. */
  roles?: readonly Role[];
  /**
   * The endpoint for which the PIN authorizes a request. If the endpoint moves money, the attempt is rejected while transfers are
   * stopped.
   */
  endpointKey?: string;
  /** The step-up token to store in the same step that accepts the PIN. */
  token?: { jti: string; lifetimeMs: number };
};
type UsablePin = PinHolder & { pin: Pin };
type Reserved = Extract<ReservedCheck, { kind: 'reserved' }>;
/** A running check. A call to Redis never delays the response past `deadline`, a time of `performance.now()`. */
type RunningCheck = { holder: UsablePin; checkId: string; deadline: number };

/**
 * How long a check may take, in milliseconds, so that the caller gets a response within 2 s even if the hash is slow. Redis still
 * gets at least `minSettleMs` to store the result.
 */
const timeLimitMs = 1700;
const minSettleMs = 250;

/**
 * Checks a PIN. A user can have at most three checks running at the same time, and three wrong results block the PIN. A check has
 * a result only if its slot, reserved before the hash, is still reserved after the hash. An ended session cannot check a PIN.
 * @throws 403 `transaction_password_invalid`; 429 `transaction_password_blocked`, `transaction_password_busy`; 401
 * `invalid_token`, `reauthentication_required`; 403 `forbidden`; 409 `transaction_password_absent`; 503 `service_unavailable` if
 * the check has no result
 */
export async function checkPin(deps: CheckPinDeps, attempt: PinAttempt): Promise<PinHolder> {
  const { pinChecks, clock } = deps;
  const { userId } = attempt.caller;
  const deadline = performance.now() + timeLimitMs;
  const reserved = await pinChecks.reserveCheck(userId, clock());
  if (reserved.kind === 'busy') throw pinBusy();
  if (reserved.kind === 'blocked') throw pinBlocked(await endOfBlock(deps, attempt, reserved), clock());

  const { holder, isRight } = await matchPin(deps, attempt, reserved);
  const check: RunningCheck = { holder, checkId: reserved.checkId, deadline };
  if (!isRight) throw await settleWrong(deps, attempt, check);
  const cleared = await settleRight(deps, attempt, check);
  await clearFailures(deps, attempt, { holder, cleared });
  // A user who is signed in and knows the PIN is not an attacker, so the count of wrong passwords is reset.
  if (holder.wrongPasswords > 0) await deps.users.forgetWrongPasswords(holder.userId);
  return holder;
}

/**
 * Stores the block in MongoDB again, in case the process that blocked the PIN in Redis was killed before storing it. Returns when
 * the block ends; null if only a reset ends it. If storing fails, the attempt is still rejected, and the next attempt stores the
 * block.
 */
async function endOfBlock(deps: CheckPinDeps, attempt: PinAttempt, block: Block): Promise<number | null> {
  try {
    return await storeBlock(deps, attempt, block);
  } catch (error) {
    // Without the stored failures, the service cannot know whether the block ever ends.
    if (deps.rules.maxLifetimeFailures !== null) throw error;
    deps.logger.warn({ err: error, user_id: attempt.caller.userId }, 'a block of a PIN could not be stored');
    return block.until;
  }
}

/** Compares the PIN with the stored hash. Frees the slot if there is no result. */
async function matchPin(
  deps: CheckPinDeps,
  attempt: PinAttempt,
  reserved: Reserved,
): Promise<{ holder: UsablePin; isRight: boolean }> {
  try {
    // Fetched after the slot is reserved, so that any block stored earlier is visible.
    const [holder] = await Promise.all([
      deps.pins.findByUser(attempt.caller.userId),
      deps.assertLiveSession(attempt.caller),
      assertNotStopped(deps, attempt),
    ]);
    const usable = assertPinUsable(deps, { holder, attempt, reserved });
    const owner = turnOwnerOf(attempt, { holder: usable, now: deps.clock() });
    return { holder: usable, isRight: await deps.pinHasher.matches({ pin: attempt.pin, owner }, usable.pin) };
  } catch (error) {
    await releaseCheck(deps, attempt.caller.userId, reserved.checkId);
    throw error;
  }
}

async function assertNotStopped({ stops }: CheckPinDeps, { endpointKey }: PinAttempt): Promise<void> {
  if (endpointKey !== undefined && movesMoney(endpointKey) && (await stops.get()).transfers) throw transfersStopped();
}

type Candidate = { holder: PinHolder | null; attempt: PinAttempt; reserved: Reserved };
function assertPinUsable({ rules, clock }: CheckPinDeps, { holder, attempt, reserved }: Candidate): UsablePin {
  if (!holder || holder.status !== 'active') throw userNotActive();
  if (attempt.roles && !attempt.roles.includes(holder.role)) throw problem('forbidden');
  const { pin } = holder;
  if (!pin) throw pinAbsent();
  const now = clock();
  const maxWrong = attemptsUntilBlock(pin, rules.maxLifetimeFailures);
  if (maxWrong === 0) throw pinBlocked(null, now);
  if (pin.blockedUntil !== null && pin.blockedUntil > now) throw pinBlocked(pin.blockedUntil, now);
  const signedInBeforeBlock = pin.blockedAt !== null && attempt.caller.authTime * 1000 <= pin.blockedAt;
  if (rules.signInAfterBlock && signedInBeforeBlock) throw reauthenticationRequired(0);
  // The larger count decides: after a failover, Redis may have lost the newest results, which MongoDB still has.
  const wrong = Math.max(reserved.wrong ?? 0, storedWrong(pin, maxWrong));
  if (wrong + reserved.running >= maxWrong) throw pinBusy();
  return { ...holder, pin };
}

async function settleWrong(
  deps: CheckPinDeps,
  attempt: PinAttempt,
  { holder, checkId, deadline }: RunningCheck,
): Promise<Problem> {
  const { pinChecks, rules, clock, recordSecurityEvent } = deps;
  const { userId, pin } = holder;
  const now = clock();
  const until = now + blockMs;
  const maxWrong = attemptsUntilBlock(pin, rules.maxLifetimeFailures);
  const count = { maxWrong, storedWrong: storedWrong(pin, maxWrong) };
  const result = { now, checkId, until, pinId: pin.id, ...count };
  const settled = await inTime(pinChecks.settleWrong(userId, result), deadline);
  const stored = settled.kind === 'blocked' ? null : await storeWrong(deps, pin, { userId, settled });
  const block = settled.kind === 'blocked' ? { wrong: settled.wrong } : blockOfStored(stored, maxWrong);
  if (settled.kind === 'expired' && !block) return checkInterrupted();
  await recordSecurityEvent({ userId, type: 'transaction_password_wrong', origin: attempt.origin });
  if (block) return pinBlocked(await storeBlock(deps, attempt, { ...block, until, pinId: pin.id }), now);
  const remaining = settled.kind === 'wrong' ? settled.attemptsRemaining : 0;
  const attempts_remaining = Math.min(remaining, maxWrong - (stored?.wrong ?? 0));
  return problem('transaction_password_invalid', { attempts_remaining });
}

/**
 * Waits until Redis has recorded a result, but not past the deadline.
 * @throws 503 `service_unavailable` at the deadline; Redis may still record the result later
 */
const inTime = <T>(settling: Promise<T>, deadline: number): Promise<T> =>
  withTimeLimit(settling, {
    deadline: Math.max(deadline, performance.now() + minSettleMs),
    onTimeout: checkInterrupted,
  });

type StoredCounts = Pick<Pin, 'wrong' | 'guesses'>;

/**
 * Returns the block that the counts in MongoDB require; null if there is none. Needed in case Redis has lost results or an
 * attacker has changed them.
 */
const blockOfStored = (stored: StoredCounts | null, maxWrong: number): { wrong: number; counted: number } | null =>
  stored && (stored.wrong >= maxWrong || stored.guesses >= maxGuesses)
    ? { wrong: stored.guesses, counted: stored.wrong }
    : null;

/**
 * Counts the wrong result in MongoDB too, before the response is sent, so that an attacker who empties Redis gets no free guess.
 * Returns the new counts; null if this fails or the PIN has changed. In that case, the count in Redis decides.
 */
async function storeWrong(
  { pins, logger }: CheckPinDeps,
  { id: pinId }: Pin,
  { userId, settled }: { userId: number; settled: WrongResult },
): Promise<StoredCounts | null> {
  try {
    return await pins.countWrong({ userId, pinId }, settled.kind === 'wrong' ? 1 : 0);
  } catch (error) {
    logger.warn({ err: error, user_id: userId }, 'a wrong PIN was counted in Redis only');
    return null;
  }
}

/** Records a right PIN in Redis. Returns how many wrong results were cleared in Redis. */
async function settleRight(
  { pinChecks, pins, clock }: CheckPinDeps,
  { token }: PinAttempt,
  { holder, checkId, deadline }: RunningCheck,
): Promise<number> {
  const { userId, pinVersion, pin } = holder;
  const result = { now: clock(), checkId, pinVersion, storedWrong: pin.wrong, ...(token && { token }) };
  const settled = await inTime(pinChecks.settleRight(userId, result), deadline);
  // An earlier change of the PIN raised the minimum version but did not store the new PIN. When the caller retries, both versions
  // are equal.
  if (settled.kind === 'outdated') await pins.catchUp(holder, settled.minPinVersion);
  if (settled.kind !== 'right') throw checkInterrupted();
  return settled.cleared;
}

/**
 * Clears the counts in MongoDB after a right PIN. Also replaces a hash that has an older pepper or does not contain the user's
 * id.
 */
async function clearFailures(
  { pins, pinHasher, clock, logger }: CheckPinDeps,
  attempt: PinAttempt,
  { holder, cleared }: { holder: UsablePin; cleared: number },
): Promise<void> {
  let rehashed: HashedPin | null = null;
  try {
    if (!pinHasher.isCurrent(holder.pin))
      rehashed = await pinHasher.hash({ pin: attempt.pin, owner: turnOwnerOf(attempt, { holder, now: clock() }) });
  } catch (error) {
    logger.info({ err: error, user_id: holder.userId }, 'the PIN keeps its old hash until its next check');
  }
  const { blockedUntil, failures, guesses } = holder.pin;
  if (rehashed || cleared !== 0 || blockedUntil !== null || failures > 0 || guesses > 0)
    await pins.clearFailures(holder, { wrong: cleared, rehashed });
}

/** Frees the slot of a check. If that fails, the slot expires after ten seconds. */
async function releaseCheck({ pinChecks, logger }: CheckPinDeps, userId: number, checkId: string): Promise<void> {
  try {
    await pinChecks.releaseCheck(userId, checkId);
  } catch (error) {
    logger.warn({ err: error, user_id: userId }, 'the slot of a PIN check could not be freed');
  }
}
