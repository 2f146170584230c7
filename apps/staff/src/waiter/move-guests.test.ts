import { expect, test } from '@jest/globals';
import type { Bill } from '@comanda/contracts/bills';
import { whichStays } from './move-guests.ts';

const bill = (paid: string, reserved = '0.00'): Bill => ({ paid, reserved }) as Bill;
const none = undefined;
const unpaid = bill('0.00');

test.each([
  { what: 'neither table has a bill', first: none, second: none, stays: 'second' },
  { what: 'only the first table has a bill', first: unpaid, second: none, stays: 'first' },
  { what: 'only the second table has a bill', first: none, second: unpaid, stays: 'second' },
  { what: 'neither bill has payments', first: unpaid, second: unpaid, stays: 'second' },
  { what: 'the first bill has a payment', first: bill('5.00'), second: unpaid, stays: 'first' },
  { what: 'the first bill is being paid', first: bill('0.00', '5.00'), second: unpaid, stays: 'first' },
  { what: 'both bills have payments', first: bill('5.00'), second: bill('5.00'), stays: 'second' },
])('the right bill remains if $what', ({ first, second, stays }) => {
  expect(whichStays(first, second)).toBe(stays);
});
