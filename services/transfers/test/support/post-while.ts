import type { Account } from '../../src/accounts/account.ts';
import { toAccount } from '../../src/accounts/account-document.ts';
import { createAccountStore } from '../../src/accounts/account-store.ts';
import { postBatch } from '../../src/transfers/post-batch.ts';
import type { ConsentedTransfer } from '../../src/transfers/transfer.ts';
import type { SmallLedger } from './small-ledger.ts';

type Believed = { account: Account; is: Record<string, unknown>; command: ConsentedTransfer };

/**
 * Sets an account's fields to `is`, posts through an instance that does not verify accounts, and restores the fields. Returns the
 * transfer's id.
 */
export async function postWhile({ books, signer }: SmallLedger, { account, is, command }: Believed) {
  const before = await books.heads.findOne({ _id: account.id }, { projection: { balance: 0, seq: 0, hash: 0 } });
  const believing = createAccountStore(books.connection, {
    nextId: () => Promise.reject(new Error('not expected')),
    signer: () => signer,
    verify: toAccount,
  });
  await books.heads.updateOne({ _id: account.id }, { $set: is });
  const [outcome] = await postBatch({ ...books.deps, accounts: believing }, await books.numbered([command]));
  const added = Object.keys(is).filter((name) => !(name in (before ?? {})) && name !== 'balance');
  const unset: Record<string, ''> = Object.fromEntries(added.map((name) => [name, '' as const]));
  await books.heads.updateOne({ _id: account.id }, { $set: before ?? {}, ...(added.length > 0 && { $unset: unset }) });
  if (!outcome || !('value' in outcome) || outcome.value === 'too_late') throw new Error('it was not posted');
  return outcome.value.row.id;
}
