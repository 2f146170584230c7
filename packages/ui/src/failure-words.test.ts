import { expect, test } from '@jest/globals';
import { CallFailure } from '@comanda/client/core';
import { failureWords } from './failure-words.ts';
import { en } from './messages/failures.en.ts';

const wordsFor = (status?: number): [string, string] => {
  const details = { code: 'unreachable', outcome: 'unknown', ...(status !== undefined && { status }) } as const;
  const { happened, toDo } = failureWords(new CallFailure('', details));
  return [happened, toDo];
};

test('a failure without a response is shown as a lost connection', () => {
  expect(wordsFor()).toEqual(en.unreachable);
});

test.each([403, 404, 429, 500, 502, 503, 504])(
  'a response from something between the device and the server is shown with its status %i',
  (status) => {
    const [happened, toDo] = wordsFor(status);

    expect(happened).toBe(`Something between this device and the server responded with error ${status}.`);
    expect(toDo).toBe(en.inBetween[1]);
  },
);

test.each([200, 302, 307, 511])(
  'a response %i from a network is shown with advice to sign in to that network',
  (status) => {
    expect(wordsFor(status)).toEqual(en.networkSignIn);
  },
);

test('a body that is too large is reported, even if a proxy rejects it', () => {
  const { happened } = failureWords(new CallFailure('', { code: 'body_too_large', outcome: 'none' }));

  expect(happened).toBe('This is too large.');
});
