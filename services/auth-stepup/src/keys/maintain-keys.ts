import { isRetired, nextSignsFrom, type SigningKey } from './key-ring.ts';
import type { KeyStore } from './key-store.ts';
import { createSigningKey } from './signing-key.ts';

const leaseMs = 30_000;

type Schedule = { now: number; everyMs: number; instance: string };

/**
 * Deletes retired keys and adds the next key when it is due, but only on the instance that holds the lease. Returns all keys
 * afterwards. Ignores keys that this instance cannot open. Times are in milliseconds since the epoch.
 */
export async function maintainKeys(
  { store }: { store: KeyStore },
  { now, everyMs, instance }: Schedule,
): Promise<SigningKey[]> {
  const keys = await store.findAll();
  if (!isChangeDue(keys, { now, everyMs })) return keys;

  const hasLease = await store.acquireLease(instance, { now, untilMs: now + leaseMs });
  if (!hasLease) return store.findAll();
  const sequence = await store.getNextSequence();
  const latest = await store.findAll();
  const retired = latest.filter((key) => isRetired(latest, key, now));
  if (retired.length > 0) await store.delete(retired.map(({ kid }) => kid));
  const signsFrom = nextSignsFrom(latest, now, everyMs);
  if (signsFrom !== null) await store.insert(createSigningKey({ now, signsFrom, sequence }));
  return store.findAll();
}

const isChangeDue = (keys: readonly SigningKey[], { now, everyMs }: Omit<Schedule, 'instance'>): boolean =>
  nextSignsFrom(keys, now, everyMs) !== null || keys.some((key) => isRetired(keys, key, now));
