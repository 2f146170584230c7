import perfHooks from 'node:perf_hooks';
import { expect, jest, test } from '@jest/globals';
import { createMetrics } from './metrics.ts';

test('several services in one process measure the event loop only once, and each reports the result', async () => {
  createMetrics('first');
  const monitor = jest.spyOn(perfHooks, 'monitorEventLoopDelay');

  const texts = await Promise.all(['orders', 'notifier'].map((name) => createMetrics(name).metrics()));

  expect(monitor).not.toHaveBeenCalled();
  monitor.mockRestore();
  const lags = texts.map((text) => /^nodejs_eventloop_lag_p99_seconds.* /m.exec(text)?.[0]);
  expect(lags).toEqual(
    ['orders', 'notifier'].map((service) => `nodejs_eventloop_lag_p99_seconds{service="${service}"} `),
  );
});
