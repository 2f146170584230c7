import { expect, test } from '@jest/globals';
import { createUser, inviteUser } from './users.ts';
import { registerUser, startGuestSession } from './sessions.ts';

/** Returns, for each call that accepts a person's name, true if it rejects this name. */
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
])("every call rejects a person's name with an invisible character, such as %j", (name) => {
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
])("every call accepts the person's name %j", (name) => {
  expect(refusals(name)).toEqual([false, false, false, false]);
});
