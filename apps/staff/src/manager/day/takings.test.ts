import { expect, test } from '@jest/globals';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { takingsOf } from './takings.ts';

const payment = (part: Partial<BillPayment>): BillPayment =>
  ({
    method: 'cash',
    status: 'paid',
    amount: '10.00',
    tip: '0.00',
    settled_at: '2026-11-20T21:00:00.000Z',
    ...part,
  }) as BillPayment;

const sinceMs = Date.parse('2026-11-20T03:00:00.000Z');
const yesterday = '2026-11-19T21:00:00.000Z';
const back = (method: BillPayment['method'], at = '2026-11-20T22:00:00.000Z') =>
  ({ status: 'refunded', refund: { at, method, by: null } }) as const;
const none = { refunds: 0, refunded: '0.00', tips: '0.00' };

test("today's payments are added up by method, without reservations and yesterday's payments", () => {
  const payments = [
    payment({ amount: '0.10' }),
    payment({ amount: '0.20', tip: '1.05' }),
    payment({ method: 'card', amount: '34.73' }),
    payment({ settled_at: yesterday }),
    payment({ status: 'refunded' }), // an earlier release stored no time for a refund
    payment({ status: 'reserved', method: 'account', settled_at: null }),
  ];

  expect(takingsOf([{ payments }], sinceMs)).toEqual([
    { ...none, method: 'cash', count: 2, amount: '0.30', tips: '1.05' },
    { ...none, method: 'card', count: 1, amount: '34.73' },
  ]);
});

test.each<[string, Partial<BillPayment>, ReturnType<typeof takingsOf>]>([
  [
    'cash of yesterday',
    { settled_at: yesterday, ...back('cash') },
    [{ method: 'cash', count: 0, refunds: 1, refunded: '62.00', amount: '-62.00', tips: '-5.00' }],
  ],
  [
    'cash of today',
    back('cash'),
    [{ method: 'cash', count: 1, refunds: 1, refunded: '62.00', amount: '0.00', tips: '0.00' }],
  ],
  [
    'a card payment, in cash',
    { method: 'card', ...back('cash') },
    [
      { method: 'cash', count: 0, refunds: 1, refunded: '62.00', amount: '-62.00', tips: '-5.00' },
      { ...none, method: 'card', count: 1, amount: '62.00', tips: '5.00' },
    ],
  ],
  ['yesterday what was paid yesterday', { settled_at: yesterday, ...back('cash', yesterday) }, []],
])(
  'a refund of %s counts as negative on the day and by the method in which it was paid out',
  (_what, part, expected) => {
    expect(takingsOf([{ payments: [payment({ amount: '62.00', tip: '5.00', ...part })] }], sinceMs)).toEqual(expected);
  },
);
