import { problem } from '@comanda/contracts/problem';
import { recentSignInMinutes } from '@comanda/contracts/rules';
import type { CheckPinDeps } from './check-pin.ts';
import { isTooSoonToCreatePin, userNotActive } from '../users/user.ts';
import { turnOwnerOf, type PinRequester } from './pin-requester.ts';
import { readNewPin, type NewPinInput } from './new-pin.ts';
import type { PinHolder } from './pin-document.ts';
import { pinSetEvent } from './pin-events.ts';
import { reauthenticationRequired } from './pin-problems.ts';

export type CreatePinDeps = Pick<
  CheckPinDeps,
  'pins' | 'pinHasher' | 'publishNow' | 'recordSecurityEvent' | 'assertLiveSession' | 'clock'
>;

/** How old the sign-in may be when a user sets a first PIN, in seconds. */
const maxSignInAgeS = recentSignInMinutes * 60;

/**
 * Sets the user's first PIN. The session is checked again after the hash, and the write fails if the session has ended.
 * @throws 401 `invalid_token`, `reauthentication_required`; 403 `reset_too_soon`; 409 `transaction_password_exists`; 422
 * `confirmation_mismatch`, `transaction_password_weak`
 */
export async function createPin(
  { pins, pinHasher, publishNow, recordSecurityEvent, assertLiveSession, clock }: CreatePinDeps,
  input: NewPinInput,
  requester: PinRequester,
): Promise<PinHolder> {
  const { caller, origin, traceparent } = requester;
  const { userId, authTime } = caller;
  const pin = readNewPin(input);
  if (clock() - authTime * 1000 > maxSignInAgeS * 1000) throw reauthenticationRequired(maxSignInAgeS);
  const holder = await pins.findByUser(userId);
  if (holder?.status !== 'active') throw userNotActive();
  if (holder.pin) throw problem('transaction_password_exists');
  if (isTooSoonToCreatePin(holder.passwordSetByOther, clock())) throw problem('reset_too_soon');

  const hashed = await pinHasher.hash({ pin, owner: turnOwnerOf(requester, { holder, now: clock() }) });
  await assertLiveSession(caller);
  const now = clock();
  const event = pinSetEvent('created', { userId, version: holder.pinVersion + 1, now, traceparent });
  const created = await pins.insert(holder, { ...hashed, now }, event);
  if (!created) {
    await assertLiveSession(caller);
    throw problem('transaction_password_exists');
  }
  publishNow(created.documentId, created.outbox);
  await recordSecurityEvent({ userId, type: 'transaction_password_created', origin });
  return created.holder;
}
