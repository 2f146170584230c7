import { networkOf } from '@comanda/shared/http/client-address';
import type { HashedPin, PinHasher } from '../pin/pin-hasher.ts';
import type { Origin } from '../security-log/security-event.ts';

type EnteredTabletPin = { pin: string; userId: number; origin: Origin };

/**
 * Returns what the PIN hasher needs to hash a tablet PIN: the text, and whose turn is used. The text names the kind of PIN, and
 * the hasher adds the user's id. So a hash copied to another user or another kind of PIN matches nothing.
 */
const enteredOf = ({ pin, userId, origin }: EnteredTabletPin) => ({
  pin: `tablet:${pin}`,
  // Only waiters have a tablet PIN, so the group is always staff. They enter the PIN on a registered tablet.
  owner: { userId, network: networkOf(origin.address), group: 'staff' as const },
});

/** Hashes a tablet PIN. @throws 503 `service_unavailable` if too many PINs wait */
export const hashTabletPin = (hasher: Pick<PinHasher, 'hash'>, entered: EnteredTabletPin): Promise<HashedPin> =>
  hasher.hash(enteredOf(entered));

/**
 * Compares a tablet PIN with the stored hash. Takes the same time if nothing is stored.
 * @throws 503 `service_unavailable` if too many PINs wait
 */
export const matchesTabletPin = (
  hasher: Pick<PinHasher, 'matches'>,
  entered: EnteredTabletPin,
  stored: HashedPin | null,
): Promise<boolean> => hasher.matches(enteredOf(entered), stored);
