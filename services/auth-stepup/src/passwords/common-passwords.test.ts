import { describe, expect, test } from '@jest/globals';
import { isCommon } from './common-passwords.ts';

describe('a password', () => {
  test.each([
    ['a well-known word', ['password', 'iloveyou', 'princesa', 'flamengo', 'feijoada', 'basketball']],
    [
      'such a word in another case, with digits and signs around it',
      ['Password1!', 'QWERTY123', '123princess', '#Senha2024#'],
    ],
    ['such a word with look-alikes', ['p@ssw0rd', 'P455w0rd!', 'b4sk3tb4ll']],
    ['a repeated group', ['aaaaaaaa', '12121212', 'abcdabcd', 'xyzxyzxyz']],
    [
      'a sequence on the keyboard or in the alphabet',
      ['12345678', '87654321', 'abcdefgh', 'qwertyui', 'asdfghjkl', '1q2w3e4r', 'qwer1234'],
    ],
    ['a date', ['25121999', '1999-12-25', '12/25/1999']],
  ])('when it is %s, then it is common', (_rule, passwords) => {
    for (const password of passwords) expect([password, isCommon(password)]).toEqual([password, true]);
  });

  test('when no rule matches, then it is not common', () => {
    for (const password of [
      'comanda-demo',
      'a-password-for-tests',
      'correct horse battery',
      'Tr0ub4dor&3',
      'pão de queijo',
      '8f3kq1zp',
    ])
      expect([password, isCommon(password)]).toEqual([password, false]);
  });
});
