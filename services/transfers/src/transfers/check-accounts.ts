import { problem } from '@comanda/contracts/problem';
import type { Currency } from '@comanda/contracts/transfers';
import type { AuthorizationDetails } from '@comanda/contracts/security';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Minor } from '../money.ts';
import { detailsOf } from './check-consent.ts';
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
type AccountDeposit = { kind: 'account_deposit'; toId: number; amountMinor: Minor };

/** The terms of a transfer that its accounts allow. `details` is what its step-up token may be bound to [RFC 9396]. */
export type CheckedTransfer = { terms: TransferTerms; details: AuthorizationDetails };
export type CheckAccountsDeps = {
  directory: AccountDirectory;
  accounts: Pick<AccountStore, 'getCashAccount'>;
  clock: Clock;
};

/**
 * Checks the accounts of `request`, not their balances.
 * @throws 404 `account_not_found`; 422 `same_account`, `currency_mismatch`
 */
export function checkAccounts(
  deps: CheckAccountsDeps,
  { userId, request }: { userId: number; request: TransferRequest },
): Promise<CheckedTransfer> {
  return request.kind === 'internal_transfer' ? checkTransfer(deps, userId, request) : checkDeposit(deps, request);
}

/** The payer must be an account of the user, and both accounts must have the same currency. */
async function checkTransfer(
  { directory }: CheckAccountsDeps,
  userId: number,
  { kind, fromId, toId, amountMinor, currency: requested, description }: InternalTransfer,
): Promise<CheckedTransfer> {
  const [payer, payee] = await Promise.all([directory.find(fromId), directory.find(toId)]);
  if (!payer || payer.ownerId !== userId || !payee) throw problem('account_not_found');
  if (fromId === toId) throw problem('same_account');
  const { currency } = payer;
  if (payee.currency !== currency || (requested ?? currency) !== currency) throw problem('currency_mismatch');
  const terms = { kind, fromId, toId, amountMinor, currency, description, paymentId: null };
  return { terms, details: [detailsOf(terms)] };
}

/** A deposit is paid by the restaurant's cash account, which becomes negative. */
async function checkDeposit(
  { directory, accounts, clock }: CheckAccountsDeps,
  { kind, toId, amountMinor }: AccountDeposit,
): Promise<CheckedTransfer> {
  const payee = await directory.find(toId);
  if (!payee) throw problem('account_not_found');
  const { currency } = payee;
  const cash = await accounts.getCashAccount(currency, new Date(clock()));
  const terms = { kind, fromId: cash.id, toId, amountMinor, currency, description: null, paymentId: null };
  return { terms, details: [detailsOf(terms)] };
}
