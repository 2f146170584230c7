import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { SigningKey } from './key-ring.ts';

type NewKey = { now: number; signsFrom: number; sequence: number };

/** Creates an ES256 key pair. Times are in milliseconds since the epoch. */
export function createSigningKey({ now, signsFrom, sequence }: NewKey): SigningKey {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid: randomUUID(), sequence, createdAt: now, signsFrom, ...pair };
}
