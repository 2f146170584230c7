import { normalEmail } from '@comanda/contracts/email-address';
import { problem } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import { passwordTurnOf, type PasswordHasher } from '../passwords/password-hasher.ts';
import { hashNewPassword } from '../passwords/password.ts';
import type { StopStore } from '../stops/stop-store.ts';
import type { User } from './user.ts';
import type { UserStore } from './user-store.ts';

export type RegisterUserDeps = {
  users: Pick<UserStore, 'findByEmail' | 'insert'>;
  stops: Pick<StopStore, 'get'>;
  hasher: PasswordHasher;
  limits: Pick<SignInLimits, 'countRegistration'>;
  clock: Clock;
};
export type RegisterUserInput = { name: string; email: string; password: string };

/**
 * Adds a customer with an e-mail address and a password.
 * @throws 403 `sign_ups_stopped`, 409 `email_taken`, 422 `password_too_weak`, 429 `rate_limited`
 */
export async function registerUser(
  { users, stops, hasher, limits, clock }: RegisterUserDeps,
  { name, email: givenEmail, password }: RegisterUserInput,
  { address }: { address: string },
): Promise<User> {
  await limits.countRegistration(address);
  await assertSignUps(stops);
  const email = normalEmail(givenEmail);
  const passwordHash = await hashNewPassword(hasher, { password, name, email, owner: passwordTurnOf(address) });
  // Checked again after the hash, because passwords wait for seconds during a rush of sign-ups.
  await assertSignUps(stops);
  // Release 1.0.0 may have stored the address in another form, which the unique index does not recognize.
  if (await users.findByEmail(givenEmail)) throw problem('email_taken');
  return users.insert({ name, email, passwordHash, role: 'customer', addedBy: null, createdAt: clock() });
}

/** @throws 403 `sign_ups_stopped` if a manager has stopped sign-ups */
async function assertSignUps(stops: RegisterUserDeps['stops']): Promise<void> {
  if ((await stops.get()).sign_ups !== null) throw problem('sign_ups_stopped');
}
