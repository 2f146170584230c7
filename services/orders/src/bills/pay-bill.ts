import type * as contract from '@comanda/contracts/bill-payments';
import type { BillPayment, PaymentMethod } from '@comanda/contracts/bill-payments';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { asReserved } from './account-payment.ts';
import { toPaymentResponse } from './bill-response.ts';
import type { BillWithOrders, Payment } from './bill.ts';
import { changeFor, type ChangeBillDeps } from './change-bill.ts';

type PaymentReply = { payment: BillPayment; replayed: boolean };
type PayCall = Call<typeof contract.payBill>;

/**
 * `POST /bills/{id}/payments`: staff record a payment that they took in cash, by card or in another way. Customers reserve a part
 * of the bill, to pay it from their account. Anyone who may read the bill reserves a part of it to pay it by Pix.
 */
export async function payBill({ writer }: ChangeBillDeps, call: PayCall): Promise<PaymentReply> {
  refuseMethod(call);
  const { body, caller } = call;
  const kind = isReserved(body.method) ? 'reserve_payment' : 'record_payment';
  const { bill: written, replayed, paymentId } = await writer.write(changeFor(call, { kind, payment: body }));
  const { bill } = written;
  const payment = bill.payments.find(({ id }) => id === paymentId);
  if (!payment) throw new Error(`payment ${paymentId} is not on bill ${bill.id}`);
  const first = replayed ? asFirst(payment) : payment;
  return { payment: toPaymentResponse(first, bill.id, { isStaff: isStaff(caller) }), replayed };
}

const isReserved = (method: PaymentMethod): boolean => method === 'account' || method === 'pix';
const isStaff = ({ role }: Caller): boolean => role !== 'customer';

/** Checks that the caller may pay by this method. @throws 403 `forbidden`, `account_required`; 400 `validation_failed` */
function refuseMethod({ body: { method, received, reference, cash_drawer: drawer }, caller }: PayCall): void {
  if (method !== 'pix' && (method === 'account') === isStaff(caller)) throw problem('forbidden');
  if (method === 'account' && caller.guest) throw problem('account_required');
  const errors = [
    ...(received !== undefined && method !== 'cash' ? [{ pointer: '/received', detail: 'is for cash only' }] : []),
    ...(drawer !== undefined && method !== 'cash' ? [{ pointer: '/cash_drawer', detail: 'is for cash only' }] : []),
    ...(reference !== undefined && isReserved(method)
      ? [{ pointer: '/reference', detail: 'is for payments that staff record' }]
      : []),
  ];
  if (errors.length > 0) throw problem('validation_failed', { errors });
}

/** Returns the payment as it was recorded or reserved, for the response to a repeated request. */
const asFirst = (payment: Payment): Payment =>
  isReserved(payment.method)
    ? asReserved(payment)
    : { ...payment, status: 'paid', settledAt: payment.createdAt, refundedAt: null, refund: null };

/** `POST /bills/{id}/payments/{payment_id}/cancel`: cancels a reservation. Only the payer and staff may do so. */
export async function cancelPayment(
  { writer }: ChangeBillDeps,
  call: Call<typeof contract.cancelBillPayment>,
): Promise<BillPayment> {
  const { payment_id: paymentId } = call.params;
  const { bill } = await writer.write(changeFor(call, { kind: 'cancel_payment', paymentId }));
  return paymentOf(bill, { paymentId, caller: call.caller });
}

/** `POST /bills/{id}/payments/{payment_id}/refund`: refunds a payment that staff recorded. */
export async function refundByHand(
  { writer }: ChangeBillDeps,
  call: Call<typeof contract.refundBillPayment>,
): Promise<BillPayment> {
  const { payment_id: paymentId } = call.params;
  const { reason, method, cash_drawer: cashDrawer } = call.body;
  const change = { kind: 'refund_payment', paymentId, inCash: method === 'cash', cashDrawer, reason } as const;
  const { bill } = await writer.write(changeFor(call, change, reason));
  return paymentOf(bill, { paymentId, caller: call.caller });
}

/** @throws 404 `not_found` if the bill has no payment with this id */
export function paymentOf(
  { bill }: BillWithOrders,
  { paymentId, caller }: { paymentId: number; caller: Caller },
): BillPayment {
  const payment = bill.payments.find(({ id }) => id === paymentId);
  if (!payment) throw problem('not_found');
  return toPaymentResponse(payment, bill.id, { isStaff: isStaff(caller) });
}
