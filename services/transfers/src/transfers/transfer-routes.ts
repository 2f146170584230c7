import { problem } from '@comanda/contracts/problems';
import { deposit, getTransfer, transferMoney } from '@comanda/contracts/transfers';
import type { Currency } from '@comanda/contracts/transfers';
import type { Api } from '@comanda/shared/http/api';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import type { Account } from '../accounts/account.ts';
import type { JournalStore } from './journal-store.ts';
import { checkDeposit, checkTransfer } from './move-money.ts';
import type { PostOnce } from './post-once.ts';
import { toTransferAnswer } from './transfer.ts';

type Parts = {
  directory: AccountDirectory;
  cash: (currency: Currency) => Promise<Account>;
  journal: JournalStore;
  postOnce: PostOnce;
};

export function serveTransfers({ handle }: Api, { directory, cash, journal, postOnce }: Parts): void {
  handle(transferMoney, (call) =>
    postOnce(call, () => checkTransfer(directory, { userId: call.caller.userId, body: call.body })),
  );
  handle(deposit, (call) =>
    postOnce(call, () => checkDeposit({ directory, cash }, { accountId: call.params.id, amount: call.body.amount })),
  );
  handle(getTransfer, async ({ caller, params }) => {
    const transfer = await journal.find(params.id);
    if (!transfer) throw problem('not_found');
    const parties = await Promise.all([transfer.fromId, transfer.toId].map(directory.find));
    const isParty = parties.some((party) => party?.ownerId === caller.userId);
    if (!isParty && caller.role !== 'manager') throw problem('not_found');
    return { status: 200, body: toTransferAnswer(transfer) };
  });
}
