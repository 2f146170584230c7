import type { payBill } from '@comanda/contracts/bill-payments';
import { mainCashDrawer } from '@comanda/contracts/cash-drawers';
import { isActive, unknownDrawer, type CashDrawers } from '../cash-drawers/cash-drawer.ts';
import { billAmounts } from '@comanda/contracts/bill-amounts';
import { pricePart, type PartRefusal } from '@comanda/contracts/bill-parts';
import { partStateOf } from '@comanda/contracts/bill-preview';
import type { BodyOf } from '@comanda/contracts/endpoint';
import { problem, Problem } from '@comanda/contracts/problem';
import { ownRefundMinutes } from '@comanda/contracts/rules';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { fromMinor, toMinor } from '../money.ts';
import type { Actor } from '../actor.ts';
import type { BillDecision } from './bill-change.ts';
import { refuseUnlessOpen } from './bill-rules.ts';
import { refundTime, stateOf, type BillWithOrders, type Payment, type PixOfPayment } from './bill.ts';

type Body = BodyOf<typeof payBill>;

function problemOf(refusal: PartRefusal): Problem {
  if (refusal.kind === 'nothing_to_pay') return problem('nothing_to_pay');
  if (refusal.kind === 'amount_exceeds_remaining')
    return problem('amount_exceeds_remaining', { remaining: fromMinor(refusal.remaining) });
  const { lineId, sharesOf, sharesTaken } = refusal;
  return problem('bill_split_conflict', {
    ...(lineId !== undefined && { line_id: lineId }),
    ...(sharesOf !== undefined && { shares_of: sharesOf }),
    ...(sharesTaken !== undefined && { shares_taken: sharesTaken }),
  });
}

const unconfirmed: PixOfPayment = { confirmedBy: null, endToEndId: null, refundId: null };
const ownRefundMs = ownRefundMinutes * 60_000;

export type NewPayment = { id: number; body: Body; recordedBy: Actor; request: IdempotentRequest | null; now: Date };

/** Returns the payment at the current price, with status `paid`; or a problem if the payment is rejected. */
export function priceOf(given: BillWithOrders, { id, body, recordedBy, request, now }: NewPayment): Payment | Problem {
  const { bill } = given;
  const closed = refuseUnlessOpen(bill);
  if (closed) return closed;
  const state = stateOf(given);
  const priced = pricePart(state, partStateOf(body.part));
  if (priced.kind !== 'priced') return problemOf(priced);
  const amountMinor = Number(priced.amount);
  if (toMinor(body.expected_amount) !== amountMinor) {
    const remaining = fromMinor(billAmounts(state).remaining);
    return problem('bill_changed', { amount: fromMinor(amountMinor), remaining, version: bill.version });
  }
  const tipMinor = toMinor(body.tip ?? '0');
  const receivedMinor = body.received === undefined ? null : toMinor(body.received);
  if (receivedMinor !== null && receivedMinor < amountMinor + tipMinor) return problem('amount_too_small');
  return {
    id,
    method: body.method,
    status: 'paid',
    part: body.part,
    covers: priced.covers,
    amountMinor,
    tipMinor,
    receivedMinor,
    reference: body.reference ?? null,
    cashDrawer: body.method === 'cash' ? (body.cash_drawer ?? mainCashDrawer) : null,
    payer: null,
    expiresAt: null,
    claim: null,
    barredJtis: [],
    transferId: null,
    refundTransferId: null,
    pix: body.method === 'pix' ? unconfirmed : null,
    recordedBy,
    createdAt: now,
    settledAt: now,
    refundedAt: null,
    refund: null,
    request,
  };
}

/** Records a payment that staff have taken. */
export function recordPayment(
  given: BillWithOrders,
  { cashDrawers, ...input }: NewPayment & { cashDrawers: CashDrawers },
): BillDecision {
  const payment = priceOf(given, input);
  if (payment instanceof Problem) return payment;
  const { bill } = given;
  const { cashDrawer } = payment;
  if (cashDrawer !== null && !isActive(cashDrawers, cashDrawer)) return unknownDrawer('/cash_drawer');
  const entry = { kind: 'payment_recorded', paymentId: payment.id, amountMinor: payment.amountMinor } as const;
  return [{ bill: { ...bill, payments: [...bill.payments, payment] }, entry }];
}

type Refunding = {
  paymentId: number;
  inCash: boolean;
  cashDrawer: string | undefined;
  cashDrawers: CashDrawers;
  by: Actor;
  reason: string;
  now: Date;
};

/** Returns the cash drawer that got the payment; `main` if there is none or it is retired. */
const drawerToRefundFrom = ({ cashDrawer }: Payment, cashDrawers: CashDrawers): string =>
  cashDrawer !== null && isActive(cashDrawers, cashDrawer) ? cashDrawer : mainCashDrawer;
const drawerForCashOnly = (): Problem =>
  problem('unprocessable_content', { errors: [{ pointer: '/cash_drawer', detail: 'is for cash only' }] });

/**
 * Refunds a payment that staff recorded. The user who recorded the payment can refund it for `ownRefundMinutes`, while the bill
 * is open. A manager can refund any such payment at any time.
 */
export function refundPayment(
  { bill }: BillWithOrders,
  { paymentId, inCash, cashDrawer: named, cashDrawers, by, reason, now }: Refunding,
): BillDecision {
  const payment = bill.payments.find(({ id }) => id === paymentId);
  if (!payment) return problem('not_found');
  if (payment.method === 'account') return problem('refund_by_transfer');
  if (payment.pix && payment.pix.confirmedBy !== 'staff')
    return problem('refund_by_pix', { end_to_end_id: payment.pix.endToEndId });
  const isOwn = payment.recordedBy.id === by.id && now.getTime() - payment.createdAt.getTime() <= ownRefundMs;
  if (by.role !== 'manager' && !(isOwn && bill.status !== 'closed'))
    return problem('forbidden', {
      detail: `You can refund a payment that you recorded up to ${ownRefundMinutes} minutes ago, on an open bill. A manager can refund any.`,
    });
  const method = inCash ? 'cash' : payment.method;
  if (by.role !== 'manager' && method !== payment.method)
    return problem('forbidden', { detail: 'Only a manager can refund in cash what was paid in another way.' });
  if (payment.status !== 'paid') return problem('payment_not_payable', { payment_status: payment.status });
  const cashDrawer = method === 'cash' ? (named ?? drawerToRefundFrom(payment, cashDrawers)) : null;
  if (cashDrawer === null && named !== undefined) return drawerForCashOnly();
  if (cashDrawer !== null && !isActive(cashDrawers, cashDrawer)) return unknownDrawer('/cash_drawer');
  const payments = bill.payments.map((each): Payment =>
    each === payment
      ? {
          ...payment,
          status: 'refunded',
          refundedAt: refundTime(bill, now),
          refund: { method, cashDrawer, reason, by },
        }
      : each,
  );
  const { amountMinor } = payment;
  const entry = { kind: 'payment_refunded', paymentId, amountMinor } as const;
  return [{ bill: { ...bill, payments }, entry, exception: { kind: 'refunded', amountMinor } }];
}
