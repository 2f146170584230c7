import { expect, test } from '@jest/globals';
import type { Bill } from '@comanda/contracts/bills';
import { whichStays } from './move-guests.ts';

const bill = (paid: string, reserved = '0.00'): Bill => ({ paid, reserved }) as Bill;
const none = undefined;
const unpaid = bill('0.00');

test.each([
  { what: 'neither table has one', first: none, second: none, stays: 'second' },
  { what: 'only the first has one', first: unpaid, second: none, stays: 'first' },
  { what: 'only the second has one', first: none, second: unpaid, stays: 'second' },
  { what: 'nothing is paid of both', first: unpaid, second: unpaid, stays: 'second' },
  { what: 'something is paid of the first', first: bill('5.00'), second: unpaid, stays: 'first' },
  { what: 'somebody pays of the first now', first: bill('0.00', '5.00'), second: unpaid, stays: 'first' },
  { what: 'something is paid of both', first: bill('5.00'), second: bill('5.00'), stays: 'second' },
])('the bill that cannot be merged stays when $what', ({ first, second, stays }) => {
  expect(whichStays(first, second)).toBe(stays);
});
