import { expect, test } from '@jest/globals';
import { newBill, newOrder } from '@comanda/testing/stand/data';
import { startOf } from './part-choice.ts';

const bill = newBill([newOrder({ items: ['Feijoada'] })]);
const [line] = bill.lines;
const orderedBy = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ ...line, ordered_by: { id, role: 'customer' } }));
const inShares = { ...bill.split, mode: 'shares', shares_of: 4, shares_taken: 1 } as const;

test.each([
  ['guests who were counted', { covers: 5, lines: orderedBy(3) }, 5],
  ['people who ordered, if nobody counted the guests', { covers: null, lines: orderedBy(3) }, 3],
  ['people who ordered, with a service that does not count guests', { covers: undefined, lines: orderedBy(3) }, 3],
  ['two, if one person ordered', { covers: null, lines: orderedBy(1) }, 2],
  ['two, if one guest was counted', { covers: 1, lines: orderedBy(3) }, 2],
  ['50 at most', { covers: 200, lines: orderedBy(3) }, 50],
  ['the shares of which some are paid', { covers: 5, lines: orderedBy(3), split: inShares }, 4],
])('a bill is split equally among the %s', (_among, fields, of) => {
  expect(startOf('shares', { ...bill, ...fields } as never)).toEqual({ way: 'shares', shares: 1, of });
});
