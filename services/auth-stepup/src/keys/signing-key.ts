import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { PublicJwk, SigningKey } from './key-ring.ts';

/** A new ES256 key pair with the next sequence number. Times are milliseconds since the epoch. */
export function createSigningKey(keys: readonly SigningKey[], { now, signsFrom }: { now: number; signsFrom: number }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const publicJwk = { kty, crv, x, y } as PublicJwk;
  const sequence = Math.max(0, ...keys.map((key) => key.sequence)) + 1;
  return { kid: randomUUID(), sequence, createdAt: now, signsFrom, publicJwk, publicKey, privateKey };
}
