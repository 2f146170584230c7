import { expect, test } from '@jest/globals';
import type { Bill } from '@comanda/contracts/bills';
import { takesNow } from './takes-now.ts';

/** Creates a bill for 2 Feijoada at 124.00, with a discount of 12.40. */
const bill = (differs: Partial<Bill>): Bill =>
  ({
    status: 'open',
    lines: [{ id: 1, quantity: 2, unit_price: '62.00' }],
    discounts: [{ id: 1, line_id: null, percent: '10', amount: '12.40', label: null }],
    discount_total: '12.40',
    service_charge: { rate: '10.00', included: true, amount: '11.16' },
    payments: [],
    ...differs,
  }) as Bill;
const declined = { rate: '10.00', included: false, amount: '0.00' };

type Case = { what: string; kind: string; differs?: Partial<Bill>; expected: string | null };
test.each<Case>([
  { what: 'a discount takes more with each dish', kind: 'discount', expected: '12.40' },
  {
    what: 'a declined charge grows with each dish',
    kind: 'service_charge_declined',
    differs: { service_charge: declined },
    expected: '11.16',
  },
  {
    what: 'a declined charge stays on a bill that was closed',
    kind: 'service_charge_declined',
    differs: { service_charge: declined, status: 'closed' },
    expected: '11.16',
  },
  { what: 'a charge that is included again takes nothing', kind: 'service_charge_declined', expected: null },
  {
    what: 'a merged bill has no lines',
    kind: 'discount',
    differs: { status: 'merged', discount_total: '0.00' },
    expected: null,
  },
  { what: 'a cancelled dish stays at its price', kind: 'item_cancelled', expected: null },
])('$what', ({ kind, differs = {}, expected }) => {
  expect(takesNow(kind, bill(differs))).toBe(expected);
});
