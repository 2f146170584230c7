import { expect, test } from '@jest/globals';
import { silentLogger } from '@comanda/testing/silent-logger';
import { passwordTurnOf } from '../passwords/password-hasher.ts';
import { checkPassword } from './check-password.ts';
import type { User } from './user.ts';

test("a wrong password that isn't counted yet gets its response as fast as an unknown e-mail address", async () => {
  const neverCounted: number[] = [];
  const deps = {
    users: {
      countWrongPassword: (id: number) => {
        neverCounted.push(id);
        return new Promise<void>(() => undefined);
      },
      forgetWrongPasswords: async () => undefined,
    },
    hasher: { matches: async () => false },
    limits: { countGuess: async () => async () => undefined },
    maxWrongPasswords: 100,
    logger: silentLogger,
  };
  const ana = { id: 7, status: 'active', wrongPasswords: 0, passwordHash: 'hash' } as User;
  const guess = { origin: { sessionId: 'session' }, password: 'not-the-password', owner: passwordTurnOf('192.0.2.1') };
  const answered: string[] = [];

  void checkPassword(deps, { ...guess, user: ana }).then(() => answered.push('known'));
  void checkPassword(deps, { ...guess, user: null }).then(() => answered.push('unknown'));
  await new Promise((resolve) => setImmediate(resolve)); // no timer can fire before this resolves

  expect(answered.toSorted()).toEqual(['known', 'unknown']);
  expect(neverCounted).toEqual([7]);
});
