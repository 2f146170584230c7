import { Problem } from '@comanda/contracts/problem';
import type { SensitiveCall } from '@comanda/shared/http/step-up';
import { findEarlierResult, lockRequest, type LockRequestDeps } from '../transfers/idempotency.ts';
import type { Ledger, TransferSlot } from '../transfers/ledger.ts';
import type { Posting } from '../transfers/post-batch.ts';
import { reply, type TransferReply } from '../transfers/reply.ts';
import { declareExpired, spendToken, type SpendTokenDeps } from '../transfers/spend-token.ts';
import type { ConsentedTransfer } from '../transfers/transfer.ts';
import { purposeOf, type Attempt } from './attempt.ts';
import { checkBillRequest, type BillTransferRequest, type CheckBillRequestDeps } from './check-bill-request.ts';
import { claimPayment, type ClaimPaymentDeps } from './claim-payment.ts';
import { settleNow, type SettleAttemptDeps } from './settle-attempt.ts';

export type PayBillDeps = LockRequestDeps &
  SpendTokenDeps &
  CheckBillRequestDeps &
  ClaimPaymentDeps &
  SettleAttemptDeps & { ledger: Pick<Ledger, 'reserve'> };
type Input = { call: SensitiveCall; request: BillTransferRequest };

/**
 * Pays a bill's payment from the user's account, or refunds a payment, with the same guarantees as `transferMoney`. The orders
 * service claims the payment for the user's token before the transfer is posted, and gets the result afterwards.
 * @throws the problems in the contract
 */
export async function payBillFromAccount(deps: PayBillDeps, { call, request }: Input): Promise<TransferReply> {
  using _ = await lockRequest(deps, call);
  const earlier = await findEarlierResult(deps, call);
  if (earlier) return reply(earlier, null);

  const terms = await checkBillRequest(deps, { call, request });
  using slot = await deps.ledger.reserve(call.caller.userId);
  const spent = await spendToken(deps, { call, terms });
  if (spent.kind === 'decided') return reply(spent.result, null);

  const { jti, expiresAtMs: tokenExpiresAtMs } = spent.transfer.consent;
  const attempt = { jti, paymentId: request.paymentId, purpose: purposeOf(request.kind), tokenExpiresAtMs };
  const refusal = await claimPayment(deps, { call, attempt, terms });
  const transfer = { ...spent.transfer, ...(refusal && { refusal }) };
  const posting = await postClaimed(deps, { slot, transfer, attempt });
  if (posting === 'too_late') return reply(await declareExpired(deps, { call, token: transfer.consent }), null);
  await settleNow(deps, { attempt, row: posting.row });
  return reply(posting, spent.consent);
}

type Claimed = { slot: TransferSlot; transfer: ConsentedTransfer; attempt: Attempt };

/**
 * Posts the transfer. If another token has already paid or refunded the payment, reports that to the orders service.
 * @throws 409 `payment_not_payable` if another token has paid or refunded the payment
 */
async function postClaimed(deps: SettleAttemptDeps, { slot, transfer, attempt }: Claimed): Promise<Posting> {
  try {
    return await slot.post(transfer);
  } catch (error) {
    if (error instanceof Problem && error.code === 'payment_not_payable') await settleNow(deps, { attempt, row: null });
    throw error;
  }
}
