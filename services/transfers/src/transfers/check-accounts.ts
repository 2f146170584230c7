import { problem } from '@comanda/contracts/problem';
import type { Currency } from '@comanda/contracts/money';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Minor } from '../money.ts';
import type { TransferTerms } from './transfer.ts';

/** What a client asks for. */
export type TransferRequest = InternalTransfer | AccountDeposit;
type InternalTransfer = {
  kind: 'internal_transfer';
  fromId: number;
  toId: number;
  amountMinor: Minor;
  /** Undefined: the currency of the payer's account. */
  currency: Currency | undefined;
  description: string | null;
};
type AccountDeposit = {
  kind: 'account_deposit';
  toId: number;
  amountMinor: Minor;
  /** Undefined: the currency of the account. */
  currency: Currency | undefined;
};

export type CheckAccountsDeps = {
  directory: AccountDirectory;
  accounts: Pick<AccountStore, 'getCashAccount'>;
  clock: Clock;
};

/**
 * The terms of `request`, if its accounts allow it. Their balances are not checked.
 * @throws 404 `account_not_found`; 422 `same_account`, `currency_mismatch`
 */
export function checkAccounts(
  deps: CheckAccountsDeps,
  { userId, request }: { userId: number; request: TransferRequest },
): Promise<TransferTerms> {
  return request.kind === 'internal_transfer' ? checkTransfer(deps, userId, request) : checkDeposit(deps, request);
}

/** The payer must be an account of the user, and both accounts must have the same currency. */
async function checkTransfer(
  { directory }: CheckAccountsDeps,
  userId: number,
  { kind, fromId, toId, amountMinor, currency: requested, description }: InternalTransfer,
): Promise<TransferTerms> {
  const [payer, payee] = await Promise.all([directory.find(fromId), directory.find(toId)]);
  if (!payer || payer.ownerId !== userId || !payee) throw problem('account_not_found');
  if (fromId === toId) throw problem('same_account');
  const { currency } = payer;
  if (payee.currency !== currency || (requested ?? currency) !== currency) throw problem('currency_mismatch');
  return { kind, fromId, toId, amountMinor, currency, description, paymentId: null };
}

/** A deposit is paid by the restaurant's cash account, which becomes negative. */
async function checkDeposit(
  { directory, accounts, clock }: CheckAccountsDeps,
  { kind, toId, amountMinor, currency: requested }: AccountDeposit,
): Promise<TransferTerms> {
  const payee = await directory.find(toId);
  if (!payee) throw problem('account_not_found');
  const { currency } = payee;
  if ((requested ?? currency) !== currency) throw problem('currency_mismatch');
  const cash = await accounts.getCashAccount(currency, new Date(clock()));
  return { kind, fromId: cash.id, toId, amountMinor, currency, description: null, paymentId: null };
}
