import type * as contract from '@comanda/contracts/internal';
import type { AccountPayment } from '@comanda/contracts/internal';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import { fromMinor } from '../money.ts';
import { findAccountPayment } from './account-payment.ts';
import type { BillStore } from './bill-store.ts';
import type { BillWithOrders } from './bill.ts';
import { withoutOverdue, type ExpireDeps } from './expire-reservations.ts';

export type GetAccountPaymentDeps = ExpireDeps & { bills: Pick<BillStore, 'find' | 'findIdOfPayment'> };

/**
 * `GET /internal/bill-payments/{id}`, called by the transfers service. A reservation that has run out is `expired`.
 * @throws 404 `not_found` unless the caller is its payer or a manager
 */
export async function getAccountPayment(
  deps: GetAccountPaymentDeps,
  { params: { id }, caller, context }: Call<typeof contract.getAccountPayment>,
): Promise<AccountPayment> {
  const billId = await deps.bills.findIdOfPayment(id);
  const found = billId === null ? null : await deps.bills.find(billId);
  const payer = found && findAccountPayment(found.bill, id)?.payer;
  if (!found || !(payer?.id === caller.userId || caller.role === 'manager')) throw problem('not_found');
  return toAccountPayment(await withoutOverdue(deps, found, context), id);
}

/** @throws 404 `not_found` if the bill has no account payment with this id */
export function toAccountPayment({ bill }: BillWithOrders, id: number): AccountPayment {
  const payment = findAccountPayment(bill, id);
  if (!payment?.payer) throw problem('not_found');
  const { claim } = payment;
  return {
    id,
    bill_id: bill.id,
    status: payment.status,
    total: fromMinor(payment.amountMinor + payment.tipMinor),
    currency: bill.currency,
    payer_id: payment.payer.id,
    transfer_id: payment.transferId,
    claim: claim && { purpose: claim.purpose, jti: claim.jti },
  };
}
