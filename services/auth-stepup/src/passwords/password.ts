import { problem } from '@comanda/contracts/problem';
import { maxPasswordBytes } from '@comanda/contracts/rules';
import type { Hasher } from './hasher.ts';
import { isCommon } from './common-passwords.ts';

type NewPassword = { password: string; name: string; email: string | null };

/** NFC: the same characters give the same bytes, however they were typed. */
const normalize = (password: string): string => password.normalize('NFC');
/** bcrypt reads neither past 72 bytes nor past a NUL character. */
const isReadWhole = (password: string): boolean =>
  Buffer.byteLength(password) <= maxPasswordBytes && !password.includes('\0');

/**
 * The hash of a new password.
 * @throws 422 `password_too_weak` if it is common, the user's own name or e-mail address, or too long for bcrypt; 503
 * `service_unavailable` if the hash queue is full
 */
export async function hashNewPassword(hasher: Hasher, { password, name, email }: NewPassword): Promise<string> {
  const text = normalize(password);
  if (!isReadWhole(text))
    throw problem('password_too_weak', {
      detail: `Use at most ${maxPasswordBytes} bytes in UTF-8, and no NUL character.`,
    });
  if (isCommon(text) || isOwnName(text, { name, email })) throw problem('password_too_weak');
  return hasher.hash(text);
}

function isOwnName(password: string, { name, email }: Omit<NewPassword, 'password'>): boolean {
  const ownNames = [name, email ?? '', email?.split('@')[0] ?? ''].map((text) => text.toLowerCase());
  return ownNames.includes(password.toLowerCase());
}

/**
 * Whether the password matches the hash. Takes the same time if there is no hash.
 * @throws 503 `service_unavailable` if the hash queue is full
 */
export async function verifyPassword(
  hasher: Hasher,
  { password, hash }: { password: string; hash: string | null },
): Promise<boolean> {
  const text = normalize(password);
  return hasher.matches(text, isReadWhole(text) ? hash : null);
}
