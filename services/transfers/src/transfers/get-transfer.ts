import { problem } from '@comanda/contracts/problem';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import type { JournalStore } from './journal-store.ts';
import type { PostedTransfer } from './transfer.ts';

export type GetTransferDeps = { journal: Pick<JournalStore, 'findTransfer'>; directory: AccountDirectory };

/** Returns a transfer. Only the owners of its two accounts and managers may read it. @throws 404 `not_found` */
export async function getTransfer(
  { journal, directory }: GetTransferDeps,
  { caller, id }: { caller: Caller; id: number },
): Promise<PostedTransfer> {
  const transfer = await journal.findTransfer(id);
  if (!transfer) throw problem('not_found');
  const parties = await Promise.all([transfer.fromId, transfer.toId].map(directory.find));
  const isParty = parties.some((party) => party?.ownerId === caller.userId);
  if (!isParty && caller.role !== 'manager') throw problem('not_found');
  return transfer;
}
