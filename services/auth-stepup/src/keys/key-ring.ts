import type { KeyObject } from 'node:crypto';

/** A key pair of ours. Times are milliseconds since the epoch. */
export type SigningKey = {
  kid: string;
  /** 1, 2, 3, …: no two instances can both add the next one. */
  sequence: number;
  createdAt: number;
  signsFrom: number;
  publicJwk: PublicJwk;
  publicKey: KeyObject;
  /** Null where it was sealed with another secret: it verifies and does not sign. */
  privateKey: KeyObject | null;
};
export type PublicJwk = { kty: string; crv: string; x: string; y: string };

/** How long a key stands in the set before it signs: twice the age at which verifiers fetch the set again. */
export const publishedBeforeMs = 10 * 60_000;
/** Longest life of a token that a key has signed, and a minute for clocks that differ. */
const verifiesAfterMs = 16 * 60_000;

const bySequence = (keys: readonly SigningKey[]): SigningKey[] => keys.toSorted((a, b) => a.sequence - b.sequence);

/** The key that signs now: the newest whose time has come. */
export const signerAt = (keys: readonly SigningKey[], now: number): SigningKey | undefined =>
  bySequence(keys).findLast(({ signsFrom, privateKey }) => signsFrom <= now && privateKey !== null);

/** A key is retired when its successor has signed for longer than any token of its own can live. */
export function isRetired(keys: readonly SigningKey[], key: SigningKey, now: number): boolean {
  return keys.some((other) => other.sequence > key.sequence && other.signsFrom + verifiesAfterMs <= now);
}

/** Those that verifiers need now: the one to come, the one that signs, and those whose tokens may still live. */
export const publishedAt = (keys: readonly SigningKey[], now: number): SigningKey[] =>
  bySequence(keys).filter((key) => !isRetired(keys, key, now));

/**
 * When the next key is to sign, if it is to be made now: at once where none can sign, ten minutes from now where the
 * newest is so old; else null.
 */
export function nextSignsFrom(keys: readonly SigningKey[], now: number, everyMs: number): number | null {
  if (!keys.some(({ privateKey }) => privateKey !== null)) return now;
  const newest = bySequence(keys).at(-1);
  return newest && newest.signsFrom + everyMs <= now + publishedBeforeMs ? now + publishedBeforeMs : null;
}
