import { describe, expect, test } from '@jest/globals';
import type { Actor } from '../actor.ts';
import type { Bill, Payment } from '../bills/bill.ts';
import { movementsOfStep } from './movements-of-step.ts';

const at = new Date('2026-11-20T23:00:00Z');
const wanda = { id: 3, name: 'Wanda', role: 'waiter' } as Actor;
const cash = { id: 7, status: 'paid', method: 'cash', cashDrawer: 'bag', amountMinor: 3000, tipMinor: 200 };
const pix = { ...cash, method: 'pix', cashDrawer: null, pix: { confirmedBy: null } };
const billWith = (payments: object[]): Bill => ({ id: 1, payments }) as unknown as Bill;
/** Returns the movements of a bill whose payment changed so. `was`: null if it is new. */
const movementsOf = (was: object | null, is: object, actor = wanda) =>
  movementsOfStep({ before: billWith(was ? [was] : []), after: billWith([is]), at, actor });
const refund = (method: Payment['method'], cashDrawer: string | null) => ({ method, cashDrawer, reason: 'Twice' });

describe('a payment that becomes', () => {
  test('paid writes a movement by who recorded it', () => {
    const [movement, ...others] = movementsOf(null, cash);

    expect(others).toEqual([]);
    expect(movement).toMatchObject({
      kind: 'payment',
      cashDrawer: 'bag',
      amountMinor: 3000,
      tipMinor: 200,
      paymentId: 7,
    });
    expect(movement).toMatchObject({ billId: 1, at, by: { id: 3, name: 'Wanda' }, confirmedBy: null });
  });

  test('paid by a customer is by nobody', () => {
    const reserved = { ...cash, status: 'claimed', method: 'account', cashDrawer: null };

    expect(movementsOf(reserved, { ...reserved, status: 'paid' }, { ...wanda, role: 'customer' })).toMatchObject([
      { method: 'account', cashDrawer: null, by: null },
    ]);
  });

  test.each(['reserved', 'claimed', 'cancelled', 'expired', 'refunding'])('%s writes none', (status) => {
    expect(movementsOf(null, { ...cash, status })).toEqual([]);
  });

  test('paid again after a refund that failed writes none', () => {
    expect(movementsOf({ ...cash, status: 'refunding' }, cash)).toEqual([]);
  });

  test('paid by Pix says who confirmed it then, and writes none when the bank confirms later', () => {
    const byStaff = { ...pix, pix: { confirmedBy: 'staff' } };

    expect(movementsOf({ ...pix, status: 'reserved' }, byStaff)).toMatchObject([
      { method: 'pix', confirmedBy: 'staff' },
    ]);
    expect(movementsOf(byStaff, { ...pix, pix: { confirmedBy: 'bank' } })).toEqual([]);
  });

  test('refunded writes the opposite, as it was given back', () => {
    const byStaff = { ...pix, pix: { confirmedBy: 'staff' } };
    const opposite = { kind: 'refund', amountMinor: -3000, tipMinor: -200, reason: 'Twice', paymentId: 7 };
    const refunded = (was: object, given: object) => movementsOf(was, { ...was, status: 'refunded', refund: given });

    expect(refunded(cash, refund('cash', 'main'))).toMatchObject([{ ...opposite, method: 'cash', cashDrawer: 'main' }]);
    expect(refunded(byStaff, refund('cash', 'bag'))).toMatchObject([
      { ...opposite, method: 'cash', cashDrawer: 'bag', confirmedBy: null },
    ]);
    expect(refunded(byStaff, refund('pix', null))).toMatchObject([
      { ...opposite, method: 'pix', cashDrawer: null, confirmedBy: 'staff' },
    ]);
  });
});
