import type { Client } from '@comanda/client/core';
import type { Account } from './accounts.ts';

/** Managers can see all accounts, so this returns only their own. */
export async function readOwnAccounts(client: Client, ownerId: number): Promise<Account[]> {
  const own: Account[] = [];
  for await (const page of client.pages('listAccounts', { owner_id: ownerId, limit: 50 })) own.push(...page);
  return own;
}
