import { randomInt, timingSafeEqual } from 'node:crypto';
import { hashOfSecret } from '../users/invitation-token.ts';

/** The symbols of a setup code [Crockford's Base32]: digits and letters, without I, L, O and U. Each one has 5 bits. */
const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groupCount = 7;
const groupLength = 4;
const form = new RegExp(`^[${symbols}]{${groupCount * groupLength}}$`);

const randomGroup = (): string =>
  Array.from({ length: groupLength }, () => symbols[randomInt(symbols.length)]).join('');
/** Creates a setup code with 140 random bits, in groups that are easy to type. */
export const newSetupCode = (): string => Array.from({ length: groupCount }, randomGroup).join('-');

/**
 * Reads a code as a person typed it. Ignores case, spaces and hyphens, and reads O as 0, and I and L as 1. Returns null if the
 * form is wrong.
 */
export function readSetupCode(typed: string): string | null {
  const code = typed
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return form.test(code) ? code : null;
}

/** Returns the hash of a code as it is stored. The code is random, so a fast hash is enough. */
export const hashOfSetupCode = (code: string): string => hashOfSecret(readSetupCode(code) ?? '');

/** Returns true if the typed code has this hash. Takes the same time whichever symbols are wrong. */
export function matchesSetupCode(typed: string, hash: string): boolean {
  const [given, stored] = [Buffer.from(hashOfSetupCode(typed)), Buffer.from(hash)];
  return readSetupCode(typed) !== null && given.length === stored.length && timingSafeEqual(given, stored);
}
