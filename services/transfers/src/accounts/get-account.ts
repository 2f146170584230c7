import { problem } from '@comanda/contracts/problem';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { AccountStore } from './account-store.ts';
import type { Account } from './account.ts';

export type GetAccountDeps = { accounts: Pick<AccountStore, 'findAccount'> };

/** Returns an account. Only its owner and managers may read it. @throws 404 `not_found` */
export async function getAccount(
  { accounts }: GetAccountDeps,
  { caller, id }: { caller: Caller; id: number },
): Promise<Account> {
  const account = await accounts.findAccount(id);
  if (!account || (account.ownerId !== caller.userId && caller.role !== 'manager')) throw problem('not_found');
  return account;
}
