import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { whenAwake } from './wake.ts';

const startedAt = Date.parse('2026-11-20T21:00:00Z');
let wakes: number;
let stop: (() => void) | undefined;
beforeEach(() => {
  jest.useFakeTimers({ now: startedAt });
  wakes = 0;
});
afterEach(() => {
  close();
  jest.useRealTimers();
});
const start = (): void => {
  stop = whenAwake(() => wakes++);
};
function close(): void {
  stop?.();
  stop = undefined;
}
const runFor = (ms: number): void => jest.advanceTimersByTime(ms);
/** Simulates sleep of `ms` milliseconds, during which the monotonic clock and the timers stop. */
const sleepFor = (ms: number): void => jest.setSystemTime(Date.now() + ms);

describe('a device', () => {
  test('notices a sleep of more than 3 s within a second and reports it once', () => {
    start();
    runFor(60_000);
    const whileAwake = wakes;
    sleepFor(3001);
    runFor(1000);
    const after = wakes;
    runFor(60_000);

    expect([whileAwake, after, wakes]).toEqual([0, 1, 1]);
  });

  test('does not count as asleep when its clock jumps by less than 3 s or is set back', () => {
    start();
    for (const ms of [2999, -3_600_000, 2999]) {
      sleepFor(ms);
      runFor(1000);
    }

    expect(wakes).toBe(0);
  });

  test('reports nothing after closing', () => {
    start();
    close();
    sleepFor(60_000);
    runFor(2000);

    expect(wakes).toBe(0);
  });
});

describe('a page', () => {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const window = new EventTarget();
  beforeEach(() => {
    Object.assign(globalThis, {
      document,
      addEventListener: window.addEventListener.bind(window),
      removeEventListener: window.removeEventListener.bind(window),
    });
  });
  afterEach(() => {
    close();
    for (const name of ['document', 'addEventListener', 'removeEventListener'])
      Reflect.deleteProperty(globalThis, name);
  });
  function become(visibilityState: 'visible' | 'hidden'): void {
    document.visibilityState = visibilityState;
    document.dispatchEvent(new Event('visibilitychange'));
  }

  test.each([
    { hiddenMs: 3000, expected: 1 },
    { hiddenMs: 2999, expected: 0 },
  ])('reports $expected sleeps after being hidden for $hiddenMs ms', ({ hiddenMs, expected }) => {
    start();
    become('hidden');
    runFor(hiddenMs);
    become('visible');

    expect(wakes).toBe(expected);
  });

  test('reports only one sleep if the device slept while the page was hidden', () => {
    start();
    become('hidden');
    sleepFor(60_000);
    become('visible');
    runFor(2000);

    expect(wakes).toBe(1);
  });

  test.each([
    { persisted: true, expected: 1 },
    { persisted: false, expected: 0 },
  ])('reports $expected sleeps when shown with persisted: $persisted', (each) => {
    start();
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: each.persisted }));

    expect(wakes).toBe(each.expected);
  });
});
