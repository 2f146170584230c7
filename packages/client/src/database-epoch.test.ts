import { afterEach, expect, jest, test } from '@jest/globals';
import { createDatabaseEpoch } from './database-epoch.ts';
import { createSeenReporter } from './feed/seen-reporter.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('a listener is called each time the epoch changes, until it is removed', () => {
  const epoch = createDatabaseEpoch();
  let restored = 0;
  const stop = epoch.onRestored(() => restored++);
  const counts: number[] = [];
  for (const reported of [null, 'a', 'a', null, 'b', 'b']) {
    epoch.take(reported);
    counts.push(restored);
  }
  stop();
  epoch.take('c');

  expect([counts, restored]).toEqual([[0, 0, 0, 0, 1, 1], 1]);
});

test('orders on the screen are reported again after a database restore, which may have lost the reports', async () => {
  jest.useFakeTimers();
  const epoch = createDatabaseEpoch();
  const reports: (readonly number[])[] = [];
  const markSeen = (({ order_ids: ids }: { order_ids: number[] }) => {
    reports.push(ids);
    return Promise.resolve();
  }) as unknown as Parameters<typeof createSeenReporter>[0]['markSeen'];
  const reporter = createSeenReporter({ markSeen, epoch }, { device: 'kitchen-1' });
  epoch.take('a');
  for (const reported of ['a', 'b']) {
    reporter.painted([1, 2]);
    await jest.advanceTimersByTimeAsync(1000);
    epoch.take(reported);
  }
  reporter.painted([2]);
  await jest.advanceTimersByTimeAsync(1000);
  reporter.close();

  expect(reports).toEqual([[1, 2], [2]]);
});
