import { createHmac } from 'node:crypto';
import { readSecretsById } from '@comanda/shared/config/secrets-by-id';
import { createHasher, type Hasher, type HasherOptions } from '../passwords/hasher.ts';
import { createFairTurns, type FairTurns, type TurnOwner } from './fair-turns.ts';

/** A PIN, and who waits for its hash. */
type EnteredPin = { pin: string; owner: TurnOwner };
export type HashedPin = { hash: string; pepperId: string };
export type PinHasher = {
  /**
   * bcrypt(HMAC-SHA-256(pepper, PIN)) with the current pepper.
   * @throws 503 `service_unavailable` if too many PINs wait, or this one has waited for too long
   */
  hash: (entered: EnteredPin) => Promise<HashedPin>;
  /** @throws 503 `service_unavailable`, as `hash`; Error if PIN_PEPPER has no pepper with this id */
  matches: (entered: EnteredPin, stored: HashedPin) => Promise<boolean>;
  /** Whether the PIN was hashed with the current pepper. */
  isCurrent: (stored: Pick<HashedPin, 'pepperId'>) => boolean;
};

type Options = {
  hasher: Hasher;
  turns: FairTurns;
  /** `id:base64`, separated by commas; the first is the current one. */
  peppers: string;
};

export function createPinHasher({ hasher, turns, peppers }: Options): PinHasher {
  const pepperById = readSecretsById(peppers);
  const [currentId = ''] = pepperById.keys();

  function addPepper(pin: string, pepperId: string): string {
    const pepper = pepperById.get(pepperId);
    if (!pepper) throw new Error(`a PIN was hashed with the pepper ${pepperId}, which PIN_PEPPER does not contain`);
    return createHmac('sha256', pepper).update(pin).digest('base64');
  }
  return {
    hash: async ({ pin, owner }) => {
      const peppered = addPepper(pin, currentId);
      return { hash: await turns.run(owner, () => hasher.hash(peppered)), pepperId: currentId };
    },
    matches: async ({ pin, owner }, { hash, pepperId }) => {
      const peppered = addPepper(pin, pepperId);
      return turns.run(owner, () => hasher.matches(peppered, hash));
    },
    isCurrent: ({ pepperId }) => pepperId === currentId,
  };
}

/** A hasher of PINs with threads of its own, whose turns are shared fairly. */
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
