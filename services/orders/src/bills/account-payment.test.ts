import { onlyMain } from '../cash-drawers/cash-drawer.ts';
import { describe, expect, test } from '@jest/globals';
import { billAmounts } from '@comanda/contracts/bill-amounts';
import { paymentStatuses, type PaymentStatus as Status } from '@comanda/contracts/bill-payments';
import { Problem } from '@comanda/contracts/problem';
import type { Actor } from '../actor.ts';
import type { Order } from '../orders/order.ts';
import {
  cancelReservation,
  claimPayment,
  expireReservations,
  findAccountPayment,
  reservePayment,
  settlePayment,
} from './account-payment.ts';
import type { BillDecision, ClaimRequest, Settlement } from './bill-change.ts';
import { recordPayment } from './bill-payments.ts';
import { stateOf, type Bill } from './bill.ts';

const now = new Date('2026-11-20T21:00:00Z');
const later = new Date('2026-11-20T21:05:00Z');
const ana: Actor = { id: 5, name: 'Ana', role: 'customer' };
const bob: Actor = { id: 6, name: 'Bob', role: 'customer' };
const waiter: Actor = { id: 8, name: 'Wanda', role: 'waiter' };
const manager: Actor = { id: 9, name: 'Marta', role: 'manager' };

/** Creates Ana's order for dishes of 40.00 each. */
const orderOf = (id: number, quantity: number): Order =>
  ({
    ownerId: ana.id,
    items: [{ id, quantity, unitPriceMinor: 4000, status: 'received', partOf: null }],
  }) as unknown as Order;
const orders = [orderOf(1, 3)];
/** A bill for 120.00, without payments. */
const unpaid = {
  status: 'open',
  currency: 'BRL',
  serviceCharge: { rate: '0', included: false },
  discounts: [],
  payments: [],
  closedAt: null,
} as unknown as Bill;

const after = (bill: Bill, decision: BillDecision): Bill => {
  if (decision instanceof Problem) throw decision;
  return decision.at(-1)?.bill ?? bill;
};
const claim = (bill: Bill, by: Actor, request: Partial<ClaimRequest> = {}): BillDecision => {
  const approved = { tokenExpiresAt: later, totalMinor: 6500, currency: 'BRL' };
  return claimPayment(bill, {
    paymentId: 77,
    claim: { purpose: 'payment', jti: 'pays', ...approved, ...request },
    by,
    now,
  });
};
const refund = { purpose: 'refund', jti: 'refunds' } as const;
const settle = (bill: Bill, settlement: Settlement, given = orders): BillDecision =>
  settlePayment({ bill, orders: given }, { paymentId: 77, settlement, by: ana, now });
let lastTransfer = 0;
const receipt = (facts: Partial<Extract<Settlement, { kind: 'receipt' }>> = {}): Settlement => ({
  kind: 'receipt',
  purpose: 'payment',
  paymentId: 77,
  transferId: ++lastTransfer,
  jti: 'pays',
  amount: '65.00',
  currency: 'BRL',
  userId: ana.id,
  postedAt: now,
  ...facts,
});
const end = (jti: string): Settlement => ({ kind: 'end', jti });

/** Ana's payment of half of the bill with a tip of 5.00, by its status. */
const billWith: Record<Status, () => Bill> = {
  reserved: () => {
    const body = { method: 'account', part: { shares: 1, of: 2 }, expected_amount: '60.00', tip: '5.00' } as const;
    return after(
      unpaid,
      reservePayment({ bill: unpaid, orders }, { id: 77, body, recordedBy: ana, request: null, now }),
    );
  },
  cancelled: () => step('reserved', (bill) => cancelReservation(bill, { paymentId: 77, by: ana, now })),
  expired: () => step('reserved', (bill) => expireReservations(bill, later).map(({ step: each }) => each)),
  claimed: () => step('reserved', (bill) => claim(bill, ana)),
  failed: () => step('claimed', (bill) => settle(bill, end('pays'))),
  paid: () => step('claimed', (bill) => settle(bill, receipt())),
  refunding: () => step('paid', (bill) => claim(bill, manager, refund)),
  refunded: () => step('refunding', (bill) => settle(bill, receipt(refund))),
};
const step = (from: Status, decide: (bill: Bill) => BillDecision): Bill => {
  const bill = billWith[from]();
  return after(bill, decide(bill));
};
const statusOf = (bill: Bill): Status | undefined => findAccountPayment(bill, 77)?.status;

type Outcome = Status | Problem['code'];
const everywhere = (outcome: Problem['code'] | 'unchanged'): Record<Status, Outcome> =>
  Object.fromEntries(
    paymentStatuses.map((status): [Status, Outcome] => [status, outcome === 'unchanged' ? status : outcome]),
  ) as Record<Status, Outcome>;
const never = everywhere('payment_not_payable');
/** A receipt proves that the money for this payment has moved, so an unpaid payment becomes `paid`, whatever its status was. */
const paidUnlessPaid: Record<Status, Outcome> = {
  ...never,
  reserved: 'paid',
  cancelled: 'paid',
  expired: 'paid',
  claimed: 'paid',
  failed: 'paid',
};
const cancelled: Record<Status, Outcome> = { ...never, reserved: 'cancelled', cancelled: 'cancelled' };
/** Every change to an account payment, with its new status or the problem, for each old status. */
const table: Record<string, { decide: (bill: Bill) => BillDecision; outcomes: Record<Status, Outcome> }> = {
  'its payer cancels': {
    decide: (bill) => cancelReservation(bill, { paymentId: 77, by: ana, now }),
    outcomes: cancelled,
  },
  'a waiter cancels': {
    decide: (bill) => cancelReservation(bill, { paymentId: 77, by: waiter, now }),
    outcomes: cancelled,
  },
  'another customer cancels': {
    decide: (bill) => cancelReservation(bill, { paymentId: 77, by: bob, now }),
    outcomes: everywhere('not_found'),
  },
  'the payer claims it with a new token': {
    decide: (bill) => claim(bill, ana, { jti: 'new' }),
    outcomes: { ...never, reserved: 'claimed' },
  },
  'the payer claims it with the same token': {
    decide: (bill) => claim(bill, ana),
    outcomes: { ...never, reserved: 'claimed', claimed: 'claimed' },
  },
  'another customer claims it': { decide: (bill) => claim(bill, bob), outcomes: everywhere('not_found') },
  'a manager claims it as its payer': { decide: (bill) => claim(bill, manager), outcomes: everywhere('not_found') },
  'a manager claims it for a refund': {
    decide: (bill) => claim(bill, manager, refund),
    outcomes: { ...never, paid: 'refunding', refunding: 'refunding' },
  },
  'another manager claims it for a refund': {
    decide: (bill) => claim(bill, { ...manager, id: 10 }, { purpose: 'refund', jti: 'new' }),
    outcomes: { ...never, paid: 'refunding' },
  },
  'a waiter claims it for a refund': {
    decide: (bill) => claim(bill, waiter, refund),
    outcomes: everywhere('not_found'),
  },
  'the payer claims it for a refund': { decide: (bill) => claim(bill, ana, refund), outcomes: everywhere('forbidden') },
  'the receipt of its token arrives': { decide: (bill) => settle(bill, receipt()), outcomes: paidUnlessPaid },
  'the receipt of another token arrives, because this database was restored': {
    decide: (bill) => settle(bill, receipt({ jti: 'another' })),
    outcomes: paidUnlessPaid,
  },
  'the rejection or expiry of its token arrives': {
    decide: (bill) => settle(bill, end('pays')),
    outcomes: { ...everywhere('unchanged'), claimed: 'failed' },
  },
  'the rejection of another token arrives': {
    decide: (bill) => settle(bill, end('another')),
    outcomes: everywhere('unchanged'),
  },
  'the receipt of its refund arrives': {
    decide: (bill) => settle(bill, receipt(refund)),
    outcomes: { ...never, paid: 'refunded', refunding: 'refunded' },
  },
  "the expiry of its refund's token arrives": {
    decide: (bill) => settle(bill, end('refunds')),
    outcomes: { ...everywhere('unchanged'), refunding: 'paid' },
  },
};
const amounts: Record<Status, object> = {
  reserved: { paid: 0n, reserved: 6000n, remaining: 6000n },
  claimed: { paid: 0n, reserved: 6000n, remaining: 6000n },
  paid: { paid: 6000n, reserved: 0n, remaining: 6000n },
  refunding: { paid: 6000n, reserved: 0n, remaining: 6000n },
  refunded: { paid: 0n, reserved: 0n, remaining: 12_000n },
  cancelled: { paid: 0n, reserved: 0n, remaining: 12_000n },
  expired: { paid: 0n, reserved: 0n, remaining: 12_000n },
  failed: { paid: 0n, reserved: 0n, remaining: 12_000n },
};

describe.each(Object.entries(table))('when %s', (_what, { decide, outcomes }) => {
  test.each(paymentStatuses)('a payment that is %s changes as listed in the table', (from) => {
    const bill = billWith[from]();
    expect(statusOf(bill)).toBe(from);

    const decision = decide(bill);

    const changed = decision instanceof Problem ? bill : after(bill, decision);
    expect(decision instanceof Problem ? decision.code : statusOf(changed)).toBe(outcomes[from]);
    expect(billAmounts(stateOf({ bill: changed, orders }))).toMatchObject(amounts[statusOf(changed) ?? from]);
    const isNotPayable = decision instanceof Problem && decision.code === 'payment_not_payable';
    expect(isNotPayable ? decision.members['payment_status'] : from).toBe(from);
  });
});

describe('a claim on a payment', () => {
  test.each<[string, Partial<ClaimRequest>, object]>([
    ['another total', { totalMinor: 6000 }, { code: 'amount_mismatch', members: { total: '65.00' } }],
    ['another currency', { currency: 'EUR' }, { code: 'currency_mismatch' }],
    ['an expired token', { tokenExpiresAt: now }, { code: 'payment_not_payable' }],
  ])('is rejected with %s, even if its token has claimed the payment before', (_what, request, problem) => {
    expect(claim(billWith.reserved(), ana, request)).toMatchObject(problem);
    expect(claim(billWith.claimed(), ana, request)).toMatchObject(problem);
  });

  test('never expires on its own', () => {
    expect(expireReservations(billWith.claimed(), new Date('2027-01-01T00:00:00Z'))).toEqual([]);
  });

  test('is rejected if its token was declared expired', () => {
    const barred = step('reserved', (bill) => settle(bill, end('pays')));

    expect(claim(barred, ana)).toMatchObject({ code: 'payment_not_payable' });
    expect(statusOf(after(barred, claim(barred, ana, { jti: 'new' })))).toBe('claimed');
  });
});

describe('a receipt', () => {
  test.each<[string, Partial<Extract<Settlement, { kind: 'receipt' }>>]>([
    ['another payment', { paymentId: 78 }],
    ['another amount', { amount: '64.99' }],
    ['the amount without the tip', { amount: '60.00' }],
    ['another currency', { currency: 'EUR' }],
    ['another payer', { userId: bob.id }],
    ['another token, and a time before the payment was started', { jti: 'another', postedAt: new Date(0) }],
    ['another token, and no time', { jti: 'another', postedAt: new Date('yesterday') }],
    ['the purpose of a refund', { purpose: 'refund' }],
  ])("doesn't change the bill if it has %s", (_what, wrong) => {
    expect(settle(billWith.claimed(), receipt(wrong))).toMatchObject({ code: 'payment_not_payable' });
  });

  /** A bill whose only reservation, for two of its three dishes (80.00), was cancelled. */
  const released = (): Bill => {
    const body = {
      method: 'account' as const,
      part: { lines: [{ line_id: 1, quantity: 2 }] },
      expected_amount: '80.00',
    };
    const reserving = { id: 77, body, recordedBy: ana, request: null, now };
    const bill = after(unpaid, reservePayment({ bill: unpaid, orders }, reserving));
    return after(bill, cancelReservation(bill, { paymentId: 77, by: ana, now }));
  };
  /** A bill like `released` on which a waiter has taken cash for two dishes. */
  const releasedAndPaid = (): Bill => {
    const body = { method: 'cash' as const, part: { lines: [{ line_id: 1, quantity: 2 }] }, expected_amount: '80.00' };
    const bill = released();
    return after(
      bill,
      recordPayment({ bill, orders }, { id: 78, body, recordedBy: waiter, request: null, cashDrawers: onlyMain, now }),
    );
  };
  const ofReleased = () => receipt({ amount: '80.00' });

  test('pays for the same dishes after its reservation was released, if they are unpaid', () => {
    const bill = after(released(), settle(released(), ofReleased()));

    expect(findAccountPayment(bill, 77)).toMatchObject({ status: 'paid', covers: { by: 'lines' } });
    expect(billAmounts(stateOf({ bill, orders }))).toMatchObject({ paid: 8000n, remaining: 4000n });
  });

  test("doesn't change the bill after its reservation was released, if too little is left to pay", () => {
    expect(settle(releasedAndPaid(), ofReleased())).toMatchObject({ code: 'payment_not_payable' });
  });

  test('counts as an amount instead of dishes after its reservation was released, if the dishes have been paid', () => {
    const more = [...orders, orderOf(2, 2)];
    const bill = after(releasedAndPaid(), settle(releasedAndPaid(), ofReleased(), more));

    expect(findAccountPayment(bill, 77)).toMatchObject({ status: 'paid', covers: { by: 'amount' } });
    expect(billAmounts(stateOf({ bill, orders: more }))).toMatchObject({ paid: 16_000n, remaining: 4000n });
  });
});
