import { problem } from '@comanda/contracts/problems';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { isPassword } from '../passwords/password.ts';
import type { UserStore } from '../people/user-store.ts';
import { checkPin } from './check-pin.ts';
import type { Attempt, PinDesk } from './check-pin.ts';
import { pinMessage } from './pin-events.ts';
import { absent, noSuchUser, signInAgain, undecided } from './pin-problems.ts';
import { isWeakPin } from './pin.ts';
import type { PinHolder } from './pin-store.ts';

type Wanted = { transaction_password: string; confirmation: string };
type By = Pick<Attempt, 'origin' | 'traceparent'> & { caller: Pick<Caller, 'userId' | 'authTime'> };

/** Creating a PIN needs a sign-in at most this old. */
const recentS = 15 * 60;
/** How long after somebody else chose the user's password a PIN can't be reset with it. */
const strangerMs = 24 * 3600_000;

function chosenPin({ transaction_password: pin, confirmation }: Wanted): string {
  if (pin !== confirmation) throw problem('confirmation_mismatch');
  if (isWeakPin(pin)) throw problem('transaction_password_weak');
  return pin;
}

/**
 * The first PIN, by whoever signed in lately.
 * @throws 401 `reauthentication_required`; 409 `transaction_password_exists`; 422
 */
export async function createPin(desk: PinDesk, wanted: Wanted, by: By): Promise<PinHolder> {
  const { pins, pinHasher, clock, note } = desk;
  const { userId, authTime } = by.caller;
  const pin = chosenPin(wanted);
  if (clock() - authTime * 1000 > recentS * 1000) throw signInAgain(recentS);
  const holder = await pins.byUser(userId);
  if (holder?.status !== 'active') throw noSuchUser();
  if (holder.pin) throw problem('transaction_password_exists');
  const hashed = await pinHasher.hash(pin);
  const now = clock();
  const version = holder.pinVersion + 1;
  const message = pinMessage('created', { userId, version, now, traceparent: by.traceparent });
  const created = await pins.create(holder, { ...hashed, now }, { message });
  if (!created) throw problem('transaction_password_exists');
  await note(userId, 'transaction_password_created', by.origin);
  return created;
}

/** Another PIN, by whoever knows the present one; what was consented to with that is void. */
export async function changePin(desk: PinDesk, wanted: Wanted & { current: string }, by: By): Promise<PinHolder> {
  const pin = chosenPin(wanted);
  if (pin === wanted.current)
    throw problem('transaction_password_weak', { detail: 'Choose another than the current.' });
  const holder = await checkPin(desk, { ...by, pin: wanted.current });
  return replacePin(desk, { holder, pin, by, how: 'changed' });
}

export type ResetDesk = PinDesk & { users: UserStore; hasher: Hasher; limits: Pick<SignInLimits, 'guess'> };

/** A new PIN for whoever forgot theirs or is blocked: a manager has approved it, and the password is known. */
export async function resetPin(desk: ResetDesk, wanted: Wanted & { password: string }, by: By): Promise<PinHolder> {
  const { pins, users, hasher, limits, clock, note } = desk;
  const { userId } = by.caller;
  const pin = chosenPin(wanted);
  const [holder, user] = await Promise.all([pins.byUser(userId), users.byId(userId)]);
  if (!holder || user?.status !== 'active' || user.email === null) throw noSuchUser();
  const now = clock();
  if (holder.resetUntil === null || holder.resetUntil <= now) throw problem('reset_not_approved');
  if (!holder.pin) throw absent();
  if (user.passwordSetByOtherAt !== null && now - user.passwordSetByOtherAt < strangerMs)
    throw problem('reset_too_soon');
  const { passwordHash } = user;
  const right = await limits.guess(user.email, () => isPassword(hasher, wanted.password, passwordHash));
  if (!right) {
    await note(userId, 'password_wrong', by.origin);
    throw problem('password_invalid');
  }
  return replacePin(desk, { holder, pin, by, how: 'reset' });
}

type Replacement = { holder: PinHolder; pin: string; by: By; how: 'changed' | 'reset' };

/** The floor is raised first: if this dies half-way, old consent is void and the old PIN still stands. */
async function replacePin(desk: PinDesk, { holder, pin, by, how }: Replacement): Promise<PinHolder> {
  const { store, pins, pinHasher, clock, note } = desk;
  const { userId } = holder;
  const hashed = await pinHasher.hash(pin);
  const version = holder.pinVersion + 1;
  await store.raiseFloor(userId, version, how === 'reset' ? 'forgotten' : 'kept');
  const now = clock();
  const message = pinMessage(how, { userId, version, now, traceparent: by.traceparent });
  const write = how === 'reset' ? pins.reset : pins.replace;
  const replaced = await write(holder, { ...hashed, now }, { message });
  if (!replaced) throw undecided();
  await note(userId, `transaction_password_${how}`, by.origin);
  return replaced;
}
