import { beforeEach, expect, test } from '@jest/globals';
import type { Heartbeat } from '@comanda/shared/messaging/heartbeat';
import { createHeartbeatMonitor, type HeartbeatMonitor } from './heartbeat-monitor.ts';

const startedAt = new Date('2026-11-20T21:00:00Z');
const after = (seconds: number): Date => new Date(startedAt.getTime() + seconds * 1000);
let now: number;
/** Values of `silentSince`, one for each change. */
let changes: (Date | null)[];
let monitor: HeartbeatMonitor;
beforeEach(() => {
  now = startedAt.getTime();
  changes = [];
  monitor = createHeartbeatMonitor(() => now);
});
const record = (): void => {
  if (monitor.hasChanged()) changes.push(monitor.silentSince());
};
const hear = (source?: string): void => {
  monitor.heard(source);
  record();
};
const take = (heartbeat: Heartbeat): void => {
  monitor.takeHeartbeat(heartbeat);
  record();
};
function wait(seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    now += 1000;
    monitor.secondPassed();
    record();
  }
}

test('the monitor reports a silence after 8 s without a message, from the last message until the next', () => {
  wait(2);
  hear();
  wait(7);
  expect(changes).toEqual([]);
  wait(1);
  expect(changes).toEqual([after(2)]);
  hear();
  expect(changes).toEqual([after(2), null]);
});

test('the monitor reports a silence if a source of heartbeats is silent for 8 s, even while others send messages', () => {
  take({ source: '/orders' });
  wait(3);
  hear('/orders');
  for (let second = 0; second < 8; second++) {
    hear('/notifier');
    wait(1);
  }
  expect(changes).toEqual([after(3)]);
  hear('/orders');
  expect(changes).toEqual([after(3), null]);
});

test.each([
  ['an unknown source', '/reservations', { silentSince: null, oldestWaitingMs: null }],
  ['a source in the contracts', '/orders', { silentSince: after(0), oldestWaitingMs: 9000 }],
])(
  'the monitor forgets %s after 5 minutes of silence only if it is not in the contracts',
  (_what, source, expected) => {
    take({ source, oldestWaitingMs: 9000 });
    const waitAndHearOthers = (seconds: number): void => {
      for (let second = 0; second < seconds; second++) {
        wait(1);
        hear('/notifier');
      }
    };
    waitAndHearOthers(299);
    const before = monitor.silentSince();
    waitAndHearOthers(1);

    expect(before).toEqual(after(0));
    expect({ silentSince: monitor.silentSince(), oldestWaitingMs: monitor.oldestWaitingMs() }).toEqual(expected);
  },
);

test("the monitor reports that a source's oldest event has waited 5 s, even between heartbeats", () => {
  const oldest: (number | null)[] = [];
  for (const oldestWaitingMs of [4999, 5000, 60_000, undefined, 4999]) {
    take({ source: '/orders', ...(oldestWaitingMs !== undefined && { oldestWaitingMs }) });
    take({ source: '/notifier' });
    hear('/orders');
    oldest.push(monitor.oldestWaitingMs());
  }
  expect(oldest).toEqual([null, 5000, 60_000, 60_000, null]);
  expect(changes).toHaveLength(2);
});

test('the monitor reports a new database epoch as a change, but ignores a heartbeat without an epoch', () => {
  const epochs: (string | null)[] = [monitor.databaseEpoch()];
  for (const databaseEpoch of ['a', 'a', undefined, 'b']) {
    take({ source: '/orders', ...(databaseEpoch !== undefined && { databaseEpoch }) });
    take({ source: '/notifier' });
    epochs.push(monitor.databaseEpoch());
  }
  expect(epochs).toEqual([null, 'a', 'a', 'a', 'b']);
  expect(changes).toHaveLength(2);
});

test("the monitor returns the checksums from a source's latest heartbeat, if there are any", () => {
  const reported = [];
  for (const checksums of [{ menu: '1-a' }, { menu: '1-b' }, undefined]) {
    take({ source: '/orders', ...(checksums && { checksums }) });
    take({ source: '/notifier' });
    reported.push(monitor.checksums());
  }
  expect(reported).toEqual([{ menu: '1-a' }, { menu: '1-b' }, null]);
});

test('the monitor ignores the silence of a source that has never sent a heartbeat', () => {
  hear('/orders');
  for (let second = 0; second < 20; second++) {
    wait(1);
    hear('/notifier');
  }
  expect(changes).toEqual([]);
});

test("the monitor doesn't report a silence after its own process was suspended for a minute", () => {
  now += 59_000;
  wait(1);
  expect(changes).toEqual([]);
});
