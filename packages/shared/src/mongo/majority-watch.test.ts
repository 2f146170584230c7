import { describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { createMajorityWatch } from './majority-watch.ts';

const { Timestamp } = mongoose.mongo;

/** Creates a watch with a test clock, and records the states that the watch reports. */
function watchWithClock() {
  const clock = { ms: 0 };
  const reported: boolean[] = [];
  const watch = createMajorityWatch(
    (isUp) => void reported.push(isUp),
    () => clock.ms,
  );
  const ts = (t: number) => ({ ts: new Timestamp({ t, i: 1 }), t: 1 });
  return {
    watch,
    reported,
    /**
     * Reports a heartbeat after `afterMs` milliseconds. The primary's last write is from second `written`, and the last write
     * that a majority has is from second `durable`. Returns `isUp`.
     */
    hello: (afterMs: number, [written, durable]: [number, number], isWritablePrimary = true): boolean => {
      clock.ms += afterMs;
      watch.onHello({ isWritablePrimary, lastWrite: { opTime: ts(written), majorityOpTime: ts(durable) } });
      return watch.isUp();
    },
  };
}

describe('the majority watch', () => {
  test("is down after a write hasn't reached a majority for 900 ms, and up again once it has", () => {
    const { hello, reported } = watchWithClock();

    expect(hello(0, [10, 9])).toBe(true);
    expect(hello(500, [11, 9])).toBe(true);
    expect(hello(500, [11, 9])).toBe(false);
    expect(hello(500, [11, 10])).toBe(true);
    expect(reported).toEqual([false, true]);
  });

  test('stays up while a majority always has the writes from before the previous heartbeat, however many there are', () => {
    const { hello } = watchWithClock();

    const states = Array.from({ length: 10 }, (_, index) => hello(500, [index + 2, index + 1]));

    expect(states).toEqual(states.map(() => true));
  });

  test('stays up if there are no writes', () => {
    const { hello } = watchWithClock();

    expect([hello(0, [10, 10]), hello(60_000, [10, 10])]).toEqual([true, true]);
  });

  test('ignores a lagging secondary', () => {
    const { hello } = watchWithClock();

    expect([hello(0, [10, 9], false), hello(5000, [10, 9], false)]).toEqual([true, true]);
  });

  test("stays up for a server that reports no write times, such as a sharded cluster's router", () => {
    const { watch } = watchWithClock();

    watch.onHello({ isWritablePrimary: true, msg: 'isdbgrid' });

    expect(watch.isUp()).toBe(true);
  });
});
