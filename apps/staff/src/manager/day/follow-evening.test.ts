import { afterEach, expect, test } from '@jest/globals';
import { CallFailure } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import { liveClient, nextTurn } from '@comanda/testing/live-client';
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
});

/** Opens a manager's evening. The test controls the server's bills and the feed. */
function openEvening(bills: Stored[], exceptions: readonly object[] = []) {
  let stored = bills;
  let isDown = false;
  const list = (status: string) => stored.filter((each) => each.status === status).sort((a, b) => b.id - a.id);
  const { client, emit, stand, wake } = liveClient({
    listBills: async ({ status }: { status: string }) => {
      if (isDown) throw new CallFailure('503', { code: 'unreachable', status: 503, outcome: 'unknown' });
      return list(status);
    },
    listExceptions: async () => exceptions,
    getBill: async ({ id }: { id: number }) => stored.find((each) => each.id === id),
  });
  const opened = followEvening(client, midnightMs);
  evening = opened;
  const change = (next: Stored): void => void (stored = stored.map((each) => (each.id === next.id ? next : each)));
  return {
    openIds: () => opened.bills.value.filter(({ status }) => status === 'open').map(({ id }) => id),
    takings: () => takingsOf(opened.bills.value, midnightMs).map(({ amount }) => amount),
    untilLoaded: () => until(() => opened.isLoaded.value, { what: 'the bills of today' }),
    setDown: (now: boolean) => void (isDown = now),
    stand,
    isFailed: () => opened.failure.value !== null,
    isLoaded: () => opened.isLoaded.value,
    /** Changes the server's bills without sending an event. */
    change,
    emit: (next: Stored): void => {
      change(next);
      emit('bill.changed', { bill: next, change: { kind: 'closed' } });
    },
    compare: wake,
  };
}
/** More closed bills than the live list has. */
const closedBills = Array.from({ length: 25 }, (_, index) => bill(10 + index, paid('10.00', at('21T20:00'))));

test('bills that are merged, closed or refunded after many others were closed are listed', async () => {
  const { untilLoaded, emit, openIds, takings } = openEvening([bill(1), bill(2), bill(3), ...closedBills]);
  await untilLoaded();
  expect(openIds()).toHaveLength(3);

  emit(bill(1, { version: 2, status: 'merged' }));
  emit(bill(2, paid('500.00', at('21T22:00'))));
  emit(bill(10, { ...paid('10.00', at('21T22:00')), version: 3, payments: [] }));
  await nextTurn();

  expect([openIds(), takings()]).toEqual([[3], ['740.00']]);
});

test('bills whose closing was reported by no event are found by the next comparison', async () => {
  const { untilLoaded, change, compare, openIds, takings } = openEvening([bill(1), bill(2), ...closedBills]);
  await untilLoaded();
  expect(openIds()).toHaveLength(2);

  change(bill(1, { version: 2, status: 'merged' }));
  change(bill(2, paid('500.00', at('21T22:00'))));
  compare();

  await until(() => openIds().length === 0 && takings()[0] === '750.00', { what: 'the ends of both' });
});

test('guests from the previous evening who pay after midnight count, even if many others paid in between', async () => {
  const between = Array.from({ length: 100 }, (_, index) =>
    bill(10 + index, { ...paid('10.00', at('21T02:00')), created_at: at('21T01:00') }),
  );
  const late = bill(1, { ...paid('500.00', at('21T03:10')), created_at: at('20T23:00') });
  const { untilLoaded, takings } = openEvening([late, ...between]);
  await untilLoaded();

  expect(takings()).toEqual(['500.00']);
});

test('a refund today of a payment from three days ago counts today', async () => {
  const { payments } = paid('62.00', at('18T20:00'));
  const refund = { at: at('21T22:00'), method: 'cash', by: null } as const;
  const old = bill(1, {
    ...paid('62.00', at('18T20:00')),
    status: 'closed',
    created_at: at('18T18:00'),
    updated_at: at('21T22:00'),
    payments: payments?.map((payment) => ({ ...payment, status: 'refunded', refund })) ?? [],
  });
  const { untilLoaded, takings } = openEvening([old, ...closedBills], [{ kind: 'refunded', bill_id: 1 }]);
  await untilLoaded();

  expect(takings()).toEqual(['188.00']);
});

test('bills that cannot be loaded after a gap are retried, even if no event arrives', async () => {
  const { untilLoaded, setDown, stand, isFailed, isLoaded, takings } = openEvening([...closedBills]);
  await untilLoaded();
  setDown(true);
  stand('gap');
  stand('live');
  await until(isFailed, { what: 'the failure' });
  expect(isLoaded()).toBe(false);
  setDown(false);
  await untilLoaded();

  expect([isFailed(), takings()]).toEqual([false, ['250.00']]);
});
