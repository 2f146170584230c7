import type { Client } from '@comanda/client/core';
import type { Account } from './accounts.ts';

/** Loads the accounts that belong to this user. The API also lists other users' accounts to managers; these are left out. */
export async function readOwnAccounts(client: Client, ownerId: number): Promise<Account[]> {
  const own: Account[] = [];
  for await (const page of client.pages('listAccounts', { owner_id: ownerId, limit: 50 })) own.push(...page);
  return own;
}
