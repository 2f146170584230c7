import type * as contract from '@comanda/contracts/internal';
import type { AccountPayment } from '@comanda/contracts/internal';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { OrderWriter } from '../batch/order-writer.ts';
import { contextOf } from '../change-context.ts';
import { toMinor } from '../money.ts';
import type { BillStore } from './bill-store.ts';
import { toAccountPayment } from './get-account-payment.ts';

export type ClaimDeps = { bills: Pick<BillStore, 'findIdOfPayment'>; writer: Pick<OrderWriter, 'write'> };

/**
 * `POST /internal/bill-payments/{id}/claim`: the transfers service claims a payment for one step-up token before it moves the
 * money. Only the payer can claim a reservation. Only a manager can claim a refund, and not of a payment of their own.
 * @throws 403 `forbidden`; 404 `not_found`; 409 `payment_not_payable`; 422 `amount_mismatch`, `currency_mismatch`
 */
export async function claimAccountPayment(
  { bills, writer }: ClaimDeps,
  call: Call<typeof contract.claimAccountPayment>,
): Promise<AccountPayment> {
  const { body } = call;
  const { id: paymentId } = call.params;
  const billId = await bills.findIdOfPayment(paymentId);
  if (billId === null) throw problem('not_found');
  const claim = {
    purpose: body.purpose,
    jti: body.jti,
    tokenExpiresAt: new Date(body.token_expires_at),
    totalMinor: toMinor(body.total),
    currency: body.currency,
  };
  const written = await writer.write({
    kind: 'change_bill',
    context: contextOf(call),
    request: null,
    billId,
    reader: null,
    ifMatch: undefined,
    change: { kind: 'claim_payment', paymentId, claim },
  });
  return toAccountPayment(written.bill, paymentId);
}
