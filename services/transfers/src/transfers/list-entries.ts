import type { Entry as EntryResponse } from '@comanda/contracts/accounts';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Account } from '../accounts/account.ts';
import { getAccount } from '../accounts/get-account.ts';
import { fromMinor } from '@comanda/contracts/money';
import type { JournalStore } from './journal-store.ts';
import { entryId, type PostedTransfer } from './transfer.ts';

export type ListEntriesDeps = {
  accounts: Pick<AccountStore, 'findAccount' | 'findAccountsById'>;
  journal: Pick<JournalStore, 'listTransfers'>;
};
type EntryPage = {
  entries: EntryResponse[];
  /** The next page starts below this entry number; undefined on the last page. */
  next: number | undefined;
};

/**
 * Lists an account's entries, newest first. Only its owner and managers may read them. Each entry contains the name of the other
 * account's owner, because both parties of a transfer may know each other's names.
 * @throws 404 `not_found`
 */
export async function listEntries(
  deps: ListEntriesDeps,
  { caller, id, cursor, limit }: { caller: Caller; id: number; cursor: number | undefined; limit: number },
): Promise<EntryPage> {
  const account = await getAccount(deps, { caller, id });
  const belowSeq = Math.min(cursor ?? Number.POSITIVE_INFINITY, account.seq + 1);
  const transfers = await deps.journal.listTransfers({ accountId: id, belowSeq, limit });
  const counterparties = await deps.accounts.findAccountsById(
    transfers.map((transfer) => counterpartyId(transfer, id)),
  );
  const next = belowSeq - limit;
  return {
    entries: transfers.map((transfer) => toEntryResponse(transfer, { accountId: id, counterparties })),
    next: next > 1 ? next : undefined,
  };
}

const counterpartyId = ({ fromId, toId }: PostedTransfer, accountId: number): number =>
  fromId === accountId ? toId : fromId;
type Sides = { accountId: number; counterparties: ReadonlyMap<number, Account> };

function toEntryResponse(transfer: PostedTransfer, { accountId, counterparties }: Sides): EntryResponse {
  const [payer, payee] = transfer.entries;
  const side = payer.accountId === accountId ? 'payer' : 'payee';
  const entry = side === 'payer' ? payer : payee;
  const otherId = counterpartyId(transfer, accountId);
  return {
    id: entryId(transfer.id, side),
    account_id: accountId,
    transfer_id: transfer.id,
    kind: transfer.kind,
    payment_id: transfer.paymentId,
    amount: fromMinor(entry.amountMinor),
    balance: fromMinor(entry.balanceMinor),
    currency: transfer.currency,
    counterparty: { account_id: otherId, owner_name: counterparties.get(otherId)?.ownerName ?? null },
    description: transfer.description,
    created_at: transfer.createdAt.toISOString(),
  };
}
