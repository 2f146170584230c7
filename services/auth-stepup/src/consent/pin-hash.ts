import { createHmac } from 'node:crypto';
import type { Hasher } from '../passwords/hasher.ts';

export type PinHasher = {
  /** bcrypt(HMAC-SHA-256(pepper, PIN)) with the current pepper. @throws 503 when too many are hashed already */
  hash: (pin: string) => Promise<{ hash: string; pepperId: string }>;
  /** @throws 503; Error where the pepper that this PIN was hashed with is not among the settings any more */
  matches: (pin: string, stored: { hash: string; pepperId: string }) => Promise<boolean>;
  /** Whether it was hashed with the pepper that is the current one. */
  isCurrent: (stored: { pepperId: string }) => boolean;
};

/** `peppers`: `id:base64`, separated by commas; the first is the current one. */
export function createPinHasher(hasher: Hasher, peppers: string): PinHasher {
  const all = new Map(
    peppers.split(',').map((each) => {
      const [id = '', secret = ''] = each.split(':');
      return [id, Buffer.from(secret, 'base64')] as const;
    }),
  );
  const [currentId = ''] = all.keys();
  function peppered(pin: string, pepperId: string): string {
    const pepper = all.get(pepperId);
    if (!pepper) throw new Error(`a PIN was hashed with the pepper ${pepperId}, which PIN_PEPPER does not have`);
    return createHmac('sha256', pepper).update(pin).digest('base64');
  }
  return {
    hash: async (pin) => ({ hash: await hasher.hash(peppered(pin, currentId)), pepperId: currentId }),
    matches: async (pin, { hash, pepperId }) => hasher.matches(peppered(pin, pepperId), hash),
    isCurrent: ({ pepperId }) => pepperId === currentId,
  };
}
