import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { checksumOf } from '@comanda/contracts/checksum';
import { until } from '@comanda/testing/until';
import { unreachable } from '../call-failure.ts';
import type { FeedEvent, FeedHandlers, FeedStanding } from '../feed/feed-types.ts';
import { createChangeDetector, createLiveList, type LiveList, type LiveListHandlers } from './list.ts';
import type { Who } from '../session/session.ts';

type Dish = { id: number; version: number; isSoldOut?: true };
const dish = (id: number, version = 1): Dish => ({ id, version });
/** A request for a page of the list or for one resource. The test determines the response. */
type Asked = {
  what: 'page' | number;
  response: (value: readonly Dish[] | Dish | null) => void;
  refuse: () => void;
  signal: AbortSignal;
};

let list: LiveList<Dish> | undefined;
afterEach(() => {
  jest.restoreAllMocks();
  list?.close();
});

/** Opens a list with a feed and a server that the test controls. */
function openList(handlers: LiveListHandlers = {}, known?: readonly Dish[]) {
  const feed: FeedHandlers = {};
  const asked: Asked[] = [];
  /** The ids of all dishes that the list has stored. */
  let kept: number[] = [];
  const reported: string[] = [];
  /** The server's checksum, or null if the server sends none, and the number of comparisons so far. */
  let checksum: string | null = null;
  let compared = 0;
  let who: Who | null = { userId: 1, role: 'waiter', name: 'Ana' };
  let onWho: (who: Who | null) => void = () => undefined;
  const ask = <T>(what: Asked['what'], signal: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) =>
      asked.push({ what, signal, response: resolve as Asked['response'], refuse: () => reject(unreachable(null)) }),
    );
  const opened = createLiveList<Dish>(
    {
      feed: (given) => {
        Object.assign(feed, given);
        return {
          standing: () => ({ status: 'connecting' }),
          cursor: () => null,
          checksums: () => {
            compared++;
            return checksum === null ? null : { menu: checksum };
          },
          now: Date.now,
          close: () => undefined,
        };
      },
      who: () => who,
      onWho: (listener) => {
        onWho = listener;
        return () => undefined;
      },
    },
    {
      handlers: {
        compareEveryMs: 1,
        onState: (state) => states.push(state.kind === 'not_live' ? state.why : state.kind),
        ...handlers,
      },
      known,
      readList: async function* readTwoPages({ signal }) {
        yield await ask<readonly Dish[]>('page', signal as AbortSignal);
        yield await ask<readonly Dish[]>('page', signal as AbortSignal);
      },
      readOne: (id, { signal }) => ask<Dish | null>(id, signal as AbortSignal),
      checksum: 'menu',
      isCounted: ({ isSoldOut }) => !isSoldOut,
      fromEvent: ({ data }) => (data as unknown as { dish: Dish }).dish,
      select: (dishes) => {
        kept = dishes.map(({ id }) => id);
        return dishes.filter(({ isSoldOut }) => !isSoldOut);
      },
      onChange: (source) => {
        const versions = opened.shown().map(({ id, version }) => `${id}v${version}`);
        reported.push(`${source}: ${versions.join()}`);
      },
    },
  );
  list = opened;
  const states: string[] = [];
  /** Changes the status that the feed reports. */
  function setStatus(status: FeedStanding['status']): void {
    feed.onStanding?.({ status });
    if (status === 'live') feed.onState?.({ kind: 'live', sinceMs: 0 });
    if (status === 'gap') feed.onState?.({ kind: 'catching_up', count: 1 });
  }
  const nextAsked = (): Promise<Asked> =>
    until(() => asked.splice(0).find(({ signal }) => !signal.aborted), { what: 'a question to the server' });
  async function response(...responses: readonly (readonly Dish[] | Dish | null)[]): Promise<Asked['what'][]> {
    const questions: Asked['what'][] = [];
    for (const each of responses) {
      const next = await nextAsked();
      questions.push(next.what);
      next.response(each);
    }
    return questions;
  }
  return {
    setStatus,
    states,
    reported,
    tellChecksum: (...dishes: readonly Dish[]) => (checksum = checksumOf(dishes)),
    /** Waits for 20 comparisons of checksums, and returns how many requests the server got during that time. */
    askedWhileCompared: async (): Promise<number> => {
      const wanted = compared + 20;
      await until(() => compared >= wanted, { what: 'comparisons of checksums' });
      return asked.length;
    },
    wake: () => feed.onAwake?.(),
    apply: opened.apply,
    remove: opened.remove,
    send: (resource: Dish) => feed.onEvent?.({ data: { dish: resource } } as unknown as FeedEvent, 'cursor'),
    nextAsked,
    response,
    changeUser: (next: Who | null) => {
      who = next;
      onWho(next);
    },
    shown: () => opened.shown().toSorted((a, b) => a.id - b.id),
    kept: () => {
      opened.shown();
      return kept;
    },
    untilShown: (expected: readonly Dish[]) =>
      until(() => JSON.stringify(opened.shown()) === JSON.stringify(expected), { what: JSON.stringify(expected) }),
    isRead: opened.isRead,
    isComplete: opened.isComplete,
    untilComplete: () => until(opened.isComplete, { what: 'the list to be complete' }),
  };
}
/** Opens a list that contains these dishes and whose feed is live. */
async function openLiveList(...dishes: Dish[]) {
  const opened = openList();
  opened.setStatus('live');
  await opened.response(dishes, []);
  await opened.untilComplete();
  return opened;
}

describe('a live list', () => {
  test("shows the list stored on the device first, and then the server's list", async () => {
    const { response, setStatus, shown, reported, untilShown, untilComplete } = openList({}, [dish(1, 7), dish(2)]);
    setStatus('live');
    await untilShown([dish(1, 7), dish(2)]);
    expect(reported).toEqual(['known: 1v7,2v1']);

    await response([dish(1, 4)], [dish(3)]);

    await untilComplete();
    expect(shown()).toEqual([dish(1, 4), dish(3)]);
  });

  test("shows the server's list as incomplete when the feed has never been live", async () => {
    const { response, untilShown, isComplete } = openList();

    await response([dish(1)], [dish(2)]);

    await untilShown([dish(1), dish(2)]);
    expect(isComplete()).toBe(false);
  });

  test('is not live until it has been fetched, even if events arrive', async () => {
    const { nextAsked, response, send, setStatus, shown, states, isRead, untilComplete } = openList({ quietMs: 0 });
    setStatus('live');
    const page = await nextAsked();
    send(dish(9));
    await new Promise(setImmediate);
    const before = { shown: shown(), isRead: isRead(), states: [...states] };
    page.response([dish(1)]);

    await response([dish(9)]);

    await untilComplete();
    expect(before).toEqual({ shown: [dish(9)], isRead: false, states: ['unread'] });
    expect([isRead(), states.at(-1)]).toEqual([true, 'live']);
  });

  test('is not live after a gap until it has been fetched again', async () => {
    const { response, send, setStatus, states, isRead, untilComplete } = await openLiveList(dish(1));
    setStatus('gap');
    setStatus('live');
    send(dish(2));
    const before = { isRead: isRead(), state: states.at(-1) };

    await response([dish(1)], [dish(2)]);

    await untilComplete();
    expect(before).toEqual({ isRead: false, state: 'catching_up' });
    expect([isRead(), states.at(-1)]).toEqual([true, 'live']);
  });

  test('stops being live when comparisons fail for half a minute, until the server sends its checksum', async () => {
    const { response, setStatus, nextAsked, states, tellChecksum, untilComplete } = openList();
    setStatus('live');
    await response([dish(1)], []);
    await untilComplete();
    const comparison = await nextAsked();
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now);
    // With this value, the next comparison starts after the warning and not at the same time.
    jest.spyOn(Math, 'random').mockReturnValue(1);
    comparison.refuse();
    await new Promise(setImmediate);
    const atFirst = states.at(-1);
    jest.spyOn(performance, 'now').mockReturnValue(now + 31_000);
    await until(() => states.at(-1) === 'unread', { what: 'the warning' });
    tellChecksum(dish(1));

    await until(() => states.at(-1) === 'live', { what: 'the list to be live again', timeoutMs: 10_000 });
    expect(atFirst).toBe('live');
  });

  test('is complete only after the next fetch if the feed becomes live during a fetch', async () => {
    const { response, nextAsked, setStatus, untilShown, isComplete, untilComplete } = openList();
    const page = await nextAsked();
    setStatus('live');
    page.response([dish(1)]);
    await response([dish(2)]);
    await untilShown([dish(1), dish(2)]);
    const completeAfterFirst = isComplete();

    await response([dish(1)], [dish(2), dish(3)]);

    await untilComplete();
    expect(completeAfterFirst).toBe(false);
    await untilShown([dish(1), dish(2), dish(3)]);
  });

  test('restarts its fetch after a gap between two pages', async () => {
    const { response, nextAsked, setStatus, shown, isComplete, untilComplete } = await openLiveList(dish(1));
    await response([dish(1)]);
    const secondPage = await nextAsked();
    setStatus('gap');
    setStatus('live');
    secondPage.response([dish(9)]);
    const before = { isEnded: secondPage.signal.aborted, isComplete: isComplete() };

    await response([dish(2)], [dish(3)]);

    await untilComplete();
    expect(before).toEqual({ isEnded: true, isComplete: false });
    expect(shown()).toEqual([dish(2), dish(3)]);
  });

  test('shows its old content after a gap until it has been fetched again', async () => {
    const { response, setStatus, shown, untilComplete } = await openLiveList(dish(1, 7), dish(2));
    setStatus('gap');
    setStatus('live');
    const duringGap = shown();

    await response([dish(1, 4)], []);

    await untilComplete();
    expect(duringGap).toEqual([dish(1, 7), dish(2)]);
    expect(shown()).toEqual([dish(1, 4)]);
  });

  test('shows a lower version of a dish after a gap if the dish had left the list before', async () => {
    const { response, send, setStatus, untilComplete, shown } = await openLiveList(dish(1, 2), dish(2));
    send({ ...dish(1, 7), isSoldOut: true });
    setStatus('gap');
    setStatus('live');

    await response([dish(1, 2)], [dish(2)]);

    await untilComplete();
    expect(shown()).toEqual([dish(1, 2), dish(2)]);
  });

  test('is fetched again immediately after a gap, even if the feed cannot connect', async () => {
    const { response, setStatus, untilShown } = openList({ compareEveryMs: 3_600_000 });
    await response([dish(1, 7)], []);
    await untilShown([dish(1, 7)]);
    setStatus('gap');
    setStatus('connecting');

    await response([dish(1, 4)], []);

    await untilShown([dish(1, 4)]);
  });

  test('restarts a fetch when the connection is lost', async () => {
    const { nextAsked, response, setStatus, untilShown } = await openLiveList(dish(1));
    const page = await nextAsked();
    setStatus('connecting');
    page.response([dish(9)]);

    await response([dish(1)], [dish(2)]);

    await untilShown([dish(1), dish(2)]);
    expect(page.signal.aborted).toBe(true);
  });

  test('is fetched immediately after the device has slept', async () => {
    const { response, setStatus, wake, untilComplete, untilShown } = openList({ compareEveryMs: 3_600_000 });
    setStatus('live');
    await response([dish(1)], []);
    await untilComplete();
    wake();
    await response([dish(1)], [dish(2)]);
    await untilShown([dish(1), dish(2)]);
  });

  test('waits more than 4 minutes for its next comparison if a fetch took a minute', async () => {
    const { response, setStatus, nextAsked, untilComplete } = openList();
    setStatus('live');
    const last = await nextAsked();
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 60_000);
    last.response([]);
    await response([]);
    await untilComplete();
    await until(() => timers.mock.calls.some(([, ms]) => (ms ?? 0) > 4 * 60_000), { what: 'the pause' });
  });

  test("is not fetched while its checksum matches the server's", async () => {
    const { setStatus, response, send, tellChecksum, askedWhileCompared, untilShown, untilComplete } = openList();
    tellChecksum(dish(1));
    setStatus('live');
    await response([dish(1)], []);
    await untilComplete();
    const whileEqual = await askedWhileCompared();
    send(dish(1, 2));
    const whileAhead = await askedWhileCompared();
    tellChecksum(dish(1, 2), dish(2));

    await response([dish(1, 2)], [dish(2)]);

    await untilShown([dish(1, 2), dish(2)]);
    expect([whileEqual, whileAhead, await askedWhileCompared()]).toEqual([0, 0, 0]);
  });

  test('is fetched when the device wakes up, even if the checksums match', async () => {
    const { setStatus, response, tellChecksum, wake, askedWhileCompared, untilShown, untilComplete } = openList();
    tellChecksum(dish(1));
    setStatus('live');
    await response([dish(1)], []);
    await untilComplete();
    await askedWhileCompared();
    wake();

    await response([dish(1)], [dish(2)]);

    await untilShown([dish(1), dish(2)]);
  });

  test('shows nothing from the first user when another user signs in during a fetch', async () => {
    const { response, nextAsked, changeUser, untilShown, shown } = await openLiveList(dish(1));
    const page = await nextAsked();
    changeUser({ userId: 2, role: 'customer', name: 'Rui' });
    const atOnce = shown();
    page.response([dish(9)]);

    await response([dish(2)], []);

    await untilShown([dish(2)]);
    expect(atOnce).toEqual([]);
  });

  test('stays empty when the user signs out during a fetch', async () => {
    const { nextAsked, changeUser, shown } = await openLiveList(dish(1));
    const page = await nextAsked();
    changeUser(null);
    page.response([dish(9)]);
    await new Promise(setImmediate);

    expect(shown()).toEqual([]);
  });

  test.each([
    { what: 'does not have a dish', found: null, left: [] },
    { what: 'has a dish in a lower version', found: dish(1, 4), left: [dish(1, 4)] },
  ])('changes only after the second comparison if the server $what', async ({ found, left }) => {
    const { response, nextAsked, shown, untilShown } = await openLiveList(dish(1, 7));
    const listed = found ? [found] : [];
    await response(listed, [], found);
    const page = await nextAsked();
    const afterFirst = shown();
    page.response(listed);

    const questions = await response([], found);

    await untilShown(left);
    expect(afterFirst).toEqual([dish(1, 7)]);
    expect(questions).toEqual(['page', 1]);
  });

  test('ignores a late duplicate of an event for a dish that was removed', async () => {
    const { response, send, shown } = await openLiveList(dish(1, 2));
    send({ ...dish(1, 3), isSoldOut: true });
    await response([], [], [], []);

    send(dish(1, 2));

    expect(shown()).toEqual([]);
  });

  test('forgets a removed dish before the next comparison', async () => {
    const { response, nextAsked, send, kept } = await openLiveList(dish(1), dish(2));
    send({ ...dish(1, 2), isSoldOut: true });
    const atOnce = kept();

    await response([dish(2)], []);
    await nextAsked();

    expect([atOnce, kept()]).toEqual([[1, 2], [2]]);
  });

  test('shows a removed dish again after a newer event', async () => {
    const { response, send, shown } = await openLiveList(dish(1, 2));
    send({ ...dish(1, 3), isSoldOut: true });
    await response([], [], [], []);

    send(dish(1, 4));

    expect(shown()).toEqual([dish(1, 4)]);
  });
});

describe("a response to the user's own call", () => {
  test('appears immediately if it is newer than the feed', async () => {
    const { apply, send, reported } = await openLiveList(dish(1), dish(2));
    reported.length = 0;
    send(dish(2, 2));

    apply(dish(1, 2));

    expect(reported).toEqual(['server: 1v1,2v2', 'answer: 1v2,2v2']);
  });

  test('changes nothing if the feed already had a newer version', async () => {
    const { apply, send, reported } = await openLiveList(dish(1, 2));
    reported.length = 0;

    apply(dish(1, 1));
    apply(dish(1, 3));
    send(dish(1, 3));
    send(dish(1, 2));
    await new Promise(setImmediate);

    expect(reported).toEqual(['answer: 1v3']);
  });

  test('shows a new resource even before the list has been fetched', () => {
    const { apply, shown } = openList();

    apply(dish(7));

    expect(shown()).toEqual([dish(7)]);
  });

  test('removes a deleted resource immediately', async () => {
    const { remove, send, shown, reported } = await openLiveList(dish(1), dish(2));
    reported.length = 0;

    remove(1);
    send(dish(1));

    expect([shown(), reported]).toEqual([[dish(2)], ['answer: 2v1']]);
  });
});

describe('changes in a list', () => {
  test('report each added, changed and removed resource once', () => {
    const changesOf = createChangeDetector((each: Dish) => each);

    expect(changesOf([dish(1), dish(2)])).toEqual([
      { kind: 'added', after: dish(1) },
      { kind: 'added', after: dish(2) },
    ]);
    expect(changesOf([dish(1, 2), dish(3)])).toEqual([
      { kind: 'changed', before: dish(1), after: dish(1, 2) },
      { kind: 'added', after: dish(3) },
      { kind: 'removed', before: dish(2) },
    ]);
    expect(changesOf([dish(1, 2), dish(3)])).toEqual([]);
  });
});
