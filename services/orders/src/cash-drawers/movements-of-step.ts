import type { Actor } from '../actor.ts';
import type { Bill, Payment } from '../bills/bill.ts';
import type { NewMovement, Person } from './movement.ts';

type Step = { before: Bill; after: Bill; at: Date; actor: Actor };

/** Returns a movement for each payment that became `paid` in this step of a bill, and for each that became `refunded`. */
export function movementsOfStep({ before, after, at, actor }: Step): NewMovement[] {
  if (before.payments === after.payments) return [];
  const by = actor.role === 'customer' ? null : { id: actor.id, name: actor.name };
  return after.payments.flatMap((payment) => {
    const earlier = before.payments.find(({ id }) => id === payment.id)?.status ?? null;
    if (earlier === payment.status) return [];
    // A refund that failed makes the payment `paid` again, which moves no money.
    if (payment.status === 'paid' && earlier !== 'refunding')
      return [movementOfPayment(payment, { billId: after.id, at, by })];
    return payment.status === 'refunded' ? [movementOfRefund(payment, { billId: after.id, at, by })] : [];
  });
}

type Moved = { billId: number; at: Date; by: Person | null };
const ofPayment = { other: null, reverses: null, isOfCount: false, request: null } as const;

/** Who confirmed a Pix, at the time of the movement. */
const confirmedByOf = ({ pix }: Payment, method: Payment['method']): NewMovement['confirmedBy'] =>
  method === 'pix' ? (pix?.confirmedBy ?? null) : null;

export const movementOfPayment = (payment: Payment, { billId, at, by }: Moved): NewMovement => ({
  ...ofPayment,
  at,
  kind: 'payment',
  method: payment.method,
  confirmedBy: confirmedByOf(payment, payment.method),
  cashDrawer: payment.cashDrawer,
  amountMinor: payment.amountMinor,
  tipMinor: payment.tipMinor,
  billId,
  paymentId: payment.id,
  by,
  reason: null,
});

export const movementOfRefund = (payment: Payment, { billId, at, by }: Moved): NewMovement => ({
  ...ofPayment,
  at,
  kind: 'refund',
  method: payment.refund?.method ?? payment.method,
  confirmedBy: confirmedByOf(payment, payment.refund?.method ?? payment.method),
  cashDrawer: payment.refund ? payment.refund.cashDrawer : payment.cashDrawer,
  amountMinor: 0 - payment.amountMinor,
  tipMinor: 0 - payment.tipMinor,
  billId,
  paymentId: payment.id,
  by,
  reason: payment.refund?.reason ?? null,
});
