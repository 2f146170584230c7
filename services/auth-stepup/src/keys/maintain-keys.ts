import { isRetired, nextSignsFrom } from './key-ring.ts';
import type { SigningKey } from './key-ring.ts';
import type { KeyStore } from './key-store.ts';
import { createSigningKey } from './signing-key.ts';

const leaseMs = 30_000;

type Schedule = { now: number; everyMs: number; instance: string };

/**
 * Deletes retired keys and adds the next key when it is due. Of several instances, the one with the lease does it. Returns
 * all keys afterwards. Times are milliseconds since the epoch.
 */
export async function maintainKeys(
  { store }: { store: KeyStore },
  { now, everyMs, instance }: Schedule,
): Promise<SigningKey[]> {
  const keys = await store.findAll();
  const signsFrom = nextSignsFrom(keys, now, everyMs);
  const retired = keys.filter((key) => isRetired(keys, key, now));
  if (signsFrom === null && retired.length === 0) return keys;

  const hasLease = await store.acquireLease(instance, { now, untilMs: now + leaseMs });
  if (!hasLease) return store.findAll();
  if (retired.length > 0) await store.delete(retired.map(({ kid }) => kid));
  if (signsFrom !== null) await store.insert(createSigningKey(keys, { now, signsFrom }));
  return store.findAll();
}
