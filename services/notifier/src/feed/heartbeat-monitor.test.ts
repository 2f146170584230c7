import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createHeartbeatMonitor, type HeartbeatMonitor } from './heartbeat-monitor.ts';

const startedAt = new Date('2026-11-20T21:00:00Z');
const after = (seconds: number): Date => new Date(startedAt.getTime() + seconds * 1000);
/** `silentSince` at each change. */
let changes: (Date | null)[];
let monitor: HeartbeatMonitor;
beforeEach(() => {
  jest.useFakeTimers({ now: startedAt });
  changes = [];
  monitor = createHeartbeatMonitor(Date.now, () => changes.push(monitor.silentSince()));
});
afterEach(() => {
  monitor.close();
  jest.useRealTimers();
});
const wait = (seconds: number): void => jest.advanceTimersByTime(seconds * 1000);

test('when nothing is heard for 8 s, then that is a silence since the last message, until one is heard', () => {
  wait(2);
  monitor.heard();
  wait(7);
  expect(changes).toEqual([]);
  wait(1);
  expect(changes).toEqual([after(2)]);
  monitor.heard();
  expect(changes).toEqual([after(2), null]);
});

test('when a source that has published heartbeats is not heard for 8 s, then that is a silence, whoever else is heard', () => {
  monitor.takeHeartbeat({ source: '/orders' });
  wait(3);
  monitor.heard('/orders');
  for (let second = 0; second < 8; second++) {
    monitor.heard('/notifier');
    wait(1);
  }
  expect(changes).toEqual([after(3)]);
  monitor.heard('/orders');
  expect(changes).toEqual([after(3), null]);
});

test.each([
  ['a source that it does not know', '/reservations', { silentSince: null, oldestWaitingMs: null }],
  ['a source of its contracts', '/orders', { silentSince: after(0), oldestWaitingMs: 9000 }],
])('when %s is silent for 5 minutes, then only that of its contracts is awaited still', (_what, source, expected) => {
  monitor.takeHeartbeat({ source, oldestWaitingMs: 9000 });
  const waitAndHearOthers = (seconds: number): void => {
    for (let second = 0; second < seconds; second++) {
      wait(1);
      monitor.heard('/notifier');
    }
  };
  waitAndHearOthers(299);
  const before = monitor.silentSince();
  waitAndHearOthers(1);

  expect(before).toEqual(after(0));
  expect({ silentSince: monitor.silentSince(), oldestWaitingMs: monitor.oldestWaitingMs() }).toEqual(expected);
});

test('when a source says that its oldest event waits for 5 s, then that is told until it waits for less, also in between heartbeats', () => {
  const oldest: (number | null)[] = [];
  for (const oldestWaitingMs of [4999, 5000, 60_000, undefined, 4999]) {
    monitor.takeHeartbeat({ source: '/orders', ...(oldestWaitingMs !== undefined && { oldestWaitingMs }) });
    monitor.takeHeartbeat({ source: '/notifier' });
    monitor.heard('/orders');
    oldest.push(monitor.oldestWaitingMs());
  }
  expect(oldest).toEqual([null, 5000, 60_000, 60_000, null]);
  expect(changes).toHaveLength(2);
});

test('when a heartbeat tells another epoch of the database, then that is a change; one that tells none changes nothing', () => {
  const epochs: (string | null)[] = [monitor.databaseEpoch()];
  for (const databaseEpoch of ['a', 'a', undefined, 'b']) {
    monitor.takeHeartbeat({ source: '/orders', ...(databaseEpoch !== undefined && { databaseEpoch }) });
    monitor.takeHeartbeat({ source: '/notifier' });
    epochs.push(monitor.databaseEpoch());
  }
  expect(epochs).toEqual([null, 'a', 'a', 'a', 'b']);
  expect(changes).toHaveLength(2);
});

test('when heartbeats tell checksums, then they are those of the newest one of their source, and none if that tells none', () => {
  const told = [];
  for (const checksums of [{ menu: '1-a' }, { menu: '1-b' }, undefined]) {
    monitor.takeHeartbeat({ source: '/orders', ...(checksums && { checksums }) });
    monitor.takeHeartbeat({ source: '/notifier' });
    told.push(monitor.checksums());
  }
  expect(told).toEqual([{ menu: '1-a' }, { menu: '1-b' }, null]);
});

test('when a source was never expected, then its silence is none', () => {
  monitor.heard('/orders');
  for (let second = 0; second < 20; second++) {
    wait(1);
    monitor.heard('/notifier');
  }
  expect(changes).toEqual([]);
});

test('when the process itself was suspended for a minute, then nobody is taken for silent', () => {
  jest.setSystemTime(after(60));
  wait(1);
  expect(changes).toEqual([]);
});
