import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { closeGradually } from './close-gradually.ts';

let nowMs: number;
beforeEach(() => {
  nowMs = 0;
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** Closes `count` items while every timer fires `lateMs` late. Returns which items were closed when, in order. */
async function closeItems(count: number, { windowMs, lateMs = 0 }: { windowMs: number; lateMs?: number }) {
  const closed: { item: number; atMs: number }[] = [];
  const items = Array.from({ length: count }, (_, item) => item);
  const closing = closeGradually(items, { windowMs, close: (item) => void closed.push({ item, atMs: nowMs }) });
  for (; closed.length < count; await jest.advanceTimersByTimeAsync(50)) nowMs += 50 + lateMs;
  await closing;
  return closed;
}

test('closeGradually closes each of many items once, in random order and evenly over the window', async () => {
  const closed = await closeItems(200, { windowMs: 2000 });

  const order = closed.map(({ item }) => item);
  const inOrder = order.toSorted((a, b) => a - b);
  expect(new Set(order).size).toBe(200);
  expect(order).not.toEqual(inOrder);
  for (const quarter of [1, 2, 3, 4]) {
    const share = closed.filter(({ atMs }) => atMs <= quarter * 500).length / 200;
    expect(Math.abs(share - quarter / 4)).toBeLessThan(0.05);
  }
});

test("closeGradually doesn't wait for the window to end if there are few items", async () => {
  const closed = await closeItems(10, { windowMs: 15_000 });

  expect(Math.max(...closed.map(({ atMs }) => atMs))).toBe(50);
});

test('closeGradually finishes within the window even if every timer is 100 ms late', async () => {
  const closed = await closeItems(200, { windowMs: 2000, lateMs: 100 });

  expect(Math.max(...closed.map(({ atMs }) => atMs))).toBeLessThanOrEqual(2100);
});
