import type { CheckPinDeps } from './check-pin.ts';
import { turnOwnerOf, type PinRequester } from './pin-requester.ts';
import type { PinHolder } from './pin-document.ts';
import { pinSetEvent } from './pin-events.ts';
import { checkInterrupted } from './pin-problems.ts';

type ReplacePinDeps = Pick<
  CheckPinDeps,
  'pinChecks' | 'pins' | 'pinHasher' | 'publishNow' | 'recordSecurityEvent' | 'assertLiveSession' | 'clock'
>;
type Replacement = { holder: PinHolder; pin: string; change: 'changed' | 'reset' };

/**
 * Stores a new PIN, after checking the session again once the hash is done. The minimum version is raised first. If the process
 * is killed in between, earlier step-up tokens are void while the old PIN stays valid; the next check of that PIN raises its
 * version.
 */
export async function replacePin(
  { pinChecks, pins, pinHasher, publishNow, recordSecurityEvent, assertLiveSession, clock }: ReplacePinDeps,
  { holder, pin, change }: Replacement,
  requester: PinRequester,
): Promise<PinHolder> {
  const { origin, traceparent } = requester;
  const { userId } = holder;
  const hashed = await pinHasher.hash({ pin, owner: turnOwnerOf(requester, { holder, now: clock() }) });
  await assertLiveSession(requester.caller);
  const version = holder.pinVersion + 1;
  await pinChecks.raiseMinPinVersion(userId, { version, attempts: change === 'reset' ? 'delete' : 'keep' });
  const now = clock();
  const event = pinSetEvent(change, { userId, version, now, traceparent });
  const write = change === 'reset' ? pins.reset : pins.replace;
  const replaced = await write(holder, { ...hashed, now }, event);
  if (!replaced) throw checkInterrupted();
  publishNow(replaced.documentId, replaced.outbox);
  await recordSecurityEvent({ userId, type: `transaction_password_${change}`, origin });
  return replaced.holder;
}
