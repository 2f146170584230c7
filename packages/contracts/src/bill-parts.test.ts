import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  activePayments,
  billAmounts,
  netsOf,
  settledOf,
  type BillDiscount,
  type BillLine,
  type BillPayment,
  type BillState,
} from './bill-amounts.ts';
import { pricePart, type BillPart } from './bill-parts.ts';

const line = (id: number, quantity: number, unitPrice: bigint): BillLine => ({
  id,
  quantity,
  unitPrice,
  taxRate: null,
});
const empty: Omit<BillState, 'lines'> = {
  discounts: [],
  serviceCharge: { rate: '10', included: true },
  payments: [],
  closed: false,
};
const dinner: BillState = { ...empty, lines: [line(1, 2, 3250n), line(2, 3, 990n)] }; // 104.17 in total, with the service charge

/** Returns the bill after a part was paid; unchanged if the part is rejected. */
function pay(bill: BillState, part: BillPart, status: BillPayment['status'] = 'paid'): BillState {
  const priced = pricePart(bill, part);
  if (priced.kind !== 'priced') return bill;
  const { amount, covers } = priced;
  return { ...bill, payments: [...bill.payments, { id: bill.payments.length + 1, status, amount, covers }] };
}
const payAll = (bill: BillState, ...parts: BillPart[]): BillState =>
  parts.reduce((paid, part) => pay(paid, part), bill);
/** Returns the bill after a payment was refunded. */
const refund = (bill: BillState, which: number): BillState => ({
  ...bill,
  payments: bill.payments.map((each, index) => (index === which ? { ...each, status: 'refunded' } : each)),
});
/**
 * Returns the bill without one line. The bill stays unchanged if part of the line is paid, or if the payments would then exceed
 * the total.
 */
function cancel(bill: BillState, which: number): BillState {
  const chosen = bill.lines[which];
  if (!chosen || settledOf(chosen, activePayments(bill)).count > 0) return bill;
  const without = { ...bill, lines: bill.lines.filter((each) => each !== chosen) };
  return billAmounts(without).remaining < 0n ? bill : without;
}
const amountsOf = ({ payments }: BillState): bigint[] => payments.map(({ amount }) => amount);

describe('pricePart', () => {
  test('charges exactly the remaining amount for the last of three equal shares', () => {
    const share: BillPart = { shares: 1, of: 3 };
    const paid = payAll(dinner, share, share, share);
    expect(amountsOf(paid)).toEqual([3473n, 3472n, 3472n]);
    expect(billAmounts(paid).remaining).toBe(0n);
  });

  test('charges the first two of three payers one cent more when two cents are left over', () => {
    const water: BillState = { ...empty, serviceCharge: { rate: '0', included: false }, lines: [line(1, 1, 500n)] };
    expect(amountsOf(payAll(water, { shares: 1, of: 3 }, { shares: 1, of: 3 }, { shares: 1, of: 3 }))).toEqual([
      167n,
      167n,
      166n,
    ]);
  });

  test("charges the same for two of three shares, whether they're paid together or one by one", () => {
    expect(amountsOf(payAll(dinner, { shares: 2, of: 3 }, { rest: true }))).toEqual([6945n, 3472n]);
  });

  test("includes the service charge in a dish's price", () => {
    expect(pricePart(dinner, { lines: [{ lineId: 2, quantity: 1 }] })).toMatchObject({ amount: 1089n });
  });

  test("splits a line into thirds that add up to the line's price", () => {
    const third: BillPart = { lines: [{ lineId: 1, parts: 1, of: 3 }] };
    const paid = payAll(dinner, third, third, third, { lines: [{ lineId: 2 }] });
    expect(amountsOf(paid)).toEqual([2383n, 2383n, 2384n, 3267n]);
    expect(billAmounts(paid)).toMatchObject({ total: 10_417n, remaining: 0n });
  });

  test('allows a different number of shares if more is ordered after all shares were paid', () => {
    const shared = payAll(dinner, { shares: 1, of: 2 }, { shares: 1, of: 2 });
    const more: BillState = { ...shared, lines: [...shared.lines, line(3, 1, 1000n)] };
    expect(pricePart(more, { shares: 1, of: 4 })).toMatchObject({
      amount: 275n,
      covers: { by: 'shares', round: 2, count: 1, of: 4 },
    });
  });

  test("doesn't free a share when a share from an earlier round is refunded", () => {
    const shared = payAll(dinner, { shares: 1, of: 2 }, { shares: 1, of: 2 });
    const more = pay({ ...shared, lines: [...shared.lines, line(3, 1, 1000n)] }, { shares: 1, of: 2 });
    const [first, ...others] = more.payments;
    const refunded: BillState = { ...more, payments: [{ ...first!, status: 'refunded' }, ...others] };
    expect(pricePart(refunded, { shares: 1, of: 2 })).toMatchObject({ covers: { round: 2 }, amount: 5759n });
  });

  const shareOfThree: BillPart = { shares: 1, of: 3 };
  const oneChope: BillPart = { lines: [{ lineId: 2, quantity: 1 }] };
  const thirdOfChope: BillPart = { lines: [{ lineId: 2, parts: 1, of: 3 }] };
  test.each<{ what: string; paid: BillPart[]; part: BillPart; members: object }>([
    {
      what: 'another number of shares',
      paid: [shareOfThree],
      part: { shares: 1, of: 2 },
      members: { sharesOf: 3, sharesTaken: 1 },
    },
    {
      what: 'more shares than are open',
      paid: [{ shares: 2, of: 3 }],
      part: { shares: 2, of: 3 },
      members: { sharesOf: 3, sharesTaken: 2 },
    },
    {
      what: 'a dish when shares are paid',
      paid: [shareOfThree],
      part: oneChope,
      members: { sharesOf: 3, sharesTaken: 1 },
    },
    { what: 'a dish when an amount is paid', paid: [{ amount: 100n }], part: oneChope, members: {} },
    {
      what: 'a line that is already paid',
      paid: [{ lines: [{ lineId: 1 }] }],
      part: { lines: [{ lineId: 1 }] },
      members: { lineId: 1 },
    },
    {
      what: 'more units than are open',
      paid: [oneChope],
      part: { lines: [{ lineId: 2, quantity: 3 }] },
      members: { lineId: 2 },
    },
    {
      what: 'an equal part of a line that was paid in units',
      paid: [oneChope],
      part: thirdOfChope,
      members: { lineId: 2 },
    },
    {
      what: 'a unit of a line that was paid in equal parts',
      paid: [thirdOfChope],
      part: oneChope,
      members: { lineId: 2 },
    },
    {
      what: 'a part of another size than those paid',
      paid: [thirdOfChope],
      part: { lines: [{ lineId: 2, parts: 1, of: 4 }] },
      members: { lineId: 2 },
    },
    { what: 'a line on another bill', paid: [], part: { lines: [{ lineId: 9 }] }, members: { lineId: 9 } },
  ])('reports a split conflict for $what', ({ paid, part, members }) => {
    expect(pricePart(payAll(dinner, ...paid), part)).toEqual({ kind: 'bill_split_conflict', ...members });
  });

  test('reports the remaining amount when a payment exceeds it', () => {
    expect(pricePart(dinner, { amount: 10_418n })).toEqual({ kind: 'amount_exceeds_remaining', remaining: 10_417n });
  });

  test.each<[string, BillState, BillPart]>([
    ['the rest of a paid bill', pay(dinner, { rest: true }), { rest: true }],
    ['a free dish', { ...dinner, discounts: [{ id: 1, lineId: 1, percent: '100' }] }, { lines: [{ lineId: 1 }] }],
  ])('reports that there is nothing to pay for %s', (_what, bill, part) => {
    expect(pricePart(bill, part)).toEqual({ kind: 'nothing_to_pay' });
  });
});

const lineNumbers = fc.record({ quantity: fc.integer({ min: 1, max: 9 }), price: fc.integer({ min: 0, max: 20_000 }) });
const percents = fc.integer({ min: 1, max: 10_000 }).map((hundredths) => (hundredths / 100).toFixed(2));
const bills: fc.Arbitrary<BillState> = fc
  .record({
    lines: fc.array(lineNumbers, { minLength: 1, maxLength: 8 }),
    discounts: fc.array(fc.record({ line: fc.option(fc.nat(7)), percent: percents }), { maxLength: 3 }),
    rate: percents,
    included: fc.boolean(),
  })
  .map(({ lines, discounts, rate, included }) => ({
    ...empty,
    lines: lines.map(({ quantity, price }, index) => line(index + 1, quantity, BigInt(price))),
    discounts: discounts.map(({ line: index, percent }, id): BillDiscount => {
      return { id, lineId: index === null ? null : index + 1, percent };
    }),
    serviceCharge: { rate, included },
  }));
const lineParts: fc.Arbitrary<BillPart> = fc
  .uniqueArray(
    fc.record({
      lineId: fc.integer({ min: 1, max: 8 }),
      quantity: fc.option(fc.integer({ min: 1, max: 3 })),
      of: fc.option(fc.integer({ min: 2, max: 20 })),
    }),
    { minLength: 1, maxLength: 3, selector: ({ lineId }) => lineId },
  )
  .map((choices) => ({
    lines: choices.map(({ lineId, quantity, of }) => {
      if (of !== null) return { lineId, parts: 1, of };
      return quantity === null ? { lineId } : { lineId, quantity };
    }),
  }));
const parts: fc.Arbitrary<BillPart> = fc.oneof(
  { arbitrary: lineParts, weight: 3 },
  fc.record({ shares: fc.integer({ min: 1, max: 3 }), of: fc.integer({ min: 3, max: 5 }) }),
  fc.record({ amount: fc.bigInt({ min: 1n, max: 5000n }) }),
);

const rounds = process.env['COMANDA_LONG'] === '1' ? 8 : 1;
/** Pauses after each round, because Jest's guard treats 30 s in which the event loop is blocked as an endless loop. */
async function assertOften<T>(property: fc.IProperty<T>): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    fc.assert(property, { numRuns: 1000 });
    await setImmediate();
  }
}

describe('any bill', () => {
  test('can be paid in full by any mix of parts, and no part costs 0', async () => {
    await assertOften(
      fc.property(bills, fc.array(parts, { maxLength: 12 }), (bill, asked) => {
        let paid = bill;
        for (const part of [...asked, { rest: true } as const]) {
          paid = pay(paid, part);
          const { total, paid: settled, remaining } = billAmounts(paid);
          expect(settled + remaining).toBe(total);
          expect(remaining >= 0n).toBe(true);
          for (const each of paid.lines) {
            const { count, of } = settledOf(each, activePayments(paid));
            expect(count).toBeLessThanOrEqual(of);
          }
        }
        expect(amountsOf(paid).every((amount) => amount > 0n)).toBe(true);
        expect(billAmounts(paid)).toMatchObject({ remaining: 0n });
      }),
    );
  });

  test('lets any unpaid line be cancelled when units are paid one by one', async () => {
    const unit = fc.record({ lineId: fc.integer({ min: 1, max: 8 }), quantity: fc.constant(1) });
    const units = unit.map((choice): BillPart => ({ lines: [choice] }));
    await assertOften(
      fc.property(bills, fc.array(units, { minLength: 4, maxLength: 20, size: 'max' }), (bill, asked) => {
        const paid = payAll(bill, ...asked);
        const free = paid.lines.filter((each) => settledOf(each, activePayments(paid)).count === 0);
        const without = (cancelled: BillLine): BillState => ({
          ...paid,
          lines: paid.lines.filter((each) => each !== cancelled),
        });
        expect(free.filter((each) => billAmounts(without(each)).remaining < 0n)).toEqual([]);
      }),
    );
  });

  test('never has a negative remaining amount after dishes are cancelled and payments refunded', async () => {
    const steps = fc.oneof(
      { arbitrary: parts.map((part) => ({ kind: 'pay', part }) as const), weight: 4 },
      fc.record({ kind: fc.constant('refund'), which: fc.nat(20) }),
      fc.record({ kind: fc.constant('cancel'), which: fc.nat(7) }),
    );
    await assertOften(
      fc.property(bills, fc.array(steps, { maxLength: 20, size: 'max' }), (bill, asked) => {
        let now = bill;
        for (const step of asked) {
          if (step.kind === 'pay') now = pay(now, step.part);
          else if (step.kind === 'refund') now = refund(now, step.which);
          else now = cancel(now, step.which);
          expect(billAmounts(now).remaining >= 0n).toBe(true);
        }
        expect(billAmounts(pay(now, { rest: true })).remaining).toBe(0n);
      }),
    );
  });

  test('has nothing left to pay when every line is paid separately', async () => {
    await assertOften(
      fc.property(bills, (bill) => {
        const paid = payAll(bill, ...bill.lines.map(({ id }) => ({ lines: [{ lineId: id }] })));
        // `pricePart` rejects a line that costs less than half a cent, so a cent may remain.
        const isRefused = paid.payments.length < [...netsOf(bill).values()].filter((net) => net > 0n).length;
        expect(billAmounts(isRefused ? pay(paid, { rest: true }) : paid).remaining).toBe(0n);
      }),
    );
  });
});
