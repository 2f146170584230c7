import { networkOf } from '@comanda/shared/http/client-address';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Origin } from '../security-log/security-event.ts';
import type { TurnGroup, TurnOwner } from '../passwords/fair-turns.ts';
import type { PinHolder } from './pin-document.ts';

export type PinRules = {
  /** True if the first attempt after a block needs a sign-in that is newer than the block. */
  signInAfterBlock: boolean;
  /** How many consecutive wrong results block the PIN until a reset; null for no limit. */
  maxLifetimeFailures: number | null;
};
/** The user who sent a request, and the client it came from. */
export type PinRequester = {
  caller: Pick<Caller, 'userId' | 'authTime' | 'jti' | 'guest'>;
  origin: Origin;
  traceparent: string;
};

/** Returns whose turn is used to hash a PIN. */
export const turnOwnerOf = (
  { caller, origin }: Pick<PinRequester, 'caller' | 'origin'>,
  { holder, now }: { holder: PinHolder; now: number },
): TurnOwner => ({
  userId: caller.userId,
  network: networkOf(origin.address),
  group: groupOf(holder, now),
});

const dayMs = 24 * 3_600_000;
/**
 * Returns the group in which the user waits. Newcomers are customers who have no PIN yet or set it less than a day ago, like
 * every newly registered user.
 */
function groupOf({ role, pin }: PinHolder, now: number): TurnGroup {
  if (role !== 'customer') return 'staff';
  return pin === null || now - pin.createdAt < dayMs ? 'newcomers' : 'customers';
}
