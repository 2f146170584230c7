import { describe, expect, test } from '@jest/globals';
import {
  billAmounts,
  discountsOf,
  taxesOf,
  type BillDiscount,
  type BillLine,
  type BillPayment,
  type BillState,
  type Coverage,
} from './bill-amounts.ts';

const line = (id: number, quantity: number, unitPrice: bigint): BillLine => ({
  id,
  quantity,
  unitPrice,
  taxRate: null,
});
const feijoada = line(1, 2, 3250n);
const chope = line(2, 3, 990n);

const bill = (changes: Partial<BillState> = {}): BillState => ({
  lines: [feijoada, chope],
  discounts: [],
  serviceCharge: { rate: '10', included: true },
  payments: [],
  closed: false,
  ...changes,
});
const payment = (changes: Partial<BillPayment>): BillPayment => ({
  id: 1,
  status: 'paid',
  amount: 0n,
  covers: { by: 'amount' },
  ...changes,
});
const allOf = (...lines: readonly BillLine[]): Coverage => ({
  by: 'lines',
  pieces: lines.map(({ id, quantity }) => ({ lineId: id, kind: 'units', count: quantity, of: quantity })),
});

describe('bill amounts', () => {
  test('include everything, even the service charge, in the remaining amount before the first payment', () => {
    expect(billAmounts(bill())).toEqual({
      itemsTotal: 9470n,
      discountTotal: 0n,
      serviceCharge: 947n,
      rounding: 0n,
      total: 10_417n,
      paid: 0n,
      reserved: 0n,
      remaining: 10_417n,
    });
  });

  test('leave out the service charge when it is declined', () => {
    const amounts = billAmounts(bill({ serviceCharge: { rate: '10', included: false } }));
    expect(amounts).toMatchObject({ serviceCharge: 0n, total: 9470n });
  });

  test.each<[string, BillDiscount[], bigint[]]>([
    ['a percentage off a line', [{ id: 1, lineId: 1, percent: '50' }], [3250n]],
    ['a percentage that is rounded to one cent', [{ id: 1, lineId: 2, percent: '0.05' }], [1n]], // 29.70 × 0.05% = 1.485 cents
    ['a percentage off the bill', [{ id: 1, lineId: null, percent: '12.5' }], [1184n]], // 12.5% of 94.70 is 11.8375
    ['an amount higher than its line', [{ id: 1, lineId: 2, amount: 9999n }], [2970n]],
    [
      'a line discount, which comes before a bill discount',
      [
        { id: 1, lineId: null, percent: '10' },
        { id: 2, lineId: 1, percent: '100' },
      ],
      [297n, 6500n],
    ],
    [
      'two percentages of the same bill total, where the second takes the rest',
      [
        { id: 1, lineId: null, percent: '60' },
        { id: 2, lineId: null, percent: '60' },
      ],
      [5682n, 3788n],
    ],
    [
      'two discounts that share a limit, lines first, and one without a limit',
      [
        { id: 1, lineId: null, percent: '50', limit: '10' },
        { id: 2, lineId: 1, amount: 500n, limit: '10' },
        { id: 3, lineId: null, amount: 2000n, limit: null },
      ],
      [447n, 500n, 2000n], // 10% of 94.70
    ],
    [
      'a discount whose lower limit other discounts have already used up',
      [
        { id: 1, lineId: 1, amount: 3000n, limit: '50' },
        { id: 2, lineId: 2, amount: 100n, limit: '10' },
      ],
      [3000n, 0n],
    ],
  ])('include the correct discount for %s', (_what, discounts, expected) => {
    const taken = discountsOf([feijoada, chope], discounts);
    expect(discounts.map(({ id }) => taken.get(id))).toEqual(expected);
  });

  test('count reserved and paid payments, but not those that have ended', () => {
    const payments = [
      payment({ id: 1, status: 'reserved', amount: 1000n }),
      payment({ id: 2, status: 'claimed', amount: 200n }),
      payment({ id: 3, status: 'paid', amount: 30n }),
      payment({ id: 4, status: 'refunding', amount: 4n }),
      payment({ id: 5, status: 'refunded', amount: 5000n }),
      payment({ id: 6, status: 'expired', amount: 5000n }),
      payment({ id: 7, status: 'failed', amount: 5000n }),
      payment({ id: 8, status: 'cancelled', amount: 5000n }),
    ];
    expect(billAmounts(bill({ payments }))).toMatchObject({ paid: 34n, reserved: 1200n, remaining: 9183n });
  });

  test('keep the total and the paid amount when a closed bill is refunded', () => {
    const payments = [payment({ status: 'refunded', amount: 10_417n })];
    expect(billAmounts(bill({ payments, closed: true }))).toMatchObject({ paid: 10_417n, remaining: 0n });
  });

  test.each([
    { paid: 'a cent above the total, paid by lines', amount: 10_418n, covers: allOf(feijoada), rounding: 1n },
    { paid: 'two cents above the total', amount: 10_419n, covers: allOf(feijoada), rounding: 0n },
    {
      paid: 'a cent below the total, with every line settled',
      amount: 10_416n,
      covers: allOf(feijoada, chope),
      rounding: -1n,
    },
    { paid: 'a cent below the total, with a line still open', amount: 10_416n, covers: allOf(feijoada), rounding: 0n },
    {
      paid: 'a cent above the total, paid as an amount',
      amount: 10_418n,
      covers: { by: 'amount' } as const,
      rounding: 0n,
    },
  ])('follow the rounding rules when the paid amount is $paid', ({ amount, covers, rounding }) => {
    expect(billAmounts(bill({ payments: [payment({ amount, covers })] })).rounding).toBe(rounding);
  });

  const eighths = (amount: bigint): BillPayment[] =>
    Array.from({ length: 8 }, (_, index) => {
      const covers: Coverage = { by: 'lines', pieces: [{ lineId: 1, kind: 'parts', count: 1, of: 8 }] };
      return payment({ id: index + 1, amount, covers });
    });
  const soup: Partial<BillState> = { lines: [line(1, 1, 800n)], serviceCharge: { rate: '0', included: false } };
  test.each([
    { what: 'together five cents less than it costs', price: 805n, rounding: -5n, remaining: 0n },
    { what: 'together six cents less', price: 806n, rounding: 0n, remaining: 6n },
    { what: 'together five cents more', price: 795n, rounding: 5n, remaining: 0n },
    { what: 'together six cents more', price: 794n, rounding: 0n, remaining: -6n },
    { what: 'and another guest paid an amount of one cent', price: 800n, amount: 1n, rounding: 0n, remaining: -1n },
  ])(
    'follow the rounding rules when eight guests each paid for an eighth of a dish, $what',
    ({ price, amount, rounding, remaining }) => {
      const payments = [...eighths(100n), ...(amount === undefined ? [] : [payment({ id: 9, amount })])];
      expect(billAmounts(bill({ ...soup, lines: [line(1, 1, price)], payments }))).toMatchObject({
        rounding,
        remaining,
      });
    },
  );

  test("show the paid amount as a closed bill's total, even if an earlier release rounded the bill", () => {
    const payments = [...eighths(100n), payment({ id: 9, amount: 9n })];
    expect(billAmounts(bill({ ...soup, payments, closed: true }))).toMatchObject({
      total: 809n,
      rounding: 9n,
      remaining: 0n,
    });
  });

  test('leave nothing to pay once all other lines are settled, even if one line is free', () => {
    const discounts: BillDiscount[] = [{ id: 1, lineId: 2, percent: '100' }];
    const payments = [payment({ amount: 7149n, covers: allOf(feijoada) })];
    expect(billAmounts(bill({ discounts, payments }))).toMatchObject({ total: 7149n, rounding: -1n, remaining: 0n });
  });

  test('report included taxes by rate, after discounts', () => {
    const lines = [{ ...line(1, 1, 1000n), taxRate: '8' }, { ...line(2, 1, 1001n), taxRate: '20' }, line(3, 1, 500n)];
    const discounts: BillDiscount[] = [{ id: 1, lineId: null, amount: 100n }];
    // A discount of 100 cents over lines of 1000, 1001 and 500 cents is 39.98, 40.02 and 19.99, rounded to 40, 40 and 20.
    expect(taxesOf({ lines, discounts })).toEqual([
      { rate: '8', net: 889n, tax: 71n },
      { rate: '20', net: 801n, tax: 160n },
    ]);
  });
});
