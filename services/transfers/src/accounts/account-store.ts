import type { Connection, mongo } from 'mongoose';
import type { Currency } from '@comanda/contracts/transfers';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { NextId } from '../ids/id-store.ts';
import { toAccount, toAccountDocument } from './account-document.ts';
import type { AccountDocument } from './account-document.ts';
import { newAccount } from './account.ts';
import type { Account, AccountFacts, BalanceChange } from './account.ts';

export type AccountStore = ReturnType<typeof createAccountStore>;

/** 64-bit integers are read as bigint; the driver would otherwise return floats. */
const exact = { useBigInt64: true } as const;
const changedIndex = { changed_period: 1, _id: 1 } as const;

const collectionOf = (connection: Connection) =>
  connection.collection('accounts') as unknown as mongo.Collection<AccountDocument>;

/** Creates the indexes. To be run before the store is used; running it again changes nothing. */
export async function prepareAccounts(connection: Connection): Promise<void> {
  await collectionOf(connection).createIndexes([
    { key: { owner_id: 1, _id: 1 } },
    { key: { currency: 1 }, unique: true, name: 'one_cash', partialFilterExpression: { owner_id: null } },
    { key: changedIndex },
  ]);
}

/** Accounts, each with its balance and the head of its chain. */
export function createAccountStore(connection: Connection, nextId: NextId) {
  const accounts = collectionOf(connection);
  const findCashDocument = (currency: Currency) => accounts.findOne({ owner_id: null, currency }, exact);

  async function findAccountsById(ids: readonly number[], session?: Session): Promise<Map<number, Account>> {
    const options = { ...exact, batchSize: ids.length + 1, ...(session && { session }) };
    const found = await accounts.find({ _id: { $in: [...ids] } }, options).toArray();
    return new Map(found.map(toAccount).map((account) => [account.id, account]));
  }

  return {
    insertAccount: async (facts: Omit<AccountFacts, 'id'>): Promise<Account> => {
      const account = newAccount({ ...facts, id: await nextId() });
      await accounts.insertOne(toAccountDocument(account));
      return account;
    },
    /** The restaurant's cash account in `currency`. It is opened when it is first needed. */
    getCashAccount: async (currency: Currency, now: Date): Promise<Account> => {
      const existing = await findCashDocument(currency);
      if (existing) return toAccount(existing);
      const account = newAccount({ id: await nextId(), name: 'Cash', ownerId: null, currency, createdAt: now });
      try {
        await accounts.insertOne(toAccountDocument(account));
        return account;
      } catch (error) {
        // The unique index admits one cash account: another request opened it first.
        const opened = isDuplicate(error) && (await findCashDocument(currency));
        if (!opened) throw error;
        return toAccount(opened);
      }
    },
    findAccount: async (id: number): Promise<Account | null> => {
      const found = await accounts.findOne({ _id: id }, exact);
      return found && toAccount(found);
    },
    /** The account of each of `ids`, in their order; null if it does not exist. */
    findAccounts: async (ids: readonly number[]): Promise<(Account | null)[]> => {
      const found = await findAccountsById(ids);
      return ids.map((id) => found.get(id) ?? null);
    },
    /** The existing accounts among `ids`, by id; with a session, as its transaction sees them. */
    findAccountsById,
    /** Up to `limit` accounts with ids above `afterId`, in ascending order: of one owner, or of all for undefined. */
    listAccounts: async (page: { ownerId: number | undefined; afterId: number; limit: number }): Promise<Account[]> => {
      const { ownerId, afterId, limit } = page;
      const filter = { ...(ownerId !== undefined && { owner_id: ownerId }), _id: { $gt: afterId } };
      const found = await accounts.find(filter, exact).sort({ _id: 1 }).limit(limit).toArray();
      return found.map(toAccount);
    },
    /** Writes balances and heads. @throws WriteConflict if an account has changed since it was read */
    updateBalances: async (
      changes: readonly BalanceChange[],
      { session, period }: { session: Session; period: number },
    ): Promise<void> => {
      if (changes.length === 0) return;
      // In ascending order, so that two batches with the same accounts conflict at the first one.
      const operations = changes
        .toSorted((a, b) => a.after.id - b.after.id)
        .map(({ before, after: { id, balanceMinor, seq, hash } }) => ({
          updateOne: {
            filter: { _id: id, seq: before.seq },
            update: { $set: { balance: balanceMinor, seq, hash, changed_period: period } },
          },
        }));
      const { matchedCount } = await accounts.bulkWrite(operations, { session });
      if (matchedCount !== changes.length) throw new WriteConflict('an account has changed since it was read');
    },
    /** The heads of accounts that changed in `period` or later. An election cannot take them back. */
    findHeadsChangedSince: async function* (period: number): AsyncGenerator<{ id: number; seq: number; hash: string }> {
      const options = {
        readConcern: { level: 'majority' },
        projection: { seq: 1, hash: 1 },
        hint: changedIndex,
      } as const;
      const found = accounts.find({ changed_period: { $gte: period } }, options);
      for await (const { _id: id, seq, hash } of found) yield { id, seq, hash };
    },
  };
}
