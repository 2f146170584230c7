import { describe, expect, test } from '@jest/globals';
import { isPaused, orderingPaused, toOrdering } from './ordering-pause.ts';

describe('a pause of ordering', () => {
  const until = new Date('2026-11-20T21:00:00.001Z');
  const pause = { until, reason: 'Full', version: 4 };

  test('still applies in its last millisecond, when clients are told to retry after a second', () => {
    const now = new Date('2026-11-20T21:00:00.000Z');

    expect(isPaused(pause, now)).toBe(true);
    expect(toOrdering(pause, now)).toEqual({
      paused_until: '2026-11-20T21:00:00.001Z',
      reason: 'Full',
      version: 4,
    });
    expect(orderingPaused(pause, now).headers).toEqual({ 'Retry-After': '1' });
  });

  test('no longer applies once it has ended', () => {
    expect(isPaused(pause, until)).toBe(false);
    expect(toOrdering(pause, until)).toEqual({ paused_until: null, reason: null, version: 4 });
  });
});
