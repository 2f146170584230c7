import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { isRetired, nextSignsFrom, publishedBeforeMs } from './key-ring.ts';
import type { PublicJwk, SigningKey } from './key-ring.ts';
import type { KeyStore } from './key-store.ts';

const leaseMs = 30_000;

/**
 * What one of the instances does on schedule: removes keys that are retired, and adds the next one when it is due.
 * Returns all keys as they are then. Times are milliseconds since the epoch.
 */
export async function maintainKeys(
  store: KeyStore,
  { now, everyMs, instance }: { now: number; everyMs: number; instance: string },
): Promise<SigningKey[]> {
  const keys = await store.all();
  const signsFrom = nextSignsFrom(keys, now, everyMs);
  const retired = keys.filter((key) => isRetired(keys, key, now));
  if (signsFrom === null && retired.length === 0) return keys;
  if (!(await store.lease(instance, { now, untilMs: now + leaseMs }))) return store.all();
  if (retired.length > 0) await store.remove(retired.map(({ kid }) => kid));
  if (signsFrom !== null) await store.add(newKey(keys, { now, signsFrom }));
  return store.all();
}

/**
 * What the command does: the next key is added now and signs ten minutes from now. Null where one is on its way already.
 */
export async function rotateKeys(store: KeyStore, now: number): Promise<SigningKey | null> {
  const keys = await store.all();
  if (keys.some(({ signsFrom }) => signsFrom > now)) return null;
  const key = newKey(keys, { now, signsFrom: keys.length === 0 ? now : now + publishedBeforeMs });
  return (await store.add(key)) ? key : null;
}

function newKey(keys: readonly SigningKey[], { now, signsFrom }: { now: number; signsFrom: number }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const publicJwk = { kty, crv, x, y } as PublicJwk;
  const sequence = Math.max(0, ...keys.map((key) => key.sequence)) + 1;
  return { kid: randomUUID(), sequence, createdAt: now, signsFrom, publicJwk, publicKey, privateKey };
}
