import type { Connection } from 'mongoose';
import type { Currency } from '@comanda/contracts/money';
import { isTimestamp, toClusterTime, toTimestamp, type ClusterTime } from '@comanda/shared/mongo/cluster-time';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { isDuplicate, type Session } from '@comanda/shared/mongo/transactions';
import type { NextId } from '../ids/id-store.ts';
import { readInserted } from '../read-inserted.ts';
import type { Signer } from '@comanda/shared/crypto/statement';
import { accountSchema, toAccountDocument, type AccountDocument } from './account-document.ts';
import {
  restaurantOwnerId,
  newAccount,
  signAccount,
  takingsFacts,
  type Account,
  type AccountFacts,
} from './account.ts';
import type { VerifyAccount } from './verify-account.ts';

type WrittenHead = { account: number; seq: number; hash: string; written: ClusterTime };
export type AccountStore = ReturnType<typeof createAccountStore>;

/** Makes the driver return 64-bit integers as `bigint`. By default, it returns floats. */
const exact = { useBigInt64: true } as const;

type Options = { nextId: NextId; signer: () => Signer; verify: VerifyAccount };

/**
 * Creates the store for accounts, with their balances and the newest entry of their chains. An account's immutable facts are
 * signed. Each read verifies them, and throws a 503 if an account does not match its signed statement.
 */
export function createAccountStore(connection: Connection, { nextId, signer, verify }: Options) {
  const accounts = collectionOf(connection, accountSchema);
  const insert = async (account: Account): Promise<Account> => {
    await accounts.insertOne(toAccountDocument(account, signAccount(account, signer())));
    return account;
  };
  /**
   * Returns the account that `find` finds, or opens one. A unique index prevents a second account: if another request opens it
   * first, returns that account.
   */
  async function getOrOpen(find: () => Promise<Account | null>, facts: Omit<AccountFacts, 'id'>): Promise<Account> {
    const existing = await find();
    if (existing) return existing;
    try {
      return await insert(newAccount({ ...facts, id: await nextId() }));
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return readInserted(find);
    }
  }
  const findCash = async (currency: Currency): Promise<Account | null> => {
    const found = await accounts.findOne({ owner_id: null, currency }, exact);
    return found && verify(found);
  };
  const findOpened = async (ownerId: number, key: string): Promise<Account | null> => {
    const found = await accounts.findOne({ owner_id: ownerId, idempotency_key: key }, exact);
    return found && verify(found);
  };

  function findDocuments(ids: readonly number[], session?: Session): Promise<AccountDocument[]> {
    const options = { ...exact, batchSize: ids.length + 1, ...(session && { session }) };
    return accounts.find({ _id: { $in: [...ids] } }, options).toArray();
  }

  return {
    insertAccount: async (facts: Omit<AccountFacts, 'id'>): Promise<Account> =>
      insert(newAccount({ ...facts, id: await nextId() })),
    countAccounts: (ownerId: number): Promise<number> => accounts.countDocuments({ owner_id: ownerId }),
    /** Returns the account that a request from `ownerId` with this idempotency key opened; null if there is none. */
    findOpened,
    /** Returns the restaurant's takings account in `currency`, and opens it on the first call. */
    getTakingsAccount: (currency: Currency, now: Date): Promise<Account> => {
      const facts = takingsFacts(currency, now);
      return getOrOpen(() => findOpened(restaurantOwnerId, facts.idempotency?.key ?? ''), facts);
    },
    /** Returns the restaurant's cash account in `currency`, and opens it on the first call. */
    getCashAccount: (currency: Currency, now: Date): Promise<Account> => {
      const facts = { name: 'Cash', ownerId: null, ownerName: null, currency, createdAt: now };
      return getOrOpen(() => findCash(currency), facts);
    },
    findAccount: async (id: number): Promise<Account | null> => {
      const found = await accounts.findOne({ _id: id }, exact);
      return found && verify(found);
    },
    /**
     * Returns the stored documents with these ids, in the order of `ids`; null for unknown ids. Callers must verify each document
     * themselves: one query serves many callers, and one bad account must not fail the others.
     */
    findUnverified: async (ids: readonly number[]): Promise<(AccountDocument | null)[]> => {
      const found = new Map<number, AccountDocument>();
      for (const document of await findDocuments(ids)) {
        const { _id: id } = document;
        found.set(id, document);
      }
      return ids.map((id) => found.get(id) ?? null);
    },
    /** Returns the accounts with these ids, by id. Unknown ids are left out. With a session, reads them in its transaction. */
    findAccountsById: async (ids: readonly number[], session?: Session): Promise<Map<number, Account>> => {
      const found = await findDocuments(ids, session);
      return new Map(found.map(verify).map((account) => [account.id, account]));
    },
    /**
     * Returns up to `limit` accounts with ids above `afterId`, in ascending order. If `ownerId` is undefined, includes the
     * accounts of all owners.
     */
    listAccounts: async (page: { ownerId: number | undefined; afterId: number; limit: number }): Promise<Account[]> => {
      const { ownerId, afterId, limit } = page;
      const filter = { ...(ownerId !== undefined && { owner_id: ownerId }), _id: { $gt: afterId } };
      const found = await accounts.find(filter, exact).sort({ _id: 1 }).limit(limit).toArray();
      return found.map(verify);
    },
    /**
     * Writes the balances and newest entries of accounts that were read in `session`. The server rejects the write if an account
     * has changed since. So the filter needs only the id, and the server need not plan a query.
     * @throws WriteConflict if an account no longer exists
     */
    updateBalances: async (changed: readonly Account[], session: Session): Promise<void> => {
      if (changed.length === 0) return;
      // Sorted by id, so that two batches with the same accounts conflict at the first account.
      const operations = changed
        .toSorted((a, b) => a.id - b.id)
        .map(({ id, balanceMinor, seq, hash }) => ({
          updateOne: {
            filter: { _id: id },
            update: {
              $set: { balance: balanceMinor, seq, hash },
              $currentDate: { written: { $type: 'timestamp' as const } },
            },
          },
        }));
      const { matchedCount } = await accounts.bulkWrite(operations, { session });
      if (matchedCount !== changed.length) throw new WriteConflict('an account was deleted since it was read');
    },
    /**
     * Yields the newest entries of accounts that were opened or changed at or after `since`; of all accounts if `since` is
     * undefined. This scans all accounts, which takes about 0.7 s for a million. An index on `written` would cost more, because
     * each transfer would change two index keys.
     */
    findHeads: async function* (since: ClusterTime | undefined): AsyncGenerator<WrittenHead> {
      const options = { readConcern: { level: 'majority' }, projection: { seq: 1, hash: 1, written: 1 } } as const;
      const filter = since === undefined ? {} : { written: { $gte: toTimestamp(since) } };
      for await (const { _id: account, seq, hash, written } of accounts.find(filter, options))
        // A value of another type comes from tampering. verify-ledger reports it.
        if (isTimestamp(written)) yield { account, seq, hash, written: toClusterTime(written) };
    },
  };
}
