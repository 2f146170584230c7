import { problem } from '@comanda/contracts/problem';
import type { AccountPayment } from '@comanda/contracts/internal';
import { fromMinor, type Currency } from '@comanda/contracts/money';
import type { SensitiveCall } from '@comanda/shared/http/step-up';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Minor } from '../money.ts';
import type { JournalStore } from '../transfers/journal-store.ts';
import { readStepUpToken } from '../transfers/step-up-token.ts';
import type { TransferTerms } from '../transfers/transfer.ts';
import type { Orders } from './ask-orders.ts';
import { isPayable, purposeOf } from './attempt.ts';

type Sum = { paymentId: number; amountMinor: Minor; currency: Currency };
/** A customer's request to make a payment that they have reserved. */
type BillPayment = { kind: 'bill_payment'; fromId: number } & Sum;
/** A manager's request to refund a payment. */
type BillRefund = { kind: 'bill_refund' } & Sum;
export type BillTransferRequest = BillPayment | BillRefund;
export type CheckBillRequestDeps = {
  directory: AccountDirectory;
  accounts: Pick<AccountStore, 'getTakingsAccount'>;
  journal: Pick<JournalStore, 'findBillTransfers'>;
  orders: Pick<Orders, 'getPayment'>;
  clock: Clock;
};
type Input<R extends BillTransferRequest> = { call: SensitiveCall; request: R };

/**
 * Checks a request's accounts and payment, but not the balance. A payment goes to the takings account, and a refund goes back to
 * the account that paid.
 * @throws 404 `account_not_found`, `not_found`; 403 `forbidden`; 409 `payment_not_payable`; 422 `currency_mismatch`,
 * `amount_mismatch`; 503 `service_unavailable` if the orders service does not respond
 */
export function checkBillRequest(
  deps: CheckBillRequestDeps,
  { call, request }: Input<BillTransferRequest>,
): Promise<TransferTerms> {
  return request.kind === 'bill_payment' ? checkPayment(deps, { call, request }) : checkRefund(deps, { call, request });
}

async function checkPayment(deps: CheckBillRequestDeps, { call, request }: Input<BillPayment>): Promise<TransferTerms> {
  const { userId } = call.caller;
  const payer = await deps.directory.find(request.fromId);
  if (!payer || payer.ownerId !== userId) throw problem('account_not_found');
  if (payer.currency !== request.currency) throw problem('currency_mismatch');
  const payment = await deps.orders.getPayment(request.paymentId, call);
  if (payment.payer_id !== userId) throw problem('not_found');
  checkPayable(payment, { call, request });
  const takings = await deps.accounts.getTakingsAccount(request.currency, new Date(deps.clock()));
  return { ...request, toId: takings.id, description: null };
}

async function checkRefund(deps: CheckBillRequestDeps, { call, request }: Input<BillRefund>): Promise<TransferTerms> {
  const payment = await deps.orders.getPayment(request.paymentId, call);
  if (payment.payer_id === call.caller.userId)
    throw problem('forbidden', { detail: "You can't refund your own payment. Ask another manager." });
  checkPayable(payment, { call, request });
  const [paid] = await deps.journal.findBillTransfers(request.paymentId);
  if (!paid) throw problem('not_found', { detail: "This payment wasn't made from an account." });
  if (paid.amountMinor !== request.amountMinor)
    throw problem('amount_mismatch', { total: fromMinor(paid.amountMinor) });
  return { ...request, fromId: paid.toId, toId: paid.fromId, description: null };
}

function checkPayable(payment: AccountPayment, { call, request }: Input<BillTransferRequest>): void {
  const jti = readStepUpToken(call.header('x-step-up-token'))?.jti;
  if (!isPayable(payment, { purpose: purposeOf(request.kind), jti }))
    throw problem('payment_not_payable', { payment_status: payment.status });
  if (payment.currency !== request.currency) throw problem('currency_mismatch');
  if (payment.total !== fromMinor(request.amountMinor)) throw problem('amount_mismatch', { total: payment.total });
}
