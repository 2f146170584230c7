import type * as contract from '@comanda/contracts/bills';
import type { BillPayment } from '@comanda/contracts/bills';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { toMinor } from '../../money.ts';
import type { ChangeContext } from '../order-events.ts';
import { enterBill } from './bill-batch.ts';
import { putDiscounts, takeDiscounts } from './bill-of-order.ts';
import { recordPayment, refundPayment } from './bill-payments.ts';
import { closeBill, giveDiscount, refuseMerge, reopenBill, setServiceCharge, takeDiscountAway } from './bill-rules.ts';
import { mayRead, toPaymentResponse, type BillWithOrders, type Payment } from './bill.ts';
import { enterChanged, relocate, type BillChangeRequest, type BillWriter, type WrittenBill } from './write-bill.ts';

export type ChangeBillDeps = { writer: BillWriter };
type AnyCall = Pick<Call<typeof contract.closeBill>, 'caller' | 'context' | 'header' | 'idempotency'> & {
  params: { id: number };
};

/** Refuses with 412 if `If-Match` was sent and the bill has another version by now. */
function refuseByTag({ bill }: BillWithOrders, { header }: AnyCall): Problem | null {
  const sent = header('If-Match');
  if (sent === undefined || sent.trim() === '*') return null;
  const isMatch = sent.split(',').some((tag) => tag.trim().startsWith(`"${bill.id}-${bill.version}-`));
  return isMatch ? null : problem('version_mismatch');
}

const contextOf = ({ caller, context }: AnyCall, reason?: string): ChangeContext => ({
  actor: { id: caller.userId, name: caller.name, role: caller.role },
  traceparent: context.traceparent,
  ...(reason !== undefined && { reason }),
});
/** Stored keys are unique for their user. */
const requestOf = ({ caller, idempotency }: AnyCall): IdempotentRequest | null =>
  idempotency && { ...idempotency, key: `${caller.userId}/${idempotency.key}` };

type Change = Omit<BillChangeRequest, 'billId' | 'context' | 'request'> & { reason?: string };

function changeBill(
  { writer }: ChangeBillDeps,
  call: AnyCall,
  { reason, apply, ...change }: Change,
): Promise<WrittenBill> {
  return writer.changeBill({
    ...change,
    billId: call.params.id,
    context: contextOf(call, reason),
    request: requestOf(call),
    apply: (state, work) => {
      if (!mayRead(work, call.caller)) return problem('not_found');
      return refuseByTag(work, call) ?? apply(state, work);
    },
  });
}

/** `POST /bills/{id}/discounts` */
export function giveBillDiscount(deps: ChangeBillDeps, call: Call<typeof contract.giveDiscount>): Promise<WrittenBill> {
  const { body, caller } = call;
  const request = requestOf(call);
  const discount = {
    lineId: body.line_id ?? null,
    percent: body.percent ?? null,
    amountMinor: body.amount === undefined ? null : toMinor(body.amount),
    label: body.label ?? null,
    isTakenAway: false,
    request,
  };
  const { reason } = body;
  return changeBill(deps, call, {
    reason,
    apply: (state, work) => {
      const limit = caller.role === 'manager' ? null : state.bills.settings.waiterDiscountLimit;
      const changed = giveDiscount(work, { discount, limit });
      return enterChanged(state, { work, changed, context: contextOf(call, reason) });
    },
  });
}

/** `DELETE /bills/{id}/discounts/{discount_id}` */
export const takeBillDiscountAway = (
  deps: ChangeBillDeps,
  call: Call<typeof contract.takeDiscountAway>,
): Promise<WrittenBill> =>
  changeBill(deps, call, {
    apply: (state, work) => {
      const changed = takeDiscountAway(work, call.params.discount_id);
      return enterChanged(state, { work, changed, context: contextOf(call) });
    },
  });

/** `PUT /bills/{id}/service-charge` */
export const setBillServiceCharge = (
  deps: ChangeBillDeps,
  call: Call<typeof contract.setServiceCharge>,
): Promise<WrittenBill> =>
  changeBill(deps, call, {
    apply: (state, work) => {
      const isGuest = call.caller.role === 'customer';
      if (isGuest && !state.bills.settings.serviceCharge.optional) return problem('forbidden');
      const changed = setServiceCharge(work, call.body.included);
      return enterChanged(state, { work, changed, context: contextOf(call) });
    },
  });

/** `PUT /bills/{id}/table`: the bill and its orders that are not delivered go to another table. */
export const moveBill = (deps: ChangeBillDeps, call: Call<typeof contract.setBillTable>): Promise<WrittenBill> =>
  changeBill(deps, call, {
    apply: (state, work) => {
      const { table } = call.body;
      const context = contextOf(call);
      if (work.bill.status !== 'open') return problem('bill_not_open');
      const stays = work.orders.filter(({ status }) => status === 'delivered' || status === 'cancelled');
      const moved = relocate(state, {
        orders: work.orders.filter((order) => !stays.includes(order)),
        to: { table },
        context,
      });
      if (work.bill.table === table && moved.every((order) => work.orders.includes(order))) return work;
      const bill = { ...work.bill, table };
      enterBill(work, { bill, orders: [...stays, ...moved], entry: { kind: 'table' }, context, now: state.now });
      return work;
    },
  });

/** `POST /bills/{id}/merge`: the other bill gets the lines of this one. A repetition changes nothing. */
export function mergeBills(deps: ChangeBillDeps, call: Call<typeof contract.mergeBill>): Promise<WrittenBill> {
  const { into: intoId } = call.body;
  if (intoId === call.params.id) {
    const errors = [{ pointer: '/into', detail: 'must be another bill' }];
    throw problem('validation_failed', { errors });
  }
  const context = contextOf(call);
  return changeBill(deps, call, {
    otherId: intoId,
    apply: (state, work) => {
      const into = state.bills.byId.get(intoId);
      if (!into) return problem('not_found');
      if (work.bill.mergedInto === intoId) return into;
      const refusal = refuseMerge(work, into);
      if (refusal) return refusal;
      const { now } = state;
      const { seating } = work.bill;
      const moved = relocate(state, {
        orders: work.orders,
        to: { seating: into.bill.seating, billId: intoId },
        context,
      });
      const lineIds = new Set(work.orders.flatMap(({ items }) => items.map(({ id }) => id)));
      const { moved: discounts } = takeDiscounts(work.bill, lineIds);
      const from = { ...work.bill, status: 'merged' as const, mergedInto: intoId, discounts: [] };
      enterBill(work, { bill: from, orders: [], entry: { kind: 'merged' }, context, now });
      if (seating !== null) state.bills.openBySeating.delete(seating);
      const entry = { kind: 'merged', ...(seating !== null && { fromSeating: seating }) } as const;
      const orders = [...into.orders, ...moved];
      enterBill(into, { bill: putDiscounts(into.bill, discounts), orders, entry, context, now });
      return into;
    },
  });
}

/** `POST /bills/{id}/close` */
export const closeOneBill = (deps: ChangeBillDeps, call: Call<typeof contract.closeBill>): Promise<WrittenBill> =>
  changeBill(deps, call, {
    needs: 'number',
    apply: (state, work) => {
      const number = state.counters.billNumber + 1;
      const changed = closeBill(work, { number, now: state.now });
      const closed = enterChanged(state, { work, changed, context: contextOf(call) });
      if (work.bill.number === number) state.counters = { ...state.counters, billNumber: number };
      return closed;
    },
  });

/** `POST /bills/{id}/reopen` */
export const reopenOneBill = (deps: ChangeBillDeps, call: Call<typeof contract.reopenBill>): Promise<WrittenBill> =>
  changeBill(deps, call, {
    needs: 'newest',
    reason: call.body.reason,
    apply: (state, work) => {
      const { id, seating } = work.bill;
      const newest = seating === null ? id : (state.bills.newestBySeating.get(seating) ?? id);
      const hasOpen = seating !== null && (state.bills.openBySeating.get(seating) ?? id) !== id;
      const changed = reopenBill(work, newest > id || hasOpen);
      return enterChanged(state, { work, changed, context: contextOf(call, call.body.reason) });
    },
  });

type PaymentReply = { payment: BillPayment; replayed: boolean };
const replyWith = (payment: Payment, billId: number, replayed: boolean): PaymentReply => ({
  payment: toPaymentResponse(payment, billId, { isStaff: true }),
  replayed,
});
/** The payment as it was recorded, for the answer to a repeated request. */
const asRecorded = (payment: Payment): Payment => ({
  ...payment,
  status: 'paid',
  settledAt: payment.createdAt,
  refundedAt: null,
});

/** `POST /bills/{id}/payments`: what staff have taken in cash, by card or in another way. */
export async function payBillByHand(deps: ChangeBillDeps, call: Call<typeof contract.payBill>): Promise<PaymentReply> {
  const { body } = call;
  if (body.received !== undefined && body.method !== 'cash') {
    const errors = [{ pointer: '/received', detail: 'is for cash only' }];
    throw problem('validation_failed', { errors });
  }
  const request = requestOf(call);
  const context = contextOf(call);
  let id = 0;
  const { written, replayed } = await changeBill(deps, call, {
    needs: 'payment',
    apply: (state, work) => {
      id = state.counters.paymentId + 1;
      const payment = { id, body, recordedBy: context.actor, request, now: state.now };
      const recorded = enterChanged(state, { work, changed: recordPayment(work, payment), context });
      if (!(recorded instanceof Problem)) state.counters = { ...state.counters, paymentId: id };
      return recorded;
    },
  });
  const { bill } = written;
  const payment = bill.payments.find((each) => (replayed ? each.request?.key === request?.key : each.id === id));
  if (!payment) throw new Error('a recorded payment is not on its bill');
  return replyWith(replayed ? asRecorded(payment) : payment, bill.id, replayed);
}

/** `POST /bills/{id}/payments/{payment_id}/refund`: waiters while the bill is open, managers always. */
export async function refundByHand(
  deps: ChangeBillDeps,
  call: Call<typeof contract.refundBillPayment>,
): Promise<BillPayment> {
  const { payment_id: paymentId } = call.params;
  const { reason } = call.body;
  const { written } = await changeBill(deps, call, {
    reason,
    apply: (state, work) => {
      if (work.bill.status === 'closed' && call.caller.role !== 'manager') return problem('forbidden');
      const changed = refundPayment(work, { paymentId, now: state.now });
      return enterChanged(state, { work, changed, context: contextOf(call, reason) });
    },
  });
  return paymentOf(written, { paymentId, caller: call.caller });
}

/** @throws 404 `not_found` */
export function paymentOf(
  { bill }: BillWithOrders,
  { paymentId, caller }: { paymentId: number; caller: Caller },
): BillPayment {
  const payment = bill.payments.find(({ id }) => id === paymentId);
  if (!payment) throw problem('not_found');
  return toPaymentResponse(payment, bill.id, { isStaff: caller.role !== 'customer' });
}
