import { problem } from '@comanda/contracts/problem';
import { maxPasswordBytes } from '@comanda/contracts/rules';
import type { TurnOwner } from './fair-turns.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { Weakness } from './strength-worker.ts';

type NewPassword = { password: string; name: string; email: string | null; owner: TurnOwner };

/** Normalizes a password to NFC, so that the same characters always give the same bytes, however they were typed. */
const normalize = (password: string): string => password.normalize('NFC');
/** Returns true if bcrypt reads the whole password. bcrypt stops after 72 bytes and at a NUL character. */
const isReadWhole = (password: string): boolean =>
  Buffer.byteLength(password) <= maxPasswordBytes && !password.includes('\0');

/** The explanation for each of zxcvbn's warnings, by the warning's name. */
const reasons: Readonly<Record<Weakness, string>> = {
  straightRow: 'It follows a row of the keyboard.',
  keyPattern: 'It follows a short pattern on the keyboard.',
  simpleRepeat: 'It repeats characters.',
  extendedRepeat: 'It repeats a group of characters.',
  sequences: 'It is a sequence such as "abc" or "6543".',
  recentYears: 'It is a recent year.',
  dates: 'It is a date.',
  topTen: 'It is one of the most common passwords.',
  topHundred: 'It is one of the most common passwords.',
  common: 'It is a common password.',
  similarToCommon: 'It is similar to a common password.',
  wordByItself: 'It is a single word.',
  namesByThemselves: 'It is a name.',
  commonNames: 'It is a common name.',
  userInputs: 'It contains your name, your email address or the name of this system.',
};
const advice = "Use three or four words that don't belong together, or a password manager.";

/**
 * Checks and hashes a new password.
 * @throws the same problems as `assertStrong`
 */
export async function hashNewPassword(hasher: PasswordHasher, input: NewPassword): Promise<string> {
  await assertStrong(hasher, input);
  return hashStrong(hasher, input);
}

/** Hashes a new password that was already checked. @throws 503 `service_unavailable` if too many calls wait */
export const hashStrong = (
  hasher: Pick<PasswordHasher, 'hash'>,
  { password, owner }: Pick<NewPassword, 'password' | 'owner'>,
): Promise<string> => hasher.hash(normalize(password), owner);

/**
 * Checks that a new password is strong enough.
 * @throws 422 `password_too_weak` if the password is easy to guess or too long for bcrypt; 503 `service_unavailable` if too many
 * calls wait
 */
export async function assertStrong(hasher: Pick<PasswordHasher, 'findWeakness'>, input: NewPassword): Promise<void> {
  const password = normalize(input.password);
  if (!isReadWhole(password))
    throw problem('password_too_weak', {
      detail: `Use at most ${maxPasswordBytes} bytes in UTF-8, and no NUL character.`,
    });
  const weakness = await hasher.findWeakness({ password, ownWords: ownWordsOf(input) }, input.owner);
  if (weakness !== null) {
    const reason = reasons[weakness] ?? 'It takes few guesses.';
    throw problem('password_too_weak', { detail: `This password is easy to guess. ${reason} ${advice}` });
  }
}

/** Returns words that are easy to guess for this user: name, e-mail address and their parts, and the system's name. */
function ownWordsOf({ name, email }: Pick<NewPassword, 'name' | 'email'>): string[] {
  const texts = [name, email ?? '', 'Comanda'].map((text) => text.normalize('NFC'));
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(words.filter((word) => word.length > 2))];
}

/**
 * Returns true if the password matches the hash. Takes the same time if there is no hash.
 * @throws 503 `service_unavailable` if too many calls wait
 */
export async function verifyPassword(
  hasher: Pick<PasswordHasher, 'matches'>,
  { password, hash, owner }: { password: string; hash: string | null; owner: TurnOwner },
): Promise<boolean> {
  const text = normalize(password);
  return hasher.matches({ text, hash: isReadWhole(text) ? hash : null }, owner);
}
