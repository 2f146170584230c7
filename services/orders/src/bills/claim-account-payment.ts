import type * as contract from '@comanda/contracts/internal';
import type { AccountPayment } from '@comanda/contracts/internal';
import { problem, type Problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import { toMinor } from '../money.ts';
import { claimPayment, findAccountPayment } from './account-payment.ts';
import type { BillStore } from './bill-store.ts';
import type { Payment } from './bill.ts';
import { toAccountPayment } from './get-account-payment.ts';
import { enterChanged, type BillWriter } from '../batch/decide-bill-change.ts';

export type ClaimDeps = { bills: Pick<BillStore, 'findIdOfPayment'>; writer: BillWriter };
type ClaimCall = Call<typeof contract.claimAccountPayment>;

/**
 * `POST /internal/bill-payments/{id}/claim`: transfers holds a payment for one step-up token before it posts. The payer
 * claims a reservation; a manager claims what is to be given back, but not of their own.
 * @throws 403 `forbidden`; 404 `not_found`; 409 `payment_not_payable`; 422 `amount_mismatch`, `currency_mismatch`
 */
export async function claimAccountPayment({ bills, writer }: ClaimDeps, call: ClaimCall): Promise<AccountPayment> {
  const { params, body, caller, context: request } = call;
  const { id } = params;
  const billId = await bills.findIdOfPayment(id);
  if (billId === null) throw problem('not_found');
  const claim = {
    purpose: body.purpose,
    jti: body.jti,
    tokenExpiresAt: new Date(body.token_expires_at),
    totalMinor: toMinor(body.total),
    currency: body.currency,
  };
  const by = { id: caller.userId, name: caller.name, role: caller.role };
  const context = { actor: by, traceparent: request.traceparent };
  const { written } = await writer.changeBill({
    billId,
    context,
    request: null,
    apply: (state, work) => {
      const payment = findAccountPayment(work.bill, id);
      const refusal = refuseClaimant(payment, call);
      if (!payment || refusal) return refusal ?? problem('not_found');
      const changed = claimPayment(work.bill, { payment, request: claim, by, now: state.now });
      return enterChanged(state, { work, changed, context });
    },
  });
  return toAccountPayment(written, id);
}

function refuseClaimant(payment: Payment | null, { body: { purpose }, caller }: ClaimCall): Problem | null {
  const isPayer = payment?.payer?.id === caller.userId;
  if (purpose === 'payment') return isPayer ? null : problem('not_found');
  if (caller.role !== 'manager') return problem(isPayer ? 'forbidden' : 'not_found');
  return isPayer ? problem('forbidden') : null;
}
