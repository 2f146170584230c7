import type { Connection, mongo } from 'mongoose';
import type { Currency } from '@comanda/contracts/transfers';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { NextId } from '../ids/id-store.ts';
import { newAccount } from './account.ts';
import type { Account, AccountFacts } from './account.ts';

export type AccountDocument = {
  _id: number;
  name: string | null;
  /** Null: the house's cash. */
  owner_id: number | null;
  currency: Currency;
  balance: bigint;
  seq: number;
  hash: string;
  created_at: Date;
  /** The period of checkpoints in which it last moved. */
  moved: number;
};

export const toAccount = ({ _id: id, ...document }: AccountDocument): Account => ({
  id,
  name: document.name,
  ownerId: document.owner_id,
  currency: document.currency,
  createdAt: document.created_at,
  balanceMinor: document.balance,
  seq: document.seq,
  hash: document.hash,
});
const toDocument = (account: Account): AccountDocument => ({
  _id: account.id,
  name: account.name,
  owner_id: account.ownerId,
  currency: account.currency,
  balance: account.balanceMinor,
  seq: account.seq,
  hash: account.hash,
  created_at: account.createdAt,
  moved: 0,
});

/** Integers of 64 bits come back as they are, not as floats. */
export const exact = { useBigInt64: true } as const;

export type AccountStore = ReturnType<typeof createAccountStore>;

/** Accounts, with the balance and the head of the chain that the journal has left them. */
export function createAccountStore(connection: Connection, nextId: NextId) {
  const accounts = connection.collection('accounts') as unknown as mongo.Collection<AccountDocument>;
  const cashOf = (currency: Currency) => accounts.findOne({ owner_id: null, currency }, exact);
  return {
    prepare: async (): Promise<void> => {
      await accounts.createIndexes([
        { key: { owner_id: 1, _id: 1 } },
        { key: { currency: 1 }, unique: true, name: 'one_cash', partialFilterExpression: { owner_id: null } },
        { key: { moved: 1, _id: 1 } },
      ]);
    },
    open: async (facts: Omit<AccountFacts, 'id'>): Promise<Account> => {
      const account = newAccount({ ...facts, id: await nextId() });
      await accounts.insertOne(toDocument(account));
      return account;
    },
    /** The house's cash account in `currency`, opened when it is first needed. */
    cash: async (currency: Currency, now: Date): Promise<Account> => {
      const known = await cashOf(currency);
      if (known) return toAccount(known);
      const account = newAccount({ id: await nextId(), name: 'Cash', ownerId: null, currency, createdAt: now });
      try {
        await accounts.insertOne(toDocument(account));
        return account;
      } catch (error) {
        // Another call was first: the unique index let one of us in.
        const opened = isDuplicate(error) && (await cashOf(currency));
        if (!opened) throw error;
        return toAccount(opened);
      }
    },
    find: async (id: number): Promise<Account | null> => {
      const found = await accounts.findOne({ _id: id }, exact);
      return found && toAccount(found);
    },
    findAll: async (ids: readonly number[]): Promise<(Account | null)[]> => {
      const options = { ...exact, batchSize: ids.length + 1 };
      const found = await accounts.find({ _id: { $in: [...ids] } }, options).toArray();
      const byId = new Map(found.map(toAccount).map((account) => [account.id, account]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    /** Up to `limit` accounts of `ownerId` (all of them for undefined) with ids above `afterId`, in their order. */
    list: async (page: { ownerId: number | undefined; afterId: number; limit: number }): Promise<Account[]> => {
      const { ownerId, afterId, limit } = page;
      const filter = { ...(ownerId !== undefined && { owner_id: ownerId }), _id: { $gt: afterId } };
      const found = await accounts.find(filter, exact).sort({ _id: 1 }).limit(limit).toArray();
      return found.map(toAccount);
    },
  };
}
