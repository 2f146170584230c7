import { problem } from '@comanda/contracts/problems';
import { getAccount, listAccounts, listEntries, openAccount } from '@comanda/contracts/transfers';
import type { Currency, Entry } from '@comanda/contracts/transfers';
import type { Api } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { fromMinor } from '../money.ts';
import type { JournalStore } from '../transfers/journal-store.ts';
import { entryId } from '../transfers/transfer.ts';
import type { PostedTransfer } from '../transfers/transfer.ts';
import type { AccountStore } from './account-store.ts';
import { toAccountAnswer } from './account.ts';
import type { Account } from './account.ts';
import { linkToNext } from './page.ts';

type Parts = { accounts: AccountStore; journal: JournalStore; currency: Currency; clock: () => number };

const defaultLimit = 50;

export function serveAccounts({ handle }: Api, { accounts, journal, currency, clock }: Parts): void {
  handle(openAccount, async ({ caller, body }) => {
    const account = await accounts.open({
      name: body.name ?? null,
      ownerId: caller.userId,
      currency: body.currency ?? currency,
      createdAt: new Date(clock()),
    });
    return { status: 201, body: toAccountAnswer(account), headers: { Location: `/accounts/${account.id}` } };
  });

  handle(listAccounts, async ({ caller, query }) => {
    const { limit = defaultLimit, cursor } = query;
    const afterId = cursor === undefined ? 0 : Number(cursor);
    const found = await accounts.list({ ownerId: whose(caller, query.owner_id), afterId, limit });
    const last = found.length === limit ? found.at(-1) : undefined;
    const headers = last ? linkToNext('/accounts', { ...query, limit }, last.id) : {};
    return { status: 200, body: found.map(toAccountAnswer), headers };
  });

  handle(getAccount, async ({ caller, params }) => ({
    status: 200,
    body: toAccountAnswer(await visible(caller, params.id)),
  }));

  handle(listEntries, async ({ caller, params, query }) => {
    const account = await visible(caller, params.id);
    const { limit = defaultLimit, cursor } = query;
    const belowSeq = cursor === undefined ? account.seq + 1 : Math.min(Number(cursor), account.seq + 1);
    const transfers = await journal.statement({ accountId: account.id, belowSeq, limit });
    const next = belowSeq - limit;
    const headers = next > 1 ? linkToNext(`/accounts/${account.id}/entries`, { limit }, next) : {};
    return { status: 200, body: transfers.map((transfer) => toEntry(transfer, account)), headers };
  });

  /** @throws 404 `not_found` where it is another's */
  async function visible(caller: Caller, id: number): Promise<Account> {
    const account = await accounts.find(id);
    if (!account || (account.ownerId !== caller.userId && caller.role !== 'manager')) throw problem('not_found');
    return account;
  }
}

/** Whose accounts are listed: undefined for all. @throws 403 `forbidden` */
function whose(caller: Caller, asked: number | undefined): number | undefined {
  if (caller.role === 'manager') return asked;
  if (asked !== undefined && asked !== caller.userId) throw problem('forbidden');
  return caller.userId;
}

function toEntry(transfer: PostedTransfer, account: Account): Entry {
  const [pays, receives] = transfer.legs;
  const leg = pays.accountId === account.id ? pays : receives;
  return {
    id: entryId(transfer.id, leg === pays ? 'pays' : 'receives'),
    account_id: account.id,
    transfer_id: transfer.id,
    amount: fromMinor(leg.amountMinor),
    balance: fromMinor(leg.balanceMinor),
    currency: transfer.currency,
    created_at: transfer.createdAt.toISOString(),
  };
}
