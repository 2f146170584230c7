import { expect, test } from '@jest/globals';
import { createUser, inviteUser, registerUser, startGuestSession } from './users.ts';

/** For each call that takes the name of a person: whether it is refused. */
const refusals = (name: string): boolean[] =>
  [registerUser, createUser, inviteUser, startGuestSession].map(({ body }) => {
    const error = body?.validate({ name }, { abortEarly: false }).error;
    return error?.details.some(({ path }) => path[0] === 'name') ?? false;
  });

test.each([
  'A\u00adna',
  'Ana\u034f',
  'Ana\u17b4',
  'Ana\u{e0041}',
  'Ana\ufe0f',
  'Ana\u180b',
  'Ana\u{e0100}',
  'Ana ❤\ufe0f\ufe0f',
  '\ufe0f',
  '\u3164',
  '\uffa0',
  '\u115f\u1160',
  '\u2800',
  'Ana\ufff0',
])('when the name of a person has a character that nobody sees, as %j has, then every call refuses it', (name) => {
  expect(refusals(name)).toEqual([true, true, true, true]);
});

test.each([
  'Ana',
  "Zoë D'Ávila-Núñez",
  'Ana ❤\ufe0f',
  'Rui 1\ufe0f\u20e3',
  '葛\u{e0100}城',
  '김민준',
  'ᠠ\u180b',
  'می\u200cخواهم',
])('when the name of a person is %j, then every call takes it', (name) => {
  expect(refusals(name)).toEqual([false, false, false, false]);
});
