import { problem } from '@comanda/contracts/problems';
import type { BodyOf } from '@comanda/contracts/endpoint';
import type { Currency } from '@comanda/contracts/transfers';
import type { transferMoney } from '@comanda/contracts/transfers';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import type { Account } from '../accounts/account.ts';
import { fromMinor, toMinor } from '../money.ts';
import type { Request } from './post-once.ts';

/**
 * What a transfer asks for, if nothing speaks against it.
 * @throws 404 `account_not_found`; 422 `same_account`, `currency_mismatch`
 */
export async function checkTransfer(
  directory: AccountDirectory,
  { userId, body }: { userId: number; body: BodyOf<typeof transferMoney> },
): Promise<Request> {
  const { from_account_id: fromId, to_account_id: toId, description = null } = body;
  const [payer, payee] = await Promise.all([directory.find(fromId), directory.find(toId)]);
  if (!payer || payer.ownerId !== userId || !payee) throw problem('account_not_found');
  if (fromId === toId) throw problem('same_account');
  const { currency } = payer;
  if (payee.currency !== currency || (body.currency ?? currency) !== currency) throw problem('currency_mismatch');
  const amountMinor = toMinor(body.amount);
  return {
    wish: { kind: 'internal_transfer', fromId, toId, amountMinor, currency, description },
    details: [{ type: 'internal_transfer', to_account_id: toId, amount: fromMinor(amountMinor), currency }],
  };
}

/**
 * What a deposit asks for: money from the house's cash, which owes it then.
 * @throws 404 `account_not_found`
 */
export async function checkDeposit(
  { directory, cash }: { directory: AccountDirectory; cash: (currency: Currency) => Promise<Account> },
  { accountId, amount }: { accountId: number; amount: string },
): Promise<Request> {
  const payee = await directory.find(accountId);
  if (!payee) throw problem('account_not_found');
  const { currency } = payee;
  const { id: fromId } = await cash(currency);
  return {
    wish: {
      kind: 'account_deposit',
      fromId,
      toId: accountId,
      amountMinor: toMinor(amount),
      currency,
      description: null,
    },
  };
}
