import { problem } from '@comanda/contracts/problem';
import type { Payee } from '@comanda/contracts/accounts';
import type { AccountDirectory } from './account-directory.ts';

export type GetPayeeDeps = { directory: Pick<AccountDirectory, 'find'> };

/** Returns an account's owner. Any user may look up the payee of a transfer. @throws 404 `not_found` */
export async function getPayee({ directory }: GetPayeeDeps, id: number): Promise<Payee> {
  const account = await directory.find(id);
  if (!account || account.ownerName === null) throw problem('not_found');
  return { account_id: id, owner_name: account.ownerName, currency: account.currency };
}
