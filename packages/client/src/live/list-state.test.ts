import { afterEach, expect, jest, test } from '@jest/globals';
import type { FeedState } from '../feed/feed-types.ts';
import { createListState, listStateOf } from './list-state.ts';

const live: FeedState = { kind: 'live', sinceMs: 5 };
const connecting: FeedState = { kind: 'connecting' };
const lost: FeedState = { kind: 'not_live', sinceMs: 1, why: 'lost' };
const catchingUp: FeedState = { kind: 'catching_up', count: 7 };
const unread: FeedState = { kind: 'not_live', sinceMs: 2, why: 'unread' };
const missing = (isLong: boolean) => ({ sinceMs: 2, isLong });

test.each([
  { what: 'a complete list', feed: live, before: connecting, missing: null, state: live },
  { what: 'a list that was just opened', feed: live, before: connecting, missing: missing(false), state: connecting },
  {
    what: 'a list after a gap',
    feed: live,
    before: catchingUp,
    missing: missing(false),
    state: { kind: 'catching_up', count: 0 },
  },
  {
    what: 'a list that has not been fetched for a long time',
    feed: live,
    before: connecting,
    missing: missing(true),
    state: unread,
  },
  { what: 'a list whose feed is lost', feed: lost, before: live, missing: missing(true), state: lost },
  {
    what: 'a list whose feed is catching up',
    feed: catchingUp,
    before: lost,
    missing: missing(true),
    state: catchingUp,
  },
])('the state of $what is $state.kind', ({ feed, before, missing: lacks, state }) => {
  expect(listStateOf(feed, { before, missing: lacks })).toEqual(state);
});

let close: () => void = () => undefined;
afterEach(() => {
  close();
  jest.useRealTimers();
});
function openState() {
  jest.useFakeTimers();
  const reported: string[] = [];
  const state = createListState({
    onState: (next) => reported.push(next.kind === 'not_live' ? `${next.why} since ${next.sinceMs}` : next.kind),
    quietMs: undefined,
    now: () => 1000 * Math.floor(performance.now() / 1000),
  });
  close = state.close;
  return { ...state, reported };
}

test("a list that can't be fetched reports the failure after 3 s", () => {
  const { reported, takeFeed, fail, complete } = openState();
  const openedAt = performance.now();
  takeFeed(live);
  fail();
  jest.advanceTimersByTime(2000);
  expect(reported).toEqual(['connecting']);
  jest.advanceTimersByTime(60_000);
  complete();

  expect(reported).toEqual(['connecting', `unread since ${openedAt}`, 'live']);
});
