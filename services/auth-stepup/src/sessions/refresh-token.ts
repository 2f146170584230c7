import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretsById } from '@comanda/shared/config/secrets-by-id';

/**
 * Issues and reads refresh tokens. A refresh token consists of the session's id, 128 random bits, and a MAC over both. The MAC
 * exposes tokens that were never issued here, so they cost no database access and cannot end a session.
 */
export type RefreshTokens = {
  issue: (sessionId: string) => { token: string; hash: string };
  /** Reads a token. Returns null if none of these keys issued the token. Only `hash` is stored. */
  read: (token: string) => { sessionId: string; hash: string } | null;
};

const idBytes = 16;
const nonceBytes = 16;
const macBytes = 32;
const form = /^[A-Za-z0-9_-]{86}$/;

export const newSessionId = (): string => randomBytes(idBytes).toString('base64url');
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

const macOf = (bytes: Buffer, key: Buffer): Buffer => createHmac('sha256', key).update(bytes).digest();

/** Creates refresh tokens. `keys` are 32 secret bytes each; the first key signs new tokens. */
export function createRefreshTokens(keys: SecretsById): RefreshTokens {
  const all = [...keys.values()];
  const [current = Buffer.alloc(0)] = all;
  return {
    issue: (sessionId) => {
      const bytes = Buffer.concat([Buffer.from(sessionId, 'base64url'), randomBytes(nonceBytes)]);
      const token = Buffer.concat([bytes, macOf(bytes, current)]).toString('base64url');
      return { token, hash: hashOf(token) };
    },
    read: (token) => {
      if (!form.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const content = bytes.subarray(0, idBytes + nonceBytes);
      const mac = bytes.subarray(idBytes + nonceBytes);
      if (mac.length !== macBytes || !all.some((key) => timingSafeEqual(mac, macOf(content, key)))) return null;
      if (bytes.toString('base64url') !== token) return null;
      return { sessionId: bytes.subarray(0, idBytes).toString('base64url'), hash: hashOf(token) };
    },
  };
}
