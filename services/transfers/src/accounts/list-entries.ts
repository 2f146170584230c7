import type { Entry as EntryResponse } from '@comanda/contracts/transfers';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { fromMinor } from '../money.ts';
import type { JournalStore } from '../transfers/journal-store.ts';
import { entryId } from '../transfers/transfer.ts';
import type { PostedTransfer } from '../transfers/transfer.ts';
import { getAccount } from './get-account.ts';
import type { GetAccountDeps } from './get-account.ts';

export type ListEntriesDeps = GetAccountDeps & { journal: Pick<JournalStore, 'listTransfers'> };
type EntryPage = {
  entries: EntryResponse[];
  /** The entry number below which the next page begins; undefined on the last page. */
  next: number | undefined;
};

/** An account's statement, newest entry first, for its owner and managers. @throws 404 `not_found` */
export async function listEntries(
  deps: ListEntriesDeps,
  { caller, id, cursor, limit }: { caller: Caller; id: number; cursor: number | undefined; limit: number },
): Promise<EntryPage> {
  const account = await getAccount(deps, { caller, id });
  const belowSeq = Math.min(cursor ?? Number.POSITIVE_INFINITY, account.seq + 1);
  const transfers = await deps.journal.listTransfers({ accountId: id, belowSeq, limit });
  const next = belowSeq - limit;
  return {
    entries: transfers.map((transfer) => toEntryResponse(transfer, id)),
    next: next > 1 ? next : undefined,
  };
}

function toEntryResponse(transfer: PostedTransfer, accountId: number): EntryResponse {
  const [payer, payee] = transfer.entries;
  const side = payer.accountId === accountId ? 'payer' : 'payee';
  const entry = side === 'payer' ? payer : payee;
  return {
    id: entryId(transfer.id, side),
    account_id: accountId,
    transfer_id: transfer.id,
    amount: fromMinor(entry.amountMinor),
    balance: fromMinor(entry.balanceMinor),
    currency: transfer.currency,
    created_at: transfer.createdAt.toISOString(),
  };
}
