import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { computed } from '@preact/signals';
import { openClock } from './clock.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('the clock ticks only while it is read, and is right at once when it is read again', () => {
  const server = { now: 10_000, reads: 0 };
  const clock = openClock({ now: () => (server.reads++, server.now) });
  const seconds = computed(() => clock.value / 1000);
  const seen: number[] = [];
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      server.now += 1_000;
      jest.advanceTimersByTime(1_000);
    }
  };
  let stop = seconds.subscribe((each) => void seen.push(each));
  pass(2_000);
  stop();
  const { reads } = server;
  pass(5_000);
  const readsUnwatched = server.reads - reads;
  stop = seconds.subscribe((each) => void seen.push(each));
  pass(1_000);
  stop();

  expect(readsUnwatched).toBe(0);
  expect(seen).toEqual([10, 11, 12, 17, 18]);
});
