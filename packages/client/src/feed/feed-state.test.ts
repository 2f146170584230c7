import { describe, expect, test } from '@jest/globals';
import { until } from '@comanda/testing/until';
import { feedStateOf, reportFeedState } from './feed-state.ts';
import type { FeedHandlers, FeedStanding, FeedState } from './feed-types.ts';

const now = Date.parse('2026-11-20T21:00:00.000Z');
const ago = (ms: number): string => new Date(now - ms).toISOString();
const connecting: FeedState = { kind: 'connecting' };
const lost: FeedState = { kind: 'not_live', why: 'lost', sinceMs: now - 1000 };

describe('feed state', () => {
  test.each<[string, { standing: FeedStanding; before: FeedState; expected: FeedState }]>([
    ['becomes live', { standing: { status: 'live' }, before: connecting, expected: { kind: 'live', sinceMs: now } }],
    [
      'stays live',
      { standing: { status: 'live' }, before: { kind: 'live', sinceMs: 7 }, expected: { kind: 'live', sinceMs: 7 } },
    ],
    [
      'catches up',
      {
        standing: { status: 'replaying', since: ago(9000), behind: 4 },
        before: lost,
        expected: { kind: 'catching_up', count: 4 },
      },
    ],
    [
      'receives new events while older ones wait to be published',
      {
        standing: { status: 'replaying', since: ago(9000), behind: 0, waitingSince: ago(60_000) },
        before: lost,
        expected: { kind: 'catching_up', count: 0, waitingSinceMs: now - 60_000 },
      },
    ],
    [
      'has a gap',
      { standing: { status: 'gap', since: ago(9000) }, before: lost, expected: { kind: 'catching_up', count: 0 } },
    ],
    [
      'is stalled',
      {
        standing: { status: 'stalled', since: ago(1000) },
        before: connecting,
        expected: { kind: 'not_live', why: 'stalled', sinceMs: now - 1000 },
      },
    ],
    [
      'was lost less than 3 s ago',
      {
        standing: { status: 'connecting', since: ago(2999) },
        before: { kind: 'live', sinceMs: 7 },
        expected: connecting,
      },
    ],
    [
      'was lost 3 s ago',
      {
        standing: { status: 'connecting', since: ago(3000) },
        before: connecting,
        expected: { kind: 'not_live', why: 'lost', sinceMs: now - 3000 },
      },
    ],
    [
      'was reported as lost, and still is',
      { standing: { status: 'connecting', since: ago(1000) }, before: lost, expected: lost },
    ],
    [
      'is refused',
      {
        standing: { status: 'refused', since: ago(3000) },
        before: connecting,
        expected: { kind: 'not_live', why: 'lost', sinceMs: now - 3000 },
      },
    ],
    ['has no user', { standing: { status: 'signed_out', since: ago(9000) }, before: lost, expected: connecting }],
  ])('is correct when the feed %s', (_what, { standing, before, expected }) => {
    expect(feedStateOf(standing, { now, before })).toEqual(expected);
  });

  test('stays the same object when nothing has changed', () => {
    const before: FeedState = { kind: 'catching_up', count: 3 };

    expect(feedStateOf({ status: 'replaying', behind: 3 }, { now, before })).toBe(before);
  });

  test('waits for a longer quiet time before it reports a lost connection, if one is set', () => {
    const standing: FeedStanding = { status: 'connecting', since: ago(4000) };

    expect(feedStateOf(standing, { now, before: connecting, quietMs: 5000 })).toEqual(connecting);
  });
});

test('is reported once after a lost connection, when the quiet time is over', async () => {
  const reported: string[] = [];
  const given: FeedHandlers = {};
  const standing: FeedStanding = { status: 'connecting', since: ago(0) };
  const clock = { now };
  const feed = reportFeedState({
    open: (handlers) => {
      Object.assign(given, handlers);
      return {
        standing: () => standing,
        cursor: () => null,
        checksums: () => null,
        now: () => clock.now,
        close: () => undefined,
      };
    },
    now: () => clock.now,
    handlers: { onState: ({ kind }) => reported.push(kind) },
  });
  given.onStanding?.({ status: 'live' });
  given.onStanding?.(standing);
  given.onStanding?.(standing);
  const atOnce = [...reported];
  clock.now += 3000;

  await until(() => reported.length > 2, { what: 'the lost connection to be told' });

  feed.close();
  expect(atOnce).toEqual(['live', 'connecting']);
  expect(reported).toEqual(['live', 'connecting', 'not_live']);
});
