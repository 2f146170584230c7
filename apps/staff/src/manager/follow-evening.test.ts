import { afterEach, expect, jest, test } from '@jest/globals';
import { CallFailure, type FeedEvent, type FeedHandlers } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import { until } from '@comanda/testing/until';
import { followEvening, type Evening } from './follow-evening.ts';
import { takingsOf } from './takings.ts';

const midnightMs = Date.parse('2026-11-21T03:00:00.000Z');
const at = (time: string): string => `2026-11-${time}:00.000Z`;
type Stored = Pick<Bill, 'id' | 'version' | 'status' | 'created_at'> & Partial<Bill>;
const bill = (id: number, more: Partial<Bill> = {}): Stored => ({
  id,
  version: 1,
  status: 'open',
  created_at: at('21T18:00'),
  updated_at: at('21T18:00'),
  closed_at: null,
  payments: [],
  lines: [],
  ...more,
});
const paid = (amount: string, time: string): Partial<Bill> => ({
  status: 'closed',
  version: 2,
  updated_at: time,
  closed_at: time,
  payments: [{ method: 'cash', status: 'paid', amount, tip: '0.00', settled_at: time }] as Bill['payments'],
});

let evening: Evening | undefined;
afterEach(() => {
  evening?.close();
  jest.useRealTimers();
});

/** The evening of a manager whose server has these bills, and whose feed the test moves. */
function openEvening(bills: Stored[], exceptions: readonly object[] = []) {
  let stored = bills;
  let isDown: 'bills too' | 'exceptions' | false = false;
  const feed: FeedHandlers = {};
  const list = (status: string) => stored.filter((each) => each.status === status).sort((a, b) => b.id - a.id);
  const pagesOf = function* pagesOf({ status = '', limit = 0 }: { status?: string; limit?: number }) {
    for (let from = 0; from === 0 || from < list(status).length; from += limit)
      yield list(status).slice(from, from + limit);
  };
  const client = {
    now: () => Date.parse(at('21T23:00')),
    who: () => ({ role: 'manager', userId: 1 }),
    onWho: () => () => undefined,
    feed: (given: FeedHandlers) => {
      Object.assign(feed, given);
      return { close: () => undefined, checksums: () => null };
    },
    calls: {
      listBills: (query: { status: string; limit: number }) => Promise.resolve(pagesOf(query).next().value),
      getBill: ({ id }: { id: number }) => Promise.resolve(stored.find((each) => each.id === id)),
    },
    pages: (name: string, query: object) => {
      if (isDown === 'bills too' || (isDown && name === 'listExceptions'))
        throw new CallFailure('503', { code: 'unreachable', status: 503, outcome: 'unknown' });
      return name === 'listExceptions' ? [exceptions] : pagesOf(query);
    },
  };
  const opened = followEvening(client as never, midnightMs);
  evening = opened;
  const change = (next: Stored): void => void (stored = stored.map((each) => (each.id === next.id ? next : each)));
  return {
    openIds: () => [...opened.bills.value.values()].filter(({ status }) => status === 'open').map(({ id }) => id),
    takings: () => takingsOf([...opened.bills.value.values()], midnightMs).map(({ amount }) => amount),
    untilRead: () => until(() => opened.isRead.value, { what: 'the bills of today' }),
    setDown: (now: typeof isDown) => void (isDown = now),
    goInGap: () => feed.onStanding?.({ status: 'gap' }),
    isFailed: () => opened.failure.value !== null,
    isRead: () => opened.isRead.value,
    goLive: () => feed.onStanding?.({ status: 'live' }),
    /** Without an event. */
    change,
    tell: (next: Stored): void => {
      change(next);
      feed.onEvent?.(
        { type: 'bill.changed', data: { bill: next, change: { kind: 'closed' } } } as unknown as FeedEvent,
        'cursor',
      );
    },
    compare: () => feed.onAwake?.(),
  };
}
/** More closed bills than the live list has. */
const closedBills = Array.from({ length: 25 }, (_, index) => bill(10 + index, paid('10.00', at('21T20:00'))));

test('when a bill is merged, closed or given back after many others were closed, then the evening says so', async () => {
  const { untilRead, goLive, tell, openIds, takings } = openEvening([bill(1), bill(2), bill(3), ...closedBills]);
  await untilRead();
  goLive();
  await until(() => openIds().length === 3, { what: 'the open bills' });

  tell(bill(1, { version: 2, status: 'merged' }));
  tell(bill(2, paid('500.00', at('21T22:00'))));
  tell(bill(10, { ...paid('10.00', at('21T22:00')), version: 3, payments: [] }));

  expect([openIds(), takings()]).toEqual([[3], ['740.00']]);
});

test('when no event has told that bills have ended, then the next comparison does', async () => {
  const { untilRead, goLive, change, compare, openIds, takings } = openEvening([bill(1), bill(2), ...closedBills]);
  await untilRead();
  goLive();
  await until(() => openIds().length === 2, { what: 'the open bills' });

  change(bill(1, { version: 2, status: 'merged' }));
  change(bill(2, paid('500.00', at('21T22:00'))));
  compare();

  await until(() => openIds().length === 0 && takings()[0] === '750.00', { what: 'the ends of both' });
});

test('when a party of the evening before pays after midnight, then it counts, whatever was begun and paid in between', async () => {
  const between = Array.from({ length: 100 }, (_, index) =>
    bill(10 + index, { ...paid('10.00', at('21T02:00')), created_at: at('21T01:00') }),
  );
  const late = bill(1, { ...paid('500.00', at('21T03:10')), created_at: at('20T23:00') });
  const { untilRead, takings } = openEvening([late, ...between]);
  await untilRead();

  expect(takings()).toEqual(['500.00']);
});

test('when a payment of three days ago is given back today, then its bill is read, however long ago it was begun', async () => {
  const { payments } = paid('62.00', at('18T20:00'));
  const refund = { at: at('21T22:00'), method: 'cash', by: null } as const;
  const old = bill(1, {
    ...paid('62.00', at('18T20:00')),
    created_at: at('18T18:00'),
    payments: payments?.map((payment) => ({ ...payment, status: 'refunded', refund })) ?? [],
  });
  const { untilRead, takings } = openEvening([old, ...closedBills], [{ kind: 'refunded', bill_id: 1 }]);
  await untilRead();

  await until(() => takings()[0] === '188.00', { what: 'the refund' });
});

test.each([
  ['bills and the list of refunds', 'bills too', false],
  ['the list of refunds', 'exceptions', true],
] as const)(
  'when %s cannot be read after a gap, then it is said once, and they are read again, though the feed is live and no event comes',
  async (_what, down, areBillsRead) => {
    const { untilRead, setDown, goInGap, goLive, isFailed, isRead, takings } = openEvening([...closedBills]);
    await untilRead();
    jest.useFakeTimers();
    setDown(down);
    goInGap();
    goLive();
    await jest.advanceTimersByTimeAsync(6000);
    const before = { isRead: isRead(), isFailed: isFailed() };
    setDown(false);
    await jest.advanceTimersByTimeAsync(6000);

    expect(before).toEqual({ isRead: areBillsRead, isFailed: true });
    expect({ isRead: isRead(), isFailed: isFailed(), takings: takings() }).toEqual({
      isRead: true,
      isFailed: false,
      takings: ['250.00'],
    });
  },
);
