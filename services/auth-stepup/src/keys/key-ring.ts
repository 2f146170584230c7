import type { KeyObject } from 'node:crypto';

/** A signing key. Times are in milliseconds since the epoch. */
export type SigningKey = {
  kid: string;
  /** Counts up from 1. The number is unique, so only one instance can add the next key. */
  sequence: number;
  createdAt: number;
  signsFrom: number;
  publicKey: KeyObject;
  privateKey: KeyObject;
};

/** How long a key is published before it is used for signing: twice as long as verifiers cache the key set. */
export const publishedBeforeMs = 10 * 60_000;
/**
 * How long a key still verifies tokens after it stops signing: the longest token lifetime plus a minute for clock differences.
 */
const verifiesAfterMs = 16 * 60_000;

const bySequence = (keys: readonly SigningKey[]): SigningKey[] => keys.toSorted((a, b) => a.sequence - b.sequence);

/** Returns the key that signs now: the newest key whose `signsFrom` has passed; undefined if there is none. */
export const signerAt = (keys: readonly SigningKey[], now: number): SigningKey | undefined =>
  bySequence(keys).findLast(({ signsFrom }) => signsFrom <= now);

/** Returns true if the key is retired: its successor has been signing for longer than any token of the old key stays valid. */
export function isRetired(keys: readonly SigningKey[], key: SigningKey, now: number): boolean {
  return keys.some((other) => other.sequence > key.sequence && other.signsFrom + verifiesAfterMs <= now);
}

/** Returns the keys that verifiers need: the next key, the one that signs now, and those whose tokens may still be valid. */
export const publishedAt = (keys: readonly SigningKey[], now: number): SigningKey[] =>
  bySequence(keys).filter((key) => !isRetired(keys, key, now));

/**
 * Returns when the next key starts to sign if that key must be created now; otherwise null. The first key signs immediately,
 * later keys ten minutes after they are created.
 */
export function nextSignsFrom(keys: readonly SigningKey[], now: number, everyMs: number): number | null {
  const newest = bySequence(keys).at(-1);
  if (!newest) return now;
  return newest.signsFrom + everyMs <= now + publishedBeforeMs ? now + publishedBeforeMs : null;
}
