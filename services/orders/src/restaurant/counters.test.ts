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

  test('when the day is new, then tickets restart and the other numbers go on', () => {
    expect(onBusinessDay(counters, '2026-11-21')).toEqual({ ...counters, day: '2026-11-21', ticket: 0 });
  });

  test.each(['2026-11-20', '2026-11-19'])('when the day is %s, then tickets go on', (day) => {
    expect(onBusinessDay(counters, day)).toEqual(counters);
  });

  test('when a clock was ahead for a while, then tickets restart again on the day after', () => {
    const ahead = onBusinessDay(counters, '2031-01-01');
    const back = onBusinessDay({ ...ahead, ticket: 3 }, '2026-11-20');

    expect(back).toEqual({ ...counters, day: '2026-11-20', ticket: 3 });
    expect(onBusinessDay(back, '2026-11-21')).toEqual({ ...counters, day: '2026-11-21', ticket: 0 });
  });
});
