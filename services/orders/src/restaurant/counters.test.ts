import { describe, expect, test } from '@jest/globals';
import { onBusinessDay } from './counters.ts';

describe('onBusinessDay', () => {
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

  test('restarts ticket numbers on a new day, but continues the other numbers', () => {
    expect(onBusinessDay(counters, '2026-11-21')).toEqual({ ...counters, day: '2026-11-21', ticket: 0 });
  });

  test.each(['2026-11-20', '2026-11-19'])('continues ticket numbers if the day is %s', (day) => {
    expect(onBusinessDay(counters, day)).toEqual(counters);
  });

  test('restarts ticket numbers the next day, even if a clock was wrong by years for a while', () => {
    const ahead = onBusinessDay(counters, '2031-01-01');
    const back = onBusinessDay({ ...ahead, ticket: 3 }, '2026-11-20');

    expect(back).toEqual({ ...counters, day: '2026-11-20', ticket: 3 });
    expect(onBusinessDay(back, '2026-11-21')).toEqual({ ...counters, day: '2026-11-21', ticket: 0 });
  });
});
