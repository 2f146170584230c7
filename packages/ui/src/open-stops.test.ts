import { CallFailure, type Client, type FeedHandlers, type FeedStanding } from '@comanda/client';
import type { Stops } from '@comanda/contracts/stops';
import { afterEach, expect, jest, test } from '@jest/globals';
import { deferred } from '@comanda/testing/deferred';
import { openStops } from './open-stops.ts';

const stopped = { since: '2026-11-20T21:00:00.000Z', reason: null };
const stopsOf = (version: number, transfers: Stops['transfers']): Stops => ({ version, transfers, sign_ups: null });

const opened: { close: () => void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  jest.useRealTimers();
});

/** Follows stops over a feed that the test controls. A null in `responses` makes the request fail. */
function follow(responses: (Stops | Promise<Stops> | null)[]) {
  let handlers: Partial<FeedHandlers> = {};
  const client = {
    calls: {
      getStops: async () => {
        const response = await responses.shift();
        if (!response) throw new CallFailure('no network', { code: 'unreachable', outcome: 'none' });
        return response;
      },
    },
    feed: (given: FeedHandlers) => {
      handlers = given;
      return { close: () => undefined };
    },
  } as unknown as Pick<Client, 'calls' | 'feed'>;
  const stops = openStops(client);
  opened.push(stops);
  const stand = async (status: FeedStanding['status']): Promise<void> => {
    handlers.onStanding?.({ status });
    await new Promise(setImmediate);
  };
  return { stops, stand };
}

test('stops are fetched once more when the feed goes live after a failed first request', async () => {
  const { stops, stand } = follow([null, stopsOf(2, stopped), stopsOf(3, null)]);
  await stops.read();
  expect(stops.isRead.value).toBe(false);

  await stand('live');
  expect([stops.isRead.value, stops.state.value.transfers]).toEqual([true, stopped]);
  await stand('live');
  expect(stops.state.value.version).toBe(2);
});

test('stops set after the first request are visible once the feed is live', async () => {
  const { stops, stand } = follow([stopsOf(1, null), stopsOf(2, stopped)]);
  await stops.read();

  await stand('live');
  expect(stops.state.value.transfers).toEqual(stopped);
});

test('stops are not fetched until they are needed', async () => {
  const { stops, stand } = follow([stopsOf(1, stopped)]);

  await stand('live');
  expect(stops.isRead.value).toBe(false);
});

test('stops fetched after a gap replace the old ones, even with a lower version', async () => {
  const { stops, stand } = follow([stopsOf(9, stopped), null, stopsOf(4, null)]);
  await stops.read();

  await stand('gap');
  expect(stops.isRead.value).toBe(false);
  await stand('live');
  expect(stops.state.value).toEqual(stopsOf(4, null));
});

test('stops fetched after a gap win over a late response from before the gap', async () => {
  const late = deferred<Stops>();
  const { stops, stand } = follow([late.promise, stopsOf(4, null)]);
  const first = stops.read();

  await stand('gap');
  late.resolve(stopsOf(9, stopped));
  await first;

  expect(stops.state.value).toEqual(stopsOf(4, null));
});

test('a request for stops that fails while the feed is live is retried', async () => {
  jest.useFakeTimers();
  const { stops } = follow([null, stopsOf(2, stopped)]);
  await stops.read();
  await jest.advanceTimersByTimeAsync(6000);

  expect(stops.state.value.transfers).toEqual(stopped);
});
