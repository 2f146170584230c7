import { CallFailure, type Client, type FeedHandlers, type Who } from '@comanda/client/core';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { signal } from '@preact/signals';
import { followSeating } from './follow-seating.ts';

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { document: Object.assign(new EventTarget(), { visibilityState: 'visible' }) });
});
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'document');
});

/** Follows a seating of which staff decide the table. `isDown` lets each renewal fail. */
function openPhone() {
  const server = { table: '4', isDown: false, renewals: 0 };
  const who = signal<Who | null>({ userId: 7, role: 'customer', name: 'Guest', table: '4', seating: 40 });
  let handlers: FeedHandlers = {};
  const client = {
    calls: { me: () => Promise.resolve() },
    feed: (given: FeedHandlers) => {
      handlers = given;
      return { close: () => {} };
    },
    renewTokens: async () => {
      server.renewals++;
      await Promise.resolve();
      if (server.isDown) throw new CallFailure('nobody', { code: 'unreachable', outcome: 'unknown' });
      if (who.value) who.value = { ...who.value, table: server.table };
    },
  } as unknown as Client;
  const stop = followSeating(client, { who, isClosed: signal(false), onVisible: () => {} });
  return {
    server,
    stop,
    table: () => who.value?.table,
    feedIs: async (...statuses: ('gap' | 'connecting' | 'live')[]) => {
      for (const status of statuses) handlers.onStanding?.({ status });
      await jest.advanceTimersByTimeAsync(0);
    },
    hears: async (data: object) => {
      handlers.onEvent?.({ type: 'table.changed', data } as never, 'cursor');
      await jest.advanceTimersByTimeAsync(0);
    },
  };
}

test('a phone finds its table again after each gap of the feed', async () => {
  const { server, feedIs, hears, table, stop } = openPhone();
  await feedIs('connecting', 'live');
  server.table = '5';
  await hears({ reason: 'moved', previous_seating: 40 });
  expect(table()).toBe('5');

  // The feed reconnects with the new tokens. In that moment, staff move the guests once more.
  server.table = '6';
  await feedIs('gap', 'connecting', 'live');
  expect(table()).toBe('6');
  stop();
});

test('a phone renews its tokens again if that failed when its guests were moved', async () => {
  const { server, feedIs, hears, table, stop } = openPhone();
  await feedIs('live');
  Object.assign(server, { table: '5', isDown: true });
  await hears({ reason: 'moved', previous_seating: 40 });
  await jest.advanceTimersByTimeAsync(9000);
  server.isDown = false;
  await jest.advanceTimersByTimeAsync(5000);
  expect(table()).toBe('5');

  Object.assign(server, { table: '6', isDown: true });
  await hears({ reason: 'moved', previous_seating: 40 });
  const { renewals } = server;
  stop();
  await jest.advanceTimersByTimeAsync(9000);
  expect(server.renewals).toBe(renewals);
});
