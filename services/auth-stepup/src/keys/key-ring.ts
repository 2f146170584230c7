import type { KeyObject } from 'node:crypto';

/** Times are milliseconds since the epoch. */
export type SigningKey = {
  kid: string;
  /** 1, 2, 3, …: unique, so that only one instance can add the next key. */
  sequence: number;
  createdAt: number;
  signsFrom: number;
  publicKey: KeyObject;
  privateKey: KeyObject;
};

/** How long a key is published before it signs: twice the time for which verifiers cache the key set. */
export const publishedBeforeMs = 10 * 60_000;
/** The longest lifetime of a signed token, and a minute for clocks that differ. */
const verifiesAfterMs = 16 * 60_000;

const bySequence = (keys: readonly SigningKey[]): SigningKey[] => keys.toSorted((a, b) => a.sequence - b.sequence);

/** The key that signs now: the newest one that may sign. */
export const signerAt = (keys: readonly SigningKey[], now: number): SigningKey | undefined =>
  bySequence(keys).findLast(({ signsFrom }) => signsFrom <= now);

/** A key is retired when its successor has signed for longer than any of its own tokens is valid. */
export function isRetired(keys: readonly SigningKey[], key: SigningKey, now: number): boolean {
  return keys.some((other) => other.sequence > key.sequence && other.signsFrom + verifiesAfterMs <= now);
}

/** The keys that verifiers need: the next one, the one that signs, and those whose tokens may still be valid. */
export const publishedAt = (keys: readonly SigningKey[], now: number): SigningKey[] =>
  bySequence(keys).filter((key) => !isRetired(keys, key, now));

/**
 * From when the next key signs, if it must be created now; else null. It signs at once if there is no key, and ten minutes
 * from now if the newest key is due.
 */
export function nextSignsFrom(keys: readonly SigningKey[], now: number, everyMs: number): number | null {
  const newest = bySequence(keys).at(-1);
  if (!newest) return now;
  return newest.signsFrom + everyMs <= now + publishedBeforeMs ? now + publishedBeforeMs : null;
}
