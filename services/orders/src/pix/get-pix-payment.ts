import type * as contract from '@comanda/contracts/pix-internal';
import type { PixPayment } from '@comanda/contracts/pix-internal';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { BillStore } from '../bills/bill-store.ts';
import { mayRead } from '../bills/bill.ts';
import { withoutOverdue, type ExpireDeps } from '../bills/expire-reservations.ts';
import { fromMinor } from '../money.ts';

export type GetPixPaymentDeps = ExpireDeps & { bills: Pick<BillStore, 'find' | 'findIdOfPayment'> };

/**
 * `GET /internal/pix-payments/{id}`, called by the transfers service for a user. A reservation that has run out is `expired`.
 * @throws 404 `not_found` unless the user can read the bill
 */
export async function getPixPayment(
  deps: GetPixPaymentDeps,
  { params: { id }, caller, context }: Call<typeof contract.getPixPayment>,
): Promise<PixPayment> {
  const billId = await deps.bills.findIdOfPayment(id, 'pix');
  const found = billId === null ? null : await deps.bills.find(billId);
  if (!found || !mayRead(found, caller)) throw problem('not_found');
  const { bill } = await withoutOverdue(deps, found, context);
  const payment = bill.payments.find((each) => each.id === id);
  if (!payment) throw problem('not_found');
  return {
    id,
    created_at: payment.createdAt.toISOString(),
    status: payment.status,
    total: fromMinor(payment.amountMinor + payment.tipMinor),
    currency: bill.currency,
    expires_at: payment.expiresAt?.toISOString() ?? null,
    confirmed_by: payment.pix?.confirmedBy ?? null,
  };
}
