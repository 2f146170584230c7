import { onlyMain } from '../cash-drawers/cash-drawer.ts';
import { describe, expect, test } from '@jest/globals';
import type { BillStatus } from '@comanda/contracts/bill-query';
import type { PaymentMethod } from '@comanda/contracts/bill-payments';
import { Problem } from '@comanda/contracts/problem';
import { refundPayment } from './bill-payments.ts';
import type { Bill, Payment } from './bill.ts';

const recordedAt = new Date('2026-11-20T21:00:00Z');
const people = {
  recorder: { id: 3, name: 'Marta', role: 'waiter' },
  waiter: { id: 4, name: 'Rui', role: 'waiter' },
  manager: { id: 9, name: 'Ana', role: 'manager' },
} as const;

type Row = {
  by: keyof typeof people;
  seconds: number;
  paidBy: PaymentMethod;
  inCash: boolean;
  bill: BillStatus;
  answer: PaymentMethod | 'forbidden' | 'refund_by_transfer';
};
/** Refunds a payment `seconds` after it was recorded. Returns the refund's method, or the problem's code. */
function refund({ by, seconds, paidBy, inCash, bill: status }: Row): string | undefined {
  const cashDrawer = paidBy === 'cash' ? 'main' : null;
  const payment = {
    id: 77,
    method: paidBy,
    cashDrawer,
    status: 'paid',
    recordedBy: people.recorder,
    createdAt: recordedAt,
  };
  const bill = { status, closedAt: null, payments: [payment as Payment] } as unknown as Bill;
  const now = new Date(recordedAt.getTime() + seconds * 1000);
  const refunding = { paymentId: 77, inCash, cashDrawer: undefined, cashDrawers: onlyMain, reason: 'Twice', now };
  const changed = refundPayment({ bill, orders: [] }, { ...refunding, by: people[by] });
  if (changed instanceof Problem) return changed.code;
  return changed[0]?.bill.payments[0]?.refund?.method;
}

describe('refunding a payment', () => {
  const usual = { by: 'recorder', seconds: 300, paidBy: 'cash', inCash: false, bill: 'open' } as const;
  test.each<Row>([
    { ...usual, answer: 'cash' },
    { ...usual, paidBy: 'card', answer: 'card' },
    { ...usual, inCash: true, answer: 'cash' },
    { ...usual, seconds: 300.001, answer: 'forbidden' },
    { ...usual, bill: 'closed', answer: 'forbidden' },
    { ...usual, paidBy: 'card', inCash: true, answer: 'forbidden' },
    { ...usual, by: 'waiter', seconds: 1, answer: 'forbidden' },
    { ...usual, by: 'manager', seconds: 86_400, bill: 'closed', answer: 'cash' },
    { ...usual, by: 'manager', paidBy: 'other', answer: 'other' },
    { ...usual, by: 'manager', paidBy: 'other', inCash: true, answer: 'cash' },
    { ...usual, by: 'manager', paidBy: 'account', inCash: true, answer: 'refund_by_transfer' },
    { ...usual, paidBy: 'account', answer: 'refund_by_transfer' },
  ])('returns $answer if done by the $by after $seconds s (paid by $paidBy, bill $bill, in cash: $inCash)', (row) => {
    expect(refund(row)).toBe(row.answer);
  });
});
