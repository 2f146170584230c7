import { EventEmitter } from 'node:events';
import { afterEach, expect, jest, test } from '@jest/globals';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import type { FeedSocket } from './socket-types.ts';
import { closeOnTokenExpiry } from './token-expiry.ts';

const clock = () => Date.now();
afterEach(() => {
  jest.useRealTimers();
});

function openSocket({ lifetimeS = 900 } = {}) {
  const closed: number[] = [];
  const data = { caller: { userId: 1, expiresAt: clock() / 1000 + lifetimeS }, token: 'old' };
  const events = new EventEmitter();
  const parts = { data, connected: true, disconnect: () => closed.push(clock()) };
  return { socket: Object.assign(events, parts) as unknown as FeedSocket, events, data, closed };
}

test('removing a key closes the sockets with tokens signed by it, even valid ones, but no others', async () => {
  jest.useFakeTimers();
  const removed: string[] = [];
  const tokens = {
    verify: () => Promise.resolve({ userId: 1 } as never),
    isKeyRemoved: (token: string) => Promise.resolve(removed.includes(token)),
  };
  const [stolen, other] = [openSocket({ lifetimeS: 10 ** 8 }), openSocket()];
  other.data.token = 'of another key';
  const stops = [stolen, other].map(({ socket }) => closeOnTokenExpiry(socket, { tokens, logger, clock }).stop);

  await jest.advanceTimersByTimeAsync(600_000);
  const before = stolen.closed.length;
  removed.push('old');
  const removedAt = clock();
  await jest.advanceTimersByTimeAsync(60_000);
  for (const stop of stops) stop();

  expect([before, stolen.closed.length, other.closed.length]).toEqual([0, 1, 0]);
  expect((stolen.closed[0] ?? Infinity) - removedAt).toBeLessThanOrEqual(15_000);
});

test('a socket stays open after its old key is removed if its client has sent a token signed by the next key', async () => {
  jest.useFakeTimers();
  const { socket, events, closed } = openSocket();
  const tokens = {
    verify: () => Promise.resolve(socket.data.caller),
    isKeyRemoved: (token: string) => Promise.resolve(token === 'old'),
  };
  const { stop } = closeOnTokenExpiry(socket, { tokens, logger, clock });

  events.emit('token', 'new');
  await jest.advanceTimersByTimeAsync(60_000);
  stop();

  expect(closed).toEqual([]);
});

test('a client that sends a second token while the first is being checked loses its socket', () => {
  const events = new EventEmitter();
  const checked: string[] = [];
  let isClosed = false;
  const socket = Object.assign(events, {
    data: { caller: { userId: 1, expiresAt: Date.now() / 1000 + 900 } },
    disconnect: () => (isClosed = true),
  }) as unknown as FeedSocket;
  const tokens = {
    verify: (token: string) => {
      checked.push(token);
      return new Promise<never>(() => undefined);
    },
    isKeyRemoved: () => Promise.resolve(false),
  };
  const { stop } = closeOnTokenExpiry(socket, { tokens, logger, clock: Date.now });

  events.emit('token', 'first');
  const wasClosed = isClosed;
  events.emit('token', 'second');
  stop();

  expect({ wasClosed, isClosed, checked }).toEqual({ wasClosed: false, isClosed: true, checked: ['first'] });
});
