import type * as contract from '@comanda/contracts/bill-payments';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { BatchState } from '../batch/batch-state.ts';
import { asReserved, cancelReservation, reservePayment } from './account-payment.ts';
import { enterBill, type BillWork } from '../batch/record-bill-change.ts';
import { recordPayment, refundPayment, type NewPayment } from './bill-payments.ts';
import { toPaymentResponse, type BillWithOrders, type Payment } from './bill.ts';
import { changeBill, contextOf, requestOf, type ChangeBillDeps } from './change-bill.ts';
import { enterChanged } from '../batch/decide-bill-change.ts';

type PaymentReply = { payment: BillPayment; replayed: boolean };
type PayCall = Call<typeof contract.payBill>;

/**
 * `POST /bills/{id}/payments`: staff record what they have taken in cash, by card or in another way. A customer reserves
 * what they pay from their account.
 */
export async function payBill(deps: ChangeBillDeps, call: PayCall): Promise<PaymentReply> {
  const { body, caller } = call;
  refuseMethod(call);
  const request = requestOf(call);
  const context = contextOf(call);
  let id = 0;
  const { written, replayed } = await changeBill(deps, call, {
    needs: 'payment',
    apply: (state, work) => {
      id = state.counters.paymentId + 1;
      const payment = { id, body, recordedBy: context.actor, request, now: state.now };
      const enter = body.method === 'account' ? enterReservation : enterRecorded;
      const entered = enter(state, { work, payment, call });
      if (!(entered instanceof Problem)) state.counters = { ...state.counters, paymentId: id };
      return entered;
    },
  });
  const { bill } = written;
  const payment = bill.payments.find((each) => (replayed ? each.request?.key === request?.key : each.id === id));
  if (!payment) throw new Error('a recorded payment is not on its bill');
  const asFirst = replayed ? asFirstAnswered(payment) : payment;
  return { payment: toPaymentResponse(asFirst, bill.id, { isStaff: isStaff(caller) }), replayed };
}

const isStaff = ({ role }: Caller): boolean => role !== 'customer';

/** @throws 403 `forbidden`, `account_required`; 400 `validation_failed` */
function refuseMethod({ body: { method, received, reference }, caller }: PayCall): void {
  const byAccount = method === 'account';
  if (byAccount === isStaff(caller)) throw problem('forbidden');
  if (byAccount && caller.guest) throw problem('account_required');
  const pointer = received !== undefined && method !== 'cash' ? '/received' : '/reference';
  if (pointer === '/reference' && (!byAccount || reference === undefined)) return;
  const detail = pointer === '/received' ? 'is for cash only' : 'is for staff only';
  throw problem('validation_failed', { errors: [{ pointer, detail }] });
}

type Entering = { work: BillWork; payment: NewPayment; call: PayCall };

const enterRecorded = (state: BatchState, { work, payment, call }: Entering): BillWork | Problem =>
  enterChanged(state, { work, changed: recordPayment(work, payment), context: contextOf(call) });

function enterReservation({ now }: BatchState, { work, payment, call }: Entering): BillWork | Problem {
  const { userId: id, name } = call.caller;
  const changes = reservePayment(work, { ...payment, payer: { id, name } });
  if (changes instanceof Problem) return changes;
  for (const change of changes) enterBill(work, { ...change, context: contextOf(call), now });
  return work;
}

/** The payment as it was recorded or reserved, for the answer to a repeated request. */
const asFirstAnswered = (payment: Payment): Payment =>
  payment.method === 'account'
    ? asReserved(payment)
    : { ...payment, status: 'paid', settledAt: payment.createdAt, refundedAt: null, refund: null };

/** `POST /bills/{id}/payments/{payment_id}/cancel`: the payer, or staff, gives a reservation up. */
export async function cancelPayment(
  deps: ChangeBillDeps,
  call: Call<typeof contract.cancelBillPayment>,
): Promise<BillPayment> {
  const { caller } = call;
  const { payment_id: paymentId } = call.params;
  const { written } = await changeBill(deps, call, {
    apply: (state, work) => {
      const payment = work.bill.payments.find(({ id }) => id === paymentId);
      if (!payment || !(isStaff(caller) || payment.payer?.id === caller.userId)) return problem('not_found');
      const changed = cancelReservation(work.bill, { payment, now: state.now });
      return enterChanged(state, { work, changed, context: contextOf(call) });
    },
  });
  return paymentOf(written, { paymentId, caller });
}
/** `POST /bills/{id}/payments/{payment_id}/refund` */
export async function refundByHand(
  deps: ChangeBillDeps,
  call: Call<typeof contract.refundBillPayment>,
): Promise<BillPayment> {
  const { payment_id: paymentId } = call.params;
  const { reason, method } = call.body;
  const { written } = await changeBill(deps, call, {
    reason,
    apply: (state, work) => {
      const context = contextOf(call, reason);
      const refund = { paymentId, inCash: method === 'cash', by: context.actor, reason, now: state.now };
      return enterChanged(state, { work, changed: refundPayment(work, refund), context });
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
  return toPaymentResponse(payment, bill.id, { isStaff: isStaff(caller) });
}
