import { expect, test } from '@jest/globals';
import type { BillPayment } from '@comanda/contracts/bills';
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

test('when payments are of today, then they are summed by method; refunded ones and those of yesterday are not', () => {
  const payments = [
    payment({ amount: '0.10' }),
    payment({ amount: '0.20', tip: '1.05' }),
    payment({ method: 'card', amount: '34.73' }),
    payment({ status: 'refunded' }),
    payment({ settled_at: '2026-11-19T21:00:00.000Z' }),
    payment({ status: 'reserved', method: 'account', settled_at: null }),
  ];

  expect(takingsOf([{ payments }], Date.parse('2026-11-20T03:00:00.000Z'))).toEqual([
    { method: 'cash', count: 2, amount: '0.30', tips: '1.05' },
    { method: 'card', count: 1, amount: '34.73', tips: '0.00' },
  ]);
});
