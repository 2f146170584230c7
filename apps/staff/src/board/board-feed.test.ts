import type { Client, FeedState, LiveHandlers, LiveOrder } from '@comanda/client';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { memoryStorage } from '@comanda/testing/memory-storage';
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

/** A board of a device, whose client knows the server's time or has heard nothing yet. */
function openBoard(serverNow: () => number) {
  let handlers: Partial<LiveHandlers<'order'>> = {};
  const client = {
    who: () => ({ userId: 1 }),
    now: serverNow,
    liveOrders: (given: LiveHandlers<'order'>) => {
      handlers = given;
      return { all: () => orders, isComplete: () => true, close: () => undefined, apply: () => undefined };
    },
  } as unknown as Client;
  const feed = openBoardFeed(client);
  opened.push(feed);
  return { feed, known: handlers.known, say: (state: FeedState) => handlers.onState?.(state) };
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

test('when tickets were kept 12 h ago, then a board that opens without a network has none', () => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
  openBoard(() => 0).say({ kind: 'live' } as FeedState);
  listeners.get('pagehide')?.();

  clock.mockReturnValue(12 * hour);

  expect(openBoard(Date.now).known).toBeUndefined();
});

test('when the clock of a tablet has been moved, and the client knows the time of the server, then the tickets of today are there', () => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
  openBoard(() => 0).say({ kind: 'live' } as FeedState);
  listeners.get('pagehide')?.();

  clock.mockReturnValue(24 * hour);

  expect(openBoard(() => 60_000).known).toEqual(orders);
});
