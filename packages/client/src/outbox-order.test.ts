import { afterEach, expect, jest, test } from '@jest/globals';
import { until } from '@comanda/testing/until';
import { CallFailure } from './call-failure.ts';
import { createOutbox, type OutboxOptions } from './outbox.ts';

afterEach(() => void jest.restoreAllMocks());

type Letter = { key: string; text: string };
const letters: readonly Letter[] = [
  { key: 'a', text: 'x' },
  { key: 'b', text: 'x' },
  { key: 'c', text: 'y' },
];

/** Sends three letters, of which the first attempt fails. Returns the keys of all attempts, in their order. */
async function attemptsOf(failure: CallFailure, mustFollow?: OutboxOptions<Letter, string>['mustFollow']) {
  let stored = letters;
  const attempted: string[] = [];
  const outbox = createOutbox<Letter, string>({
    storage: { get: () => stored, write: (entries) => (stored = entries) },
    keyOf: ({ key }) => key,
    send: async ({ key }) => {
      attempted.push(key);
      if (attempted.length === 1) throw failure;
      return 'yes';
    },
    onSent: () => undefined,
    onRefused: () => undefined,
    ...(mustFollow && { mustFollow }),
  });
  await until(() => outbox.entries().length === 0, { what: 'the outbox to be empty' });
  outbox.close();
  return attempted;
}

test.each([
  ['internal_error', (entry: Letter, earlier: Letter) => entry.text === earlier.text, ['a', 'c', 'a', 'b']],
  ['internal_error', undefined, ['a', 'a', 'b', 'c']],
  ['unreachable', () => false, ['a', 'a', 'b', 'c']],
] as const)('after %s, only letters that must not follow the failing one are sent before it', async (...given) => {
  const [code, mustFollow, expected] = given;
  const failure = new CallFailure('not yet', { code, outcome: 'unknown', retryAfterMs: 300 });

  expect(await attemptsOf(failure, mustFollow)).toEqual(expected);
});

test('nothing is sent before a letter whose pause ends while the outbox looks for the next one', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(60_000);
  // The first letter is sent, its pause starts, the outbox starts to look for the next one, and the pause is over.
  for (let at = 0; at < 3; at++) now.mockReturnValueOnce(0);
  const failure = new CallFailure('not yet', { code: 'internal_error', outcome: 'unknown' });

  expect(await attemptsOf(failure)).toEqual(['a', 'a', 'b', 'c']);
});
