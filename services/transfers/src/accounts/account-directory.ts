import type { AccountDocument } from './account-document.ts';
import { isCash, isTakings, type AccountFacts } from './account.ts';
import type { VerifyAccount } from './verify-account.ts';

/** Finds accounts' immutable facts, such as the owner. Each account is verified once and then cached. */
export type AccountDirectory = {
  /**
   * Returns an account that can receive money. Returns null if it does not exist or belongs to the restaurant.
   * @throws 503 `service_unavailable` if the account does not match its signed statement
   */
  find: (id: number) => Promise<AccountFacts | null>;
};
type Options = { findDocument: (id: number) => Promise<AccountDocument | null>; verify: VerifyAccount };
const maxCached = 100_000;

export function createAccountDirectory({ findDocument, verify }: Options): AccountDirectory {
  const cache = new Map<number, AccountFacts>();
  return {
    find: async (id) => {
      const cached = cache.get(id);
      if (cached) return cached;
      const document = await findDocument(id);
      const found = document && verify(document);
      if (!found || isCash(found) || isTakings(found)) return null;
      if (cache.size >= maxCached) cache.delete(cache.keys().next().value ?? 0);
      const { name, ownerId, ownerName, currency, createdAt } = found;
      const facts = { id, name, ownerId, ownerName, currency, createdAt };
      cache.set(id, facts);
      return facts;
    },
  };
}
