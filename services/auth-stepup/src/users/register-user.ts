import type { Role } from '@comanda/contracts/endpoint';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Hasher } from '../passwords/hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import { normalizeEmail } from './user.ts';
import type { User } from './user.ts';
import type { UserStore } from './user-store.ts';

export type RegisterUserDeps = { users: Pick<UserStore, 'insert'>; hasher: Hasher; clock: Clock };
export type RegisterUserInput = {
  name: string;
  email: string;
  password: string;
  role: Role;
  /** A password that somebody else has set must be changed before anything else. */
  passwordSetBy: 'user' | 'somebody else';
};

/** Adds a user with e-mail address and password. @throws 409 `email_taken`, 422 `password_too_weak` */
export async function registerUser(
  { users, hasher, clock }: RegisterUserDeps,
  { name, email: givenEmail, password, role, passwordSetBy }: RegisterUserInput,
): Promise<User> {
  const email = normalizeEmail(givenEmail);
  const passwordHash = await hashNewPassword(hasher, { password, name, email });
  const mustChangePassword = passwordSetBy === 'somebody else';
  return users.insert({ name, email, passwordHash, role, mustChangePassword, createdAt: clock() });
}
