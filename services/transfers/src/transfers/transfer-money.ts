import { problem } from '@comanda/contracts/problem';
import type { Currency } from '@comanda/contracts/money';
import type { SensitiveCall } from '@comanda/shared/http/step-up';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import type { Minor } from '../money.ts';
import { findEarlierResult, lockRequest, type LockRequestDeps } from './idempotency.ts';
import type { Ledger } from './ledger.ts';
import { reply, type TransferReply } from './reply.ts';
import { declareExpired, spendToken, type SpendTokenDeps } from './spend-token.ts';
import type { TransferTerms } from './transfer.ts';

export type InternalTransfer = {
  kind: 'internal_transfer';
  fromId: number;
  toId: number;
  amountMinor: Minor;
  /** The transfer's currency; if undefined, the payer's currency. */
  currency: Currency | undefined;
  description: string | null;
};
export type TransferMoneyDeps = LockRequestDeps &
  SpendTokenDeps & { directory: AccountDirectory; ledger: Pick<Ledger, 'reserve'> };
type Input = { call: SensitiveCall; request: InternalTransfer };

/**
 * Transfers money from one of the user's accounts. A token takes effect only once, and all requests with one idempotency key get
 * one result. A request that is rejected before its token is spent can be repeated with the same token. After that, the transfer
 * is retried until it is decided or the token expires, even if its caller has got a 503.
 * @throws the problems in the contract
 */
export async function transferMoney(deps: TransferMoneyDeps, { call, request }: Input): Promise<TransferReply> {
  const { userId } = call.caller;
  using _ = await lockRequest(deps, call);
  const earlier = await findEarlierResult(deps, call);
  if (earlier) return reply(earlier, null);

  const terms = await checkTransfer(deps, { userId, request });
  using slot = await deps.ledger.reserve(userId);
  const spent = await spendToken(deps, { call, terms });
  if (spent.kind === 'decided') return reply(spent.result, null);

  const posting = await slot.post(spent.transfer);
  const result = posting === 'too_late' ? await declareExpired(deps, { call, token: spent.transfer.consent }) : posting;
  return reply(result, spent.consent);
}

/**
 * Returns the transfer's terms. The payer must be one of the user's accounts, and both accounts must have the same currency. The
 * balance is not checked here.
 * @throws 404 `account_not_found`; 422 `same_account`, `currency_mismatch`
 */
export async function checkTransfer(
  { directory }: Pick<TransferMoneyDeps, 'directory'>,
  { userId, request }: { userId: number; request: InternalTransfer },
): Promise<TransferTerms> {
  const { fromId, toId } = request;
  const [payer, payee] = await Promise.all([directory.find(fromId), directory.find(toId)]);
  if (!payer || payer.ownerId !== userId || !payee) throw problem('account_not_found');
  if (fromId === toId) throw problem('same_account');
  const { currency } = payer;
  if (payee.currency !== currency || (request.currency ?? currency) !== currency) throw problem('currency_mismatch');
  return { ...request, currency, paymentId: null };
}
