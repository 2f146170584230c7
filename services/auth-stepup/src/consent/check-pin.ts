import type { Logger } from '@comanda/shared/runtime/logger';
import type { Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problems';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Note } from '../security-log/security-log.ts';
import type { ConsentStore } from './consent-store.ts';
import { blockMessage } from './pin-events.ts';
import type { PinHasher } from './pin-hash.ts';
import { absent, blocked, busy, noSuchUser, signInAgain, undecided } from './pin-problems.ts';
import { blockMs, limitOf } from './pin.ts';
import type { Pin } from './pin.ts';
import type { PinHolder, PinStore } from './pin-store.ts';

type PinRules = {
  /** After a block the next try needs a sign-in later than it. */
  signInAfterBlock: boolean;
  /** That many wrong results in a row: only a reset helps. Null: never. */
  lifetimeFailures: number | null;
};
export type PinDesk = {
  store: ConsentStore;
  pins: PinStore;
  pinHasher: PinHasher;
  rules: PinRules;
  note: Note;
  logger: Logger;
  /** Milliseconds since the epoch. */
  clock: () => number;
};
/** Who tries, from where, and in which call. */
export type Attempt = {
  caller: Pick<Caller, 'userId' | 'authTime'>;
  pin: string;
  origin: { address: string; userAgent: string };
  traceparent: string;
  /** Whose role must be one of these now, whatever the access token said. */
  roles?: readonly Role[];
};
type Held = PinHolder & { pin: Pin };

/**
 * Checks a PIN, exactly: of tries in flight at most three are hashed, three wrong results block, and nothing counts or
 * is issued unless the place that was reserved before the hash is still held after it. `token` becomes known to the
 * store in the very step that settles a right result.
 * @throws the problem that says what was wrong; 503 where nothing was decided
 */
export async function checkPin(
  desk: PinDesk,
  attempt: Attempt,
  token?: { jti: string; livesMs: number },
): Promise<Held> {
  const { store, clock } = desk;
  const { userId } = attempt.caller;
  const reserved = await store.reserve(userId, clock());
  if (reserved.is === 'busy') throw busy();
  if (reserved.is === 'blocked') {
    await writeBlock(desk, attempt, reserved);
    throw blocked(await lastingUntil(desk, userId, reserved.until), clock());
  }
  let holder: Held;
  let right: boolean;
  try {
    // Read after the reservation: a block that was written before it is seen.
    holder = await admit(desk, attempt, reserved.place);
    right = await desk.pinHasher.matches(attempt.pin, holder.pin);
  } catch (error) {
    await giveBack(desk, userId, reserved.id);
    throw error;
  }
  if (!right) throw await settleWrong(desk, attempt, { holder, reservation: reserved.id });
  const { pinVersion } = holder;
  const settled = await store.settleRight(userId, {
    now: clock(),
    reservation: reserved.id,
    pinVersion,
    ...(token && { token }),
  });
  if (settled !== 'right') throw undecided();
  await calm(desk, attempt, holder);
  return holder;
}

/** Whether this try may be checked at all, by what is stored. */
async function admit({ pins, rules, clock }: PinDesk, attempt: Attempt, place: number): Promise<Held> {
  const holder = await pins.byUser(attempt.caller.userId);
  if (!holder || holder.status !== 'active') throw noSuchUser();
  if (attempt.roles && !attempt.roles.includes(holder.role)) throw problem('forbidden');
  const { pin } = holder;
  if (!pin) throw absent();
  const now = clock();
  const limit = limitOf(pin, rules.lifetimeFailures);
  if (limit === 0) throw blocked(null, now);
  if (pin.blockedUntil !== null && pin.blockedUntil > now) throw blocked(pin.blockedUntil, now);
  const signedInBefore = pin.blockedAt !== null && attempt.caller.authTime * 1000 <= pin.blockedAt;
  if (rules.signInAfterBlock && signedInBefore) throw signInAgain(0);
  if (place > limit) throw busy();
  return { ...holder, pin };
}

async function settleWrong(
  desk: PinDesk,
  attempt: Attempt,
  { holder, reservation }: { holder: Held; reservation: string },
) {
  const { store, rules, clock, note } = desk;
  const now = clock();
  const limit = limitOf(holder.pin, rules.lifetimeFailures);
  const until = now + blockMs;
  const result = { now, reservation, limit, until, pinId: holder.pin.id };
  const settled = await store.settleWrong(holder.userId, result);
  if (settled.is === 'gone') return undecided();
  await note(holder.userId, 'transaction_password_wrong', attempt.origin);
  if (settled.is === 'wrong') return problem('transaction_password_invalid', { attempts_remaining: settled.left });
  await writeBlock(desk, attempt, { until, wrong: settled.wrong, pinId: holder.pin.id });
  return blocked(await lastingUntil(desk, holder.userId, until), now);
}

/** Beside the hash, so that whoever empties Redis frees nobody; once, by whoever comes first. */
async function writeBlock(
  { pins, clock, note, rules }: PinDesk,
  { caller: { userId }, origin, traceparent }: Attempt,
  { until, wrong, pinId }: { until: number; wrong: number; pinId: string },
): Promise<void> {
  const holder = await pins.byUser(userId);
  if (holder?.pin?.id !== pinId || holder.pin.blockedUntil === until) return;
  const now = clock();
  const failures = holder.pin.failures + wrong;
  const forGood = limitOf({ ...holder.pin, failures }, rules.lifetimeFailures) === 0;
  const happened = { userId, version: holder.pinVersion, now, traceparent };
  const message = blockMessage(happened, forGood ? null : until);
  const written = await pins.block({ userId, pinId }, { until, now: until - blockMs, wrong }, { message });
  if (written) await note(userId, 'transaction_password_blocked', origin);
}

/** Null where only a reset helps. */
async function lastingUntil({ pins, rules }: PinDesk, userId: number, until: number): Promise<number | null> {
  if (rules.lifetimeFailures === null) return until;
  const pin = (await pins.byUser(userId))?.pin;
  return pin && limitOf(pin, rules.lifetimeFailures) === 0 ? null : until;
}

async function calm({ pins, pinHasher, logger }: PinDesk, { pin }: Attempt, holder: Held): Promise<void> {
  let rehashed: { hash: string; pepperId: string } | null = null;
  try {
    if (!pinHasher.isCurrent(holder.pin)) rehashed = await pinHasher.hash(pin);
  } catch (error) {
    logger.info({ err: error, user_id: holder.userId }, 'the PIN keeps its old pepper until its next check');
  }
  if (rehashed || holder.pin.blockedUntil !== null || holder.pin.failures > 0) await pins.settle(holder, rehashed);
}

/** Where even that fails the place is free again when its ten seconds are over. */
async function giveBack({ store, logger }: PinDesk, userId: number, reservation: string): Promise<void> {
  try {
    await store.release(userId, reservation);
  } catch (error) {
    logger.warn({ err: error, user_id: userId }, 'a reserved PIN check could not be given back');
  }
}
