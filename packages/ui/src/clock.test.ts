import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { computed } from '@preact/signals';
import { openClock } from './clock.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('the clock ticks only while it is read, and is right at once when it is read again', () => {
  const server = { now: 10_000 };
  const clock = openClock({ now: () => server.now });
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
  const timers = jest.getTimerCount();
  pass(5_000);
  stop = seconds.subscribe((each) => void seen.push(each));
  pass(1_000);
  stop();

  expect(timers).toBe(0);
  expect(seen).toEqual([10, 11, 12, 17, 18]);
});
