import { isCash, type AccountFacts } from '../accounts/account.ts';
import type { TransferFacts } from './transfer.ts';

type Transfer = Pick<TransferFacts, 'kind' | 'userId' | 'currency'>;
type Parties = { payer: AccountFacts; payee: AccountFacts };

/**
 * Why these accounts cannot be the parties of `transfer`; null if they can. Money leaves an account only for its owner,
 * and comes into being only as a deposit from cash. The write path refuses what breaks this, and the audit names it.
 */
export function partiesDefect({ kind, userId, currency }: Transfer, { payer, payee }: Parties): string | null {
  if (payer.currency !== currency || payee.currency !== currency) return 'its currency is not that of both accounts';
  if (isCash(payee)) return 'it was paid to a cash account';
  if (kind === 'account_deposit') return isCash(payer) ? null : 'it is a deposit, but was not paid by a cash account';
  if (isCash(payer)) return 'it is no deposit, but was paid by a cash account';
  return payer.ownerId === userId ? null : 'its user is not the owner of the account that paid';
}
