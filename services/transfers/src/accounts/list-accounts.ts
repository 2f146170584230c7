import { problem } from '@comanda/contracts/problem';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { AccountStore } from './account-store.ts';
import type { Account } from './account.ts';

export type ListAccountsDeps = { accounts: Pick<AccountStore, 'listAccounts'> };
type AccountPage = {
  accounts: Account[];
  /** The cursor for the next page; undefined on the last page. */
  next: number | undefined;
};

/**
 * Lists the caller's accounts. Managers get the accounts of `ownerId`, or those of all owners.
 * @throws 403 `forbidden` if a customer asks for another user's accounts
 */
export async function listAccounts(
  deps: ListAccountsDeps,
  { caller, ownerId, cursor, limit }: { caller: Caller; ownerId: number | undefined; cursor: number; limit: number },
): Promise<AccountPage> {
  const isManager = caller.role === 'manager';
  if (!isManager && ownerId !== undefined && ownerId !== caller.userId) throw problem('forbidden');
  const page = { ownerId: isManager ? ownerId : caller.userId, afterId: cursor, limit };
  const accounts = await deps.accounts.listAccounts(page);
  return { accounts, next: accounts.length === limit ? accounts.at(-1)?.id : undefined };
}
