import type { Role } from '@comanda/contracts/endpoint';
import type { Hasher } from '../passwords/hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import { normalEmail } from './user.ts';
import type { User } from './user.ts';
import type { UserStore } from './user-store.ts';

export type People = { users: UserStore; hasher: Hasher; clock: () => number };
export type Registration = {
  name: string;
  email: string;
  password: string;
  role: Role;
  /** `oneself`, or somebody who must not know it for long: it has to be changed first. */
  passwordSetBy: 'oneself' | 'another';
};

/** Adds a user with a sign-in. @throws 409 `email_taken`, 422 `password_too_weak` */
export async function registerUser(
  { users, hasher, clock }: People,
  { name, email: sent, password, role, passwordSetBy }: Registration,
): Promise<User> {
  const email = normalEmail(sent);
  const passwordHash = await hashNewPassword(hasher, password, { name, email });
  const mustChangePassword = passwordSetBy === 'another';
  return users.insert({ name, email, passwordHash, role, mustChangePassword, createdAt: clock() });
}
