import { describe, expect, test } from '@jest/globals';
import { passwordTurnOf } from './password-hasher.ts';
import { assertStrong } from './password.ts';
import findWeakness from './strength-worker.ts';

const user = { name: 'Evangelina Souza', email: 'eva-5f1c09a7d3b2@example.test', owner: passwordTurnOf('192.0.2.1') };
/** Checks a new password for this user, without a thread. */
const check = (password: string): Promise<void> =>
  assertStrong({ findWeakness: async (task) => findWeakness(task) }, { ...user, password });

describe('a new password', () => {
  test.each(['mesa-farofa-violao', 'mesa-farofa-violão-carpete-lua-garfo'])(
    'is accepted if it is %s',
    async (strong) => {
      await expect(check(strong)).resolves.toBeUndefined();
    },
  );

  test.each([
    'password1',
    'Iloveyou!',
    '12345678',
    'abcabcabc',
    'qwertyuiop',
    '25121999',
    'swordfish',
    '123456789a',
    'a1b2c3d4',
    'comanda-demo',
    'P@ssw0rd2024',
    'restaurante1',
    'monday-morning',
    'segunda-feira',
    'sdfghjklpoi',
  ])('is rejected because %s is easy to guess', async (weak) => {
    await expect(check(weak)).rejects.toMatchObject({
      code: 'password_too_weak',
      members: { detail: expect.stringMatching(/^This password is easy to guess\. It /) },
    });
  });

  test.each(['Evangelina Souza', 'evangelina1', user.email, 'eva-5f1c09a7d3b2'])(
    "is rejected because %s is the user's name or e-mail address",
    async (own) => {
      await expect(check(own)).rejects.toMatchObject({ code: 'password_too_weak' });
    },
  );

  test.each([
    ['has 74 bytes', `mesa-farofa-violão-carpete-lua-garfo-${'ã'.repeat(18)}`],
    ['contains a NUL character', 'a-word\u0000and more'],
  ])('is rejected because bcrypt would ignore part of it if it %s', async (_what, unreadable) => {
    await expect(check(unreadable)).rejects.toMatchObject({
      code: 'password_too_weak',
      members: { detail: 'Use at most 72 bytes in UTF-8, and no NUL character.' },
    });
  });
});
