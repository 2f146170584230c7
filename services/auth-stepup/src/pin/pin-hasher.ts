import { createHmac } from 'node:crypto';
import { readSecretsById } from '@comanda/shared/config/secrets-by-id';
import { createHasher, type Hasher, type HasherOptions } from '../passwords/hasher.ts';
import { createFairTurns, type FairTurns, type TurnOwner } from '../passwords/fair-turns.ts';

/** An entered PIN, and the owner of the turn in which the PIN is hashed. */
type EnteredPin = { pin: string; owner: TurnOwner };
/**
 * A hashed PIN. `isBoundToUser`: true if the hash contains the user's id. Older hashes do not contain it until the next right
 * PIN.
 */
export type HashedPin = { hash: string; pepperId: string; isBoundToUser: boolean };
export type PinHasher = {
  /**
   * Hashes a PIN as bcrypt(HMAC-SHA-256(pepper, user id and PIN)) with the current pepper, so the hash matches no other user's
   * PIN.
   * @throws 503 `service_unavailable` if too many PINs wait or this PIN has waited too long
   */
  hash: (entered: EnteredPin) => Promise<HashedPin>;
  /**
   * Compares a PIN with a stored hash. If nothing is stored, returns false after the same time as a real comparison.
   * @throws 503 `service_unavailable`, like `hash`; Error if PIN_PEPPER has no pepper with this id
   */
  matches: (entered: EnteredPin, stored: HashedPin | null) => Promise<boolean>;
  /** Returns true if the hash was made with the current pepper and is bound to its user. */
  isCurrent: (stored: Omit<HashedPin, 'hash'>) => boolean;
};

type Options = {
  hasher: Hasher;
  turns: FairTurns;
  /** Peppers as `id:base64`, separated by commas. The first is the current one. */
  peppers: string;
};

export function createPinHasher({ hasher, turns, peppers }: Options): PinHasher {
  const pepperById = readSecretsById(peppers);
  const [currentId = ''] = pepperById.keys();

  function addPepper({ pin, owner }: EnteredPin, { pepperId, isBoundToUser }: Omit<HashedPin, 'hash'>): string {
    const pepper = pepperById.get(pepperId);
    if (!pepper) throw new Error(`a PIN was hashed with the pepper ${pepperId}, which PIN_PEPPER does not contain`);
    const text = isBoundToUser ? `${owner.userId}:${pin}` : pin;
    return createHmac('sha256', pepper).update(text).digest('base64');
  }
  const current = { pepperId: currentId, isBoundToUser: true };
  return {
    hash: async (entered) => {
      const peppered = addPepper(entered, current);
      using _ = await turns.take(entered.owner);
      return { hash: await hasher.hash(peppered), ...current };
    },
    matches: async (entered, stored) => {
      const peppered = addPepper(entered, stored ?? current);
      using _ = await turns.take(entered.owner);
      return await hasher.matches(peppered, stored && stored.hash);
    },
    isCurrent: ({ pepperId, isBoundToUser }) => pepperId === currentId && isBoundToUser,
  };
}

/** Creates a hasher for PINs with its own threads, which callers share fairly. */
export function openPinHasher(
  options: Pick<HasherOptions, 'cost' | 'maxThreads' | 'metrics'> & {
    maxWaiting: number;
    maxWaitMs: number;
    peppers: string;
  },
): PinHasher & { close: () => Promise<void> } {
  const { maxThreads, maxWaiting, maxWaitMs, peppers } = options;
  const turns = createFairTurns({ maxRunning: maxThreads, maxWaiting, maxWaitMs });
  const hasher = createHasher('pin', { ...options, maxQueue: maxThreads, countWaiting: turns.countWaiting });
  return { ...createPinHasher({ hasher, turns, peppers }), close: hasher.close };
}
