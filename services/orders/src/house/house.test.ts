import { describe, expect, test } from '@jest/globals';
import { createHouseDay, onDay, orderingPaused, toOrdering } from './house.ts';

describe('the day of the house', () => {
  test('when it is still yesterday where the house is, then its day is yesterday', () => {
    const at = new Date('2026-11-21T02:59:59.999Z');
    expect(createHouseDay('America/Sao_Paulo')(at)).toBe('2026-11-20');
    expect(createHouseDay('UTC')(at)).toBe('2026-11-21');
    expect(createHouseDay('America/Sao_Paulo')(new Date('2026-11-21T03:00:00.000Z'))).toBe('2026-11-21');
  });

  test('when the day is new, then tickets begin anew; when a clock lags, then they go on', () => {
    const counters = { orderId: 9, itemId: 20, day: '2026-11-20', ticket: 7 };
    expect(onDay(counters, '2026-11-21')).toEqual({ ...counters, day: '2026-11-21', ticket: 0 });
    expect(onDay(counters, '2026-11-20')).toEqual(counters);
    expect(onDay(counters, '2026-11-19')).toEqual(counters);
  });
});

describe('a pause', () => {
  const now = new Date('2026-11-20T21:00:00.000Z');
  const pause = { until: new Date('2026-11-20T21:00:00.001Z'), reason: 'Full' };
  test('when it lasts for a millisecond more, then it says so, and to come back in a second', () => {
    expect(toOrdering(pause, now)).toEqual({ paused_until: '2026-11-20T21:00:00.001Z', reason: 'Full' });
    expect(orderingPaused(pause, now).headers).toEqual({ 'Retry-After': '1' });
  });
  test('when its end is reached, then there is none', () => {
    expect(toOrdering(pause, pause.until)).toEqual({ paused_until: null, reason: null });
  });
});
