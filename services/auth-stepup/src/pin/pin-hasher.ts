import { createHmac } from 'node:crypto';
import { readSecretsById } from '@comanda/shared/config/secrets-by-id';
import type { Hasher } from '../passwords/hasher.ts';

export type HashedPin = { hash: string; pepperId: string };
export type PinHasher = {
  /** bcrypt(HMAC-SHA-256(pepper, PIN)) with the current pepper. @throws 503 `service_unavailable` if the queue is full */
  hash: (pin: string) => Promise<HashedPin>;
  /** @throws 503 `service_unavailable` if the queue is full; Error if PIN_PEPPER has no pepper with this id */
  matches: (pin: string, stored: HashedPin) => Promise<boolean>;
  /** Whether the PIN was hashed with the current pepper. */
  isCurrent: (stored: Pick<HashedPin, 'pepperId'>) => boolean;
};

/** `peppers`: `id:base64`, separated by commas; the first is the current one. */
export function createPinHasher(hasher: Hasher, peppers: string): PinHasher {
  const pepperById = readSecretsById(peppers);
  const [currentId = ''] = pepperById.keys();

  function addPepper(pin: string, pepperId: string): string {
    const pepper = pepperById.get(pepperId);
    if (!pepper) throw new Error(`a PIN was hashed with the pepper ${pepperId}, which PIN_PEPPER does not contain`);
    return createHmac('sha256', pepper).update(pin).digest('base64');
  }
  return {
    hash: async (pin) => ({ hash: await hasher.hash(addPepper(pin, currentId)), pepperId: currentId }),
    matches: async (pin, { hash, pepperId }) => hasher.matches(addPepper(pin, pepperId), hash),
    isCurrent: ({ pepperId }) => pepperId === currentId,
  };
}
