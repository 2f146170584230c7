import type { Client, CollectionOptions, FeedState, LiveOrder } from '@comanda/client/core';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { memoryStorage } from '@comanda/testing/memory-storage';
import { signal } from '@preact/signals';
import { openBoardFeed } from './board-feed.ts';

const hour = 3_600_000;
const device = new Map<string, string>();
const listeners = new Map<string, () => void>();
const opened: { close: () => void }[] = [];
const stubs = {
  localStorage: memoryStorage(device),
  addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
  removeEventListener: () => undefined,
};
beforeEach(() => {
  for (const [name, value] of Object.entries(stubs))
    Object.defineProperty(globalThis, name, { configurable: true, value });
});
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  for (const name of Object.keys(stubs)) Reflect.deleteProperty(globalThis, name);
  jest.restoreAllMocks();
  device.clear();
});

const orders = [{ id: 4 }] as unknown as readonly LiveOrder[];

/** Opens a device's board. Until the client's first response, its clock is this device's; afterwards it is the server's. */
function openBoard(serverNow: () => number) {
  let options: CollectionOptions<LiveOrder> = {};
  const feedState = signal<FeedState>({ kind: 'connecting' });
  const client = {
    who: () => ({ userId: 1 }),
    now: serverNow,
    collection: (_source: unknown, given: CollectionOptions<LiveOrder>) => {
      options = given;
      return {
        feedState,
        rows: signal(orders),
        state: signal('complete'),
        loadedAtMs: signal(0),
        onChange: () => undefined,
        close: () => undefined,
      };
    },
  } as unknown as Client;
  const feed = openBoardFeed(client);
  opened.push(feed);
  const say = (state: FeedState): void => {
    options.onState?.(state);
    feedState.value = state;
  };
  return { feed, known: options.known, say };
}

test.each([13, 2, -2])(
  'when a tablet whose clock is %i h ahead opens without a network, then it has its tickets, and the right time for their ages',
  (hoursAhead) => {
    const server = Date.parse('2026-11-20T21:00:00.000Z');
    const clock = jest.spyOn(Date, 'now').mockReturnValue(server + hoursAhead * hour);
    const live = openBoard(() => server);
    live.say({ kind: 'live' } as FeedState);
    listeners.get('pagehide')?.();

    clock.mockReturnValue(server + hoursAhead * hour + 60_000);
    const { feed, known } = openBoard(Date.now);

    expect(known).toEqual(orders);
    expect(feed.now.value).toBe(server + 60_000);
  },
);

test('a board that opens without a network shows no tickets that were stored 12 h ago', () => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
  openBoard(() => 0).say({ kind: 'live' } as FeedState);
  listeners.get('pagehide')?.();

  clock.mockReturnValue(12 * hour);

  expect(openBoard(Date.now).known).toBeUndefined();
});

test("a board shows today's tickets if the tablet's clock was changed but the server's time is known", () => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
  openBoard(() => 0).say({ kind: 'live' } as FeedState);
  listeners.get('pagehide')?.();

  clock.mockReturnValue(24 * hour);

  expect(openBoard(() => 60_000).known).toEqual(orders);
});
