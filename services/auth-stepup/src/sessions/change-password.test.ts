import { expect, test } from '@jest/globals';
import { silentLogger } from '@comanda/testing/silent-logger';
import type { User } from '../users/user.ts';
import { changePassword } from './change-password.ts';

const origin = { address: '192.0.2.1', userAgent: 'test' };
const current = 'carpete-lua-garfo';

test.each([
  ['weak', 'password1'],
  ['the current one', current],
])('a new password that is %s is rejected before the current one is hashed', async (_what, password) => {
  const ana = { id: 7, name: 'Ana', email: 'ana@example.test', role: 'customer', status: 'active' } as User;
  const checked: unknown[] = [];
  const deps = {
    users: {
      findById: async () => ana,
      updateAndEndSessions: async () => ana,
      countWrongPassword: async () => undefined,
      forgetWrongPasswords: async () => undefined,
    },
    sessions: { updateEpoch: async () => undefined },
    hasher: {
      findWeakness: async () => 'common',
      matches: async (compared: unknown) => checked.push(compared) > 0,
      hash: async () => 'hash',
    },
    limits: { countGuess: async () => async () => undefined },
    maxWrongPasswords: 100,
    recordSecurityEvent: async () => undefined,
    logger: silentLogger,
  };
  const caller = { userId: ana.id, jti: '' } as Parameters<typeof changePassword>[2]['caller'];

  const changed = changePassword(deps, { current, password }, { caller, origin });

  await expect(changed).rejects.toMatchObject({ code: 'password_too_weak' });
  expect(checked).toEqual([]);
});
