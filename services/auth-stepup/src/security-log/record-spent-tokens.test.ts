import { expect, test } from '@jest/globals';
import { createTestLogger } from '@comanda/testing/test-logger';
import { createSpentTokenRecorder } from './record-spent-tokens.ts';
import type { NewEvent } from './security-log-store.ts';

const spent = (jti: string) => ({
  userId: 7,
  purpose: { endpointKey: 'internal_transfer.create', details: null, jti },
});

function startRecorder({ failures = 0 } = {}) {
  const stored: (string | undefined)[][] = [];
  const lines: string[] = [];
  const logger = createTestLogger('auth-stepup', { onLine: (line) => lines.push(line) });
  const store = {
    insertAll: async (events: readonly NewEvent[]) => {
      stored.push(events.map(({ purpose }) => purpose?.jti));
      if (stored.length <= failures) throw new Error('the database is down');
    },
  };
  return { stored, lines, recorder: createSpentTokenRecorder({ store, logger, clock: () => 1_000 }) };
}

test('the recorder stores the events for tokens spent at the same time together', async () => {
  const { stored, recorder } = startRecorder();

  for (const jti of ['a', 'b', 'c']) recorder.record(spent(jti));
  await recorder.close();

  expect(stored).toEqual([['a', 'b', 'c']]);
});

test("the recorder logs how many events it couldn't store, and still stores later ones", async () => {
  const { stored, lines, recorder } = startRecorder({ failures: 1 });

  recorder.record(spent('a'));
  await recorder.close();
  recorder.record(spent('b'));
  await recorder.close();

  expect(stored).toEqual([['a'], ['b']]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { msg: 'events of spent tokens could not be stored', count: 1 },
  ]);
});
