import { problem } from '@comanda/contracts/problem';
import type { Currency } from '@comanda/contracts/money';
import type { SensitiveCall } from '@comanda/shared/http/step-up';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Minor } from '../money.ts';
import { findEarlierResult, lockRequest, type LockRequestDeps } from './idempotency.ts';
import type { Ledger } from './ledger.ts';
import { reply, type TransferReply } from './reply.ts';
import { declareExpired, spendToken, type SpendTokenDeps } from './spend-token.ts';
import type { TransferTerms } from './transfer.ts';

export type AccountDeposit = {
  kind: 'account_deposit';
  toId: number;
  amountMinor: Minor;
  /** The deposit's currency; if undefined, the account's currency. */
  currency: Currency | undefined;
};
type CheckDepositDeps = {
  directory: AccountDirectory;
  accounts: Pick<AccountStore, 'getCashAccount'>;
  clock: Clock;
};
export type DepositDeps = LockRequestDeps & SpendTokenDeps & CheckDepositDeps & { ledger: Pick<Ledger, 'reserve'> };
type Input = { call: SensitiveCall; request: AccountDeposit };

/**
 * Deposits cash into an account, with the same guarantees as `transferMoney`.
 * @throws the problems in the contract
 */
export async function deposit(deps: DepositDeps, { call, request }: Input): Promise<TransferReply> {
  using _ = await lockRequest(deps, call);
  const earlier = await findEarlierResult(deps, call);
  if (earlier) return reply(earlier, null);

  const terms = await checkDeposit(deps, request);
  using slot = await deps.ledger.reserve(call.caller.userId);
  const spent = await spendToken(deps, { call, terms });
  if (spent.kind === 'decided') return reply(spent.result, null);

  const posting = await slot.post(spent.transfer);
  const result = posting === 'too_late' ? await declareExpired(deps, { call, token: spent.transfer.consent }) : posting;
  return reply(result, spent.consent);
}

/**
 * Returns the deposit's terms. The payer is the restaurant's cash account, whose balance becomes negative.
 * @throws 404 `account_not_found`; 422 `currency_mismatch`
 */
export async function checkDeposit(
  { directory, accounts, clock }: CheckDepositDeps,
  request: AccountDeposit,
): Promise<TransferTerms> {
  const payee = await directory.find(request.toId);
  if (!payee) throw problem('account_not_found');
  const { currency } = payee;
  if ((request.currency ?? currency) !== currency) throw problem('currency_mismatch');
  const cash = await accounts.getCashAccount(currency, new Date(clock()));
  return { ...request, fromId: cash.id, currency, description: null, paymentId: null };
}
