import type { KeyObject } from 'node:crypto';

/** A signing key. Times are in milliseconds since the epoch. */
export type SigningKey = {
  kid: string;
  /** Counts up from 1. It is unique, so only one instance can add the next key. */
  sequence: number;
  createdAt: number;
  signsFrom: number;
  publicKey: KeyObject;
  privateKey: KeyObject;
};

/** How long a key is published before it signs: twice as long as verifiers cache the key set. */
export const publishedBeforeMs = 10 * 60_000;
/** How long a key still verifies after it stops signing: the longest token lifetime plus a minute for clock differences. */
const verifiesAfterMs = 16 * 60_000;

const bySequence = (keys: readonly SigningKey[]): SigningKey[] => keys.toSorted((a, b) => a.sequence - b.sequence);

/** The key that signs now: the newest one whose time has come. */
export const signerAt = (keys: readonly SigningKey[], now: number): SigningKey | undefined =>
  bySequence(keys).findLast(({ signsFrom }) => signsFrom <= now);

/** Whether the key is retired: its successor has signed for longer than any of its own tokens is valid. */
export function isRetired(keys: readonly SigningKey[], key: SigningKey, now: number): boolean {
  return keys.some((other) => other.sequence > key.sequence && other.signsFrom + verifiesAfterMs <= now);
}

/** The keys that verifiers need: the next one, the one that signs, and those whose tokens may still be valid. */
export const publishedAt = (keys: readonly SigningKey[], now: number): SigningKey[] =>
  bySequence(keys).filter((key) => !isRetired(keys, key, now));

/**
 * When the next key starts to sign, if it must be created now; else null. The first key signs at once, later ones ten minutes
 * after they are created.
 */
export function nextSignsFrom(keys: readonly SigningKey[], now: number, everyMs: number): number | null {
  const newest = bySequence(keys).at(-1);
  if (!newest) return now;
  return newest.signsFrom + everyMs <= now + publishedBeforeMs ? now + publishedBeforeMs : null;
}
