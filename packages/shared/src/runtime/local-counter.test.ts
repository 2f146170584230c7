import { describe, expect, test } from '@jest/globals';
import { createLocalCounter } from './local-counter.ts';

describe('createLocalCounter', () => {
  const start = 1_000_000;
  const counter = () => {
    const clock = { now: start };
    const count = createLocalCounter({ windowMs: 60_000, clock: () => clock.now, maxKeys: 3 });
    return { clock, hit: (key: string | number) => ({ ...count(key) }) };
  };
  test('counts each key separately, in a window that starts with its first hit', () => {
    const { clock, hit } = counter();
    expect(hit('a')).toEqual({ count: 1, endsAt: start + 60_000 });
    clock.now += 30_000;
    expect(hit('b')).toEqual({ count: 1, endsAt: start + 90_000 });
    expect(hit('a')).toEqual({ count: 2, endsAt: start + 60_000 });
  });
  test('starts again once a window has ended, and not a moment earlier', () => {
    const { clock, hit } = counter();
    hit('a');
    clock.now = start + 59_999;
    expect(hit('a').count).toBe(2);
    clock.now = start + 60_000;
    expect(hit('a')).toEqual({ count: 1, endsAt: start + 120_000 });
  });
  test('continues a window when old keys are dropped halfway through it', () => {
    const { clock, hit } = counter();
    clock.now = start + 50_000;
    hit('late');
    clock.now = start + 70_000;
    expect(hit('late').count).toBe(2);
    clock.now = start + 100_000;
    expect(hit('late')).toEqual({ count: 3, endsAt: start + 110_000 });
  });
  test('forgets everything if there were no hits for a long time', () => {
    const { clock, hit } = counter();
    hit('a');
    clock.now = start + 1_000_000;
    expect(hit('a')).toEqual({ count: 1, endsAt: clock.now + 60_000 });
  });
  test('starts a new window if the clock was set back, instead of waiting for the old window to end', () => {
    const { clock, hit } = counter();
    hit('a');
    clock.now -= 3_600_000;
    expect(hit('a')).toEqual({ count: 1, endsAt: clock.now + 60_000 });
    clock.now += 60_000;
    expect(hit('a')).toEqual({ count: 1, endsAt: clock.now + 60_000 });
  });
  test('drops the oldest keys early if too many are hit', () => {
    const { hit } = counter();
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) hit(key);
    expect(hit('d').count).toBe(2);
    expect(hit('c').count).toBe(2);
    for (const key of ['g', 'h', 'i', 'j', 'k', 'l']) hit(key);
    expect(hit('a').count).toBe(1);
  });
  test('distinguishes between a number and the same text', () => {
    const { hit } = counter();
    hit(7);
    expect(hit('7').count).toBe(1);
  });
});
