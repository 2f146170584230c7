import { isCash, type AccountFacts } from './account.ts';

/** The facts of accounts, cached: they never change. */
export type AccountDirectory = {
  /** An account that money can be sent to. Null for a cash account, and if no such account exists. */
  find: (id: number) => Promise<AccountFacts | null>;
};
const maxCached = 100_000;

export function createAccountDirectory(findAccount: (id: number) => Promise<AccountFacts | null>): AccountDirectory {
  const cache = new Map<number, AccountFacts>();
  return {
    find: async (id) => {
      const cached = cache.get(id);
      if (cached) return cached;
      const found = await findAccount(id);
      if (!found || isCash(found)) return null;
      if (cache.size >= maxCached) cache.delete(cache.keys().next().value ?? 0);
      const { name, ownerId, ownerName, currency, createdAt } = found;
      const facts = { id, name, ownerId, ownerName, currency, createdAt };
      cache.set(id, facts);
      return facts;
    },
  };
}
