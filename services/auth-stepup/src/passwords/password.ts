import { problem } from '@comanda/contracts/problems';
import type { Hasher } from './hasher.ts';
import { isCommon } from './common-passwords.ts';

/** What bcrypt reads of a password. */
const maxBytes = 72;

/** One form for what looks the same, however it was typed (NFC). */
const normal = (password: string): string => password.normalize('NFC');
const fits = (password: string): boolean => Buffer.byteLength(password) <= maxBytes && !password.includes('\0');

/**
 * The hash of a new password.
 * @throws 422 `password_too_weak` for one of the commonest, one that is the user's own e-mail or name, or one of which
 * a part would not count; 503 when too many are hashed already
 */
export async function hashNewPassword(
  hasher: Hasher,
  password: string,
  user: { name: string; email: string | null },
): Promise<string> {
  const text = normal(password);
  if (!fits(text))
    throw problem('password_too_weak', { detail: 'What is past 72 bytes, or after a NUL, would not count.' });
  if (isCommon(text) || isOwnName(text, user)) throw problem('password_too_weak');
  return hasher.hash(text);
}

function isOwnName(password: string, { name, email }: { name: string; email: string | null }): boolean {
  const own = [name, email ?? '', email?.split('@')[0] ?? ''].map((text) => text.toLowerCase());
  return own.includes(password.toLowerCase());
}

/** Takes the same time whatever is wrong, no user at all included. @throws 503 when too many are hashed already */
export async function isPassword(hasher: Hasher, password: string, hash: string | null): Promise<boolean> {
  const text = normal(password);
  // bcrypt would not see what is past 72 bytes, or after a NUL.
  const right = await hasher.matches(text, fits(text) ? hash : null);
  return right;
}
