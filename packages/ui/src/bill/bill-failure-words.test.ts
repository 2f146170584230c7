import { expect, test } from '@jest/globals';
import { CallFailure } from '@comanda/client/core';
import { billFailureWords } from './bill-failure-words.ts';

test.each([
  ['refunded', 'This payment was already refunded.'],
  ['refunding', 'This payment was already refunded.'],
  ['paid', 'This payment has arrived.'],
  ['reserved', 'This reservation is ending or over.'],
  ['expired', 'This reservation is ending or over.'],
  ['cancelled', 'This reservation is ending or over.'],
])('a change that a payment with the status %s does not allow says so', (status, happened) => {
  const code = 'payment_not_payable' as const;
  const problem = { type: `/problems/${code}`, title: '', status: 409, code, request_id: '1', payment_status: status };
  const failure = new CallFailure('', { code, problem, status: 409, outcome: 'none' });

  expect(billFailureWords(failure).happened).toBe(happened);
});
