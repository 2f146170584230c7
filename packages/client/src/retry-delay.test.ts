import { expect, test } from '@jest/globals';
import { CallFailure } from './call-failure.ts';
import { retryDelayMs } from './retry-delay.ts';

test.each([
  { retryAfterMs: 0, repeats: 0, atLeastMs: 125, atMostMs: 250 },
  { retryAfterMs: 0, repeats: 9, atLeastMs: 2000, atMostMs: 4000 },
  { retryAfterMs: 7000, repeats: 0, atLeastMs: 7125, atMostMs: 7250 },
])(
  'the pause after $repeats retries and a Retry-After of $retryAfterMs ms is $atLeastMs to $atMostMs ms',
  ({ retryAfterMs, repeats, atLeastMs, atMostMs }) => {
    const failure = new CallFailure('limited', { code: 'rate_limited', outcome: 'none', retryAfterMs });

    const delayMs = retryDelayMs(failure, repeats);

    expect(delayMs).toBeGreaterThanOrEqual(atLeastMs);
    expect(delayMs).toBeLessThanOrEqual(atMostMs);
  },
);
