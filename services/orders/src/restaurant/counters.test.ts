import { describe, expect, test } from '@jest/globals';
import { onBusinessDay } from './counters.ts';

describe('the counters on a business day', () => {
  const counters = {
    orderId: 9,
    itemId: 20,
    day: '2026-11-20',
    ticket: 7,
    billId: 8,
    paymentId: 3,
    billNumber: 2,
    movementId: 5,
  };

  test('restart tickets on a new day and continue the other numbers', () => {
    expect(onBusinessDay(counters, '2026-11-21')).toEqual({ ...counters, day: '2026-11-21', ticket: 0 });
  });

  test.each(['2026-11-20', '2026-11-19'])('continue tickets if the day is %s', (day) => {
    expect(onBusinessDay(counters, day)).toEqual(counters);
  });

  test('restart tickets again on the day after a clock was ahead for a while', () => {
    const ahead = onBusinessDay(counters, '2031-01-01');
    const back = onBusinessDay({ ...ahead, ticket: 3 }, '2026-11-20');

    expect(back).toEqual({ ...counters, day: '2026-11-20', ticket: 3 });
    expect(onBusinessDay(back, '2026-11-21')).toEqual({ ...counters, day: '2026-11-21', ticket: 0 });
  });
});
