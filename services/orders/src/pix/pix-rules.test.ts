import { describe, expect, test } from '@jest/globals';
import type { PaymentStatus } from '@comanda/contracts/bill-payments';
import type { Bill, BillWithOrders, Payment } from '../bills/bill.ts';
import type { Order } from '../orders/order.ts';
import type { ProvenStatement } from './pix-decision.ts';
import { decidePixPayment, decidePixRefund, type PixOutcome } from './pix-rules.ts';

const now = new Date('2026-11-20T21:00:00Z');
const ana = { id: 5, name: 'Ana', role: 'customer' } as const;
const marta = { id: 9, name: 'Marta', role: 'manager' } as const;

/** An order for three dishes of 40.00 each. */
const order = {
  ownerId: ana.id,
  items: [{ id: 1, quantity: 3, unitPriceMinor: 4000, status: 'received', partOf: null }],
} as unknown as Order;
const twoDishes = { by: 'lines', pieces: [{ lineId: 1, kind: 'units', count: 2, of: 3 }] } as const;

/** A payment by Pix of 80.00 for two dishes, with a tip of 5.00. */
const paymentOf = (changes: Partial<Payment> = {}): Payment =>
  ({
    id: 77,
    method: 'pix',
    status: 'reserved',
    covers: twoDishes,
    amountMinor: 8000,
    tipMinor: 500,
    payer: { id: ana.id, name: ana.name },
    recordedBy: ana,
    pix: { confirmedBy: null, endToEndId: null, refundId: null },
    createdAt: now,
    refundedAt: null,
    ...changes,
  }) as Payment;
const billOf = (payments: readonly Payment[], status: Bill['status'] = 'open'): BillWithOrders => ({
  bill: {
    id: 1,
    status,
    currency: 'BRL',
    serviceCharge: { rate: '0', included: false },
    discounts: [],
    payments,
    closedAt: null,
  } as unknown as Bill,
  orders: [order],
});
const received: ProvenStatement = {
  purpose: 'payment',
  payment_id: 77,
  payment_created_at: now.toISOString(),
  amount: '85.00',
  currency: 'BRL',
  end_to_end_id: 'E1',
  confirmed_by: 'bank',
  confirmation_id: null,
  refund_id: null,
  by: null,
};
const seen: ProvenStatement = {
  ...received,
  end_to_end_id: null,
  confirmed_by: 'staff',
  confirmation_id: 'c1',
  by: marta,
  reference: 'E123',
};
const byStaff = { status: 'paid', pix: { confirmedBy: 'staff', endToEndId: null, refundId: null } } as const;
const byBank = { status: 'paid', pix: { confirmedBy: 'bank', endToEndId: 'E1', refundId: null } } as const;

type Given = {
  payment?: Payment;
  others?: readonly Payment[];
  status?: Bill['status'];
  statement?: Partial<ProvenStatement>;
  /** The payment that the Pix has paid already. */
  paidBySame?: Payment;
  isUnknown?: true;
};
function decide({ payment = paymentOf(), others = [], status, statement, paidBySame, isUnknown }: Given): PixOutcome {
  const given = billOf([payment, ...others], status);
  return decidePixPayment(
    { ...received, ...statement },
    {
      found: isUnknown ? null : { given, payment },
      paidBySame: paidBySame ? { given: billOf([paidBySame]), payment: paidBySame } : null,
      paidWith: null,
      now,
    },
  );
}
const paymentsAfter = ({ steps }: PixOutcome) =>
  steps.at(-1)?.bill.payments.map(({ id, status, pix, covers }) => [id, status, pix?.confirmedBy, covers.by]);

describe('a Pix', () => {
  test.each(['reserved', 'cancelled', 'expired'] as const)('pays a payment that is %s', (status) => {
    const outcome = decide({ payment: paymentOf({ status }) });

    expect(outcome).toMatchObject({ reason: null, paymentId: 77, isFinal: true });
    expect(outcome.steps).toHaveLength(1);
    expect(outcome.steps[0]).toMatchObject({ entry: { kind: 'payment_paid', paymentId: 77 } });
    expect(outcome.steps[0]?.exception).toBeUndefined();
    expect(outcome.steps[0]?.bill.payments[0]).toMatchObject({
      status: 'paid',
      expiresAt: null,
      settledAt: now,
      covers: twoDishes,
      pix: { confirmedBy: 'bank', endToEndId: 'E1', refundId: null },
    });
  });

  const refused: [string, Given, string][] = [
    ['for an unknown payment', { isUnknown: true }, 'not_found'],
    ['of another amount', { statement: { amount: '85.01' } }, 'wrong_amount'],
    ['without the tip', { statement: { amount: '80.00' } }, 'wrong_amount'],
    ['in another currency', { statement: { currency: 'EUR' } }, 'wrong_amount'],
    ['that has paid another payment', { paidBySame: paymentOf({ id: 76, ...byBank }) }, 'already_paid'],
    ['after another Pix', { payment: paymentOf(byBank), statement: { end_to_end_id: 'E2' } }, 'already_paid'],
    ['for a payment that is refunding', { payment: paymentOf({ status: 'refunding' }) }, 'refunded'],
    ['for a payment that is refunded', { payment: paymentOf({ status: 'refunded' }) }, 'refunded'],
    ['for a closed bill', { payment: paymentOf({ status: 'expired' }), status: 'closed' }, 'bill_closed'],
    ['for a merged bill', { payment: paymentOf({ status: 'cancelled' }), status: 'merged' }, 'bill_closed'],
    [
      'whose part is paid by now',
      {
        payment: paymentOf({ status: 'expired' }),
        others: [paymentOf({ id: 78, status: 'paid', method: 'cash', amountMinor: 12_000, covers: { by: 'amount' } })],
      },
      'part_taken',
    ],
  ];
  test.each(refused)('%s pays nothing', (_what, given, reason) => {
    expect(decide(given)).toMatchObject({ reason, steps: [], isFinal: true });
  });

  test('without a charge has the payment that it has paid, and otherwise none', () => {
    const statement = { payment_id: null, payment_created_at: null };

    expect(decide({ statement, paidBySame: paymentOf(byBank) })).toMatchObject({
      reason: null,
      paymentId: 77,
      steps: [],
    });
    expect(decide({ statement, paidBySame: paymentOf({ status: 'refunded' }) })).toMatchObject({ reason: 'no_charge' });
    expect(decide({ statement })).toMatchObject({ reason: 'no_charge', isFinal: false });
  });

  test('that comes late pays an amount if its dishes are paid by now', () => {
    const dish = paymentOf({
      id: 78,
      method: 'card',
      status: 'paid',
      amountMinor: 4000,
      covers: { by: 'lines', pieces: [{ lineId: 1, kind: 'units', count: 2, of: 3 }] },
    });

    const outcome = decide({ payment: paymentOf({ status: 'expired' }), others: [dish] });

    expect(paymentsAfter(outcome)?.[0]).toEqual([77, 'paid', 'bank', 'amount']);
  });

  test.each([
    ['of the same payer', { id: ana.id, name: ana.name }],
    ['of staff', null],
  ])('that comes late replaces a later reservation %s for the same total', (_whose, payer) => {
    const later = paymentOf({ id: 78, payer });
    const other = paymentOf({ id: 79, method: 'cash', status: 'paid', amountMinor: 4000, covers: { by: 'amount' } });

    const outcome = decide({ payment: paymentOf({ status: 'expired' }), others: [later, other] });

    expect(outcome.steps.map(({ entry }) => entry?.kind)).toEqual(['payment_cancelled', 'payment_paid']);
    expect(paymentsAfter(outcome)?.map(([, status]) => status)).toEqual(['paid', 'cancelled', 'paid']);
  });

  test.each<[string, Partial<Payment>]>([
    ['of another guest', { payer: { id: 6, name: 'Bob' } }],
    ['of another total', { tipMinor: 400 }],
    ['from an account', { method: 'account' }],
    ['that was made earlier', { id: 76 }],
  ])('that comes late does not replace a reservation %s', (_what, changes) => {
    const other = paymentOf({ id: 79, method: 'cash', status: 'paid', amountMinor: 4000, covers: { by: 'amount' } });
    const later = paymentOf({ id: 78, ...changes });

    expect(decide({ payment: paymentOf({ status: 'expired' }), others: [later, other] }).reason).toBe('part_taken');
  });

  test('replaces the word of staff, without another payment', () => {
    const outcome = decide({ payment: paymentOf(byStaff) });

    expect(paymentsAfter(outcome)).toEqual([[77, 'paid', 'bank', 'lines']]);
    expect(outcome.steps[0]?.bill.payments[0]?.settledAt).toBe(paymentOf(byStaff).settledAt);
  });

  test('that a manager assigns is an exception', () => {
    const [step] = decide({ statement: { by: marta } }).steps;

    expect(step?.exception).toEqual({ kind: 'pix_assigned', amountMinor: 8000 });
  });
});

describe('what staff have seen', () => {
  test('pays a payment, and is told apart', () => {
    const outcome = decide({ statement: seen });

    expect(outcome.steps[0]?.bill.payments[0]).toMatchObject({
      status: 'paid',
      reference: 'E123',
      pix: { confirmedBy: 'staff', endToEndId: null },
    });
    expect(outcome.steps[0]?.exception).toBeUndefined();
  });

  test.each([byStaff, byBank])('changes nothing if the payment is paid already: %j', (paid) => {
    expect(decide({ payment: paymentOf(paid), statement: seen })).toEqual({
      reason: null,
      paymentId: 77,
      steps: [],
      isFinal: true,
    });
  });
});

describe('a refund through the bank', () => {
  const refund = (purpose: ProvenStatement['purpose'], payment: Payment | null, refundId = 'R1'): PixOutcome =>
    decidePixRefund(
      { ...received, purpose, refund_id: refundId, by: marta },
      { paidBySame: payment && { given: billOf([payment]), payment }, paidWith: null, now },
    );
  const refunding = (refundId: string): Payment =>
    paymentOf({ status: 'refunding', pix: { confirmedBy: 'bank', endToEndId: 'E1', refundId } });
  const statusAfter = ({ steps }: PixOutcome): PaymentStatus | undefined => steps.at(-1)?.bill.payments[0]?.status;

  test('begins for a payment that is paid, or refunding by an earlier refund', () => {
    for (const payment of [paymentOf(byBank), refunding('R0')]) {
      const outcome = refund('refund_begun', payment);

      expect(statusAfter(outcome)).toBe('refunding');
      expect(outcome.steps[0]?.bill.payments[0]?.pix?.refundId).toBe('R1');
    }
    expect(refund('refund_begun', refunding('R1'))).toMatchObject({ reason: null, steps: [] });
  });

  test('begins for a Pix that has paid nothing, and not for one that was refunded', () => {
    expect(refund('refund_begun', null)).toMatchObject({ reason: null, paymentId: null, steps: [] });
    expect(refund('refund_begun', paymentOf({ ...byBank, status: 'refunded' }))).toMatchObject({ reason: 'refunded' });
  });

  test('ends the payment as refunded or as paid', () => {
    const [done] = refund('refunded', refunding('R1')).steps;

    expect(done).toMatchObject({
      entry: { kind: 'payment_refunded' },
      exception: { kind: 'refunded', amountMinor: 8000 },
    });
    expect(done?.bill.payments[0]).toMatchObject({ status: 'refunded', refund: { method: 'pix', by: marta } });
    const failed = refund('refund_failed', refunding('R1'));
    expect(statusAfter(failed)).toBe('paid');
    expect(failed.steps[0]?.bill.payments[0]?.pix).toEqual({ confirmedBy: 'bank', endToEndId: 'E1', refundId: null });
  });

  test.each(['refunded', 'refund_failed'] as const)('that is not the current one changes nothing: %s', (purpose) => {
    expect(refund(purpose, refunding('R2'))).toMatchObject({ reason: null, steps: [] });
    expect(refund(purpose, paymentOf(byBank))).toMatchObject({ reason: null, steps: [] });
    expect(refund(purpose, null)).toMatchObject({ reason: null, steps: [] });
  });
});
