import { expect, test } from '@jest/globals';
import { CallFailure, isFinal, type FailureCode } from './call-failure.ts';

const failureOf = (code: FailureCode, outcome: 'none' | 'unknown' = 'none'): CallFailure =>
  new CallFailure(code, { code, outcome });

test.each<[FailureCode, 'none' | 'unknown', { isUndecided: boolean; isFinal: boolean }]>([
  ['unreachable', 'unknown', { isUndecided: true, isFinal: false }],
  ['service_unavailable', 'none', { isUndecided: true, isFinal: false }],
  ['request_in_progress', 'none', { isUndecided: true, isFinal: false }],
  ['rate_limited', 'none', { isUndecided: true, isFinal: false }],
  ['internal_error', 'unknown', { isUndecided: true, isFinal: false }],
  ['internal_error', 'none', { isUndecided: false, isFinal: true }],
  ['invalid_token', 'none', { isUndecided: false, isFinal: false }],
  ['authentication_required', 'none', { isUndecided: false, isFinal: false }],
  ['step_up_required', 'none', { isUndecided: false, isFinal: true }],
  ['insufficient_funds', 'none', { isUndecided: false, isFinal: true }],
  ['ordering_paused', 'none', { isUndecided: false, isFinal: true }],
])('a failure with code %s and outcome %s counts as %j', (code, outcome, expected) => {
  const failure = failureOf(code, outcome);

  expect({ isUndecided: failure.isUndecided, isFinal: isFinal(failure) }).toEqual(expected);
});

test('narrowing a failure with `is` gives its problem the fields for that code', () => {
  const failure: CallFailure = new CallFailure('blocked', {
    code: 'transaction_password_blocked',
    outcome: 'none',
    problem: {
      type: '/problems/transaction_password_blocked',
      title: 'PIN blocked',
      status: 429,
      code: 'transaction_password_blocked',
      request_id: '1',
      blocked_until: '2026-11-20T21:30:00.000Z',
    },
  });

  const until: string | null = failure.is('transaction_password_blocked') ? failure.problem.blocked_until : null;

  expect(until).toBe('2026-11-20T21:30:00.000Z');
  expect(failure.is('rate_limited')).toBe(false);
});
