import { networkOf } from '@comanda/shared/http/client-address';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Origin } from '../security-log/security-event.ts';
import type { TurnGroup, TurnOwner } from '../passwords/fair-turns.ts';
import type { PinHolder } from './pin-document.ts';

export type PinRules = {
  /** The first attempt after a block needs a sign-in that is later than the block. */
  signInAfterBlock: boolean;
  /** After so many consecutive wrong results only a reset helps; null: never. */
  maxLifetimeFailures: number | null;
};
/** Who asks, and in which request. */
export type PinRequester = {
  caller: Pick<Caller, 'userId' | 'authTime' | 'jti' | 'guest'>;
  origin: Origin;
  traceparent: string;
};

/** By whom the wait for a thread is shared fairly. */
export const turnOwnerOf = (
  { caller, origin }: Pick<PinRequester, 'caller' | 'origin'>,
  { holder, now }: { holder: PinHolder; now: number },
): TurnOwner => ({
  userId: caller.userId,
  network: networkOf(origin.address),
  group: groupOf(holder, now),
});

const dayMs = 24 * 3_600_000;
/** Newcomers are customers without a PIN, or with one since less than a day: whoever registers is one. */
function groupOf({ role, pin }: PinHolder, now: number): TurnGroup {
  if (role !== 'customer') return 'staff';
  return pin === null || now - pin.createdAt < dayMs ? 'newcomers' : 'customers';
}
