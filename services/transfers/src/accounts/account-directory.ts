import { isCash } from './account.ts';
import type { AccountFacts } from './account.ts';

/** What never changes about accounts, remembered. */
export type AccountDirectory = {
  /** An account that money can be sent to: not the house's cash. Null where there is none. */
  find: (id: number) => Promise<AccountFacts | null>;
};
const mostRemembered = 100_000;

export function createAccountDirectory(store: {
  find: (id: number) => Promise<AccountFacts | null>;
}): AccountDirectory {
  const known = new Map<number, AccountFacts>();
  return {
    find: async (id) => {
      const remembered = known.get(id);
      if (remembered) return remembered;
      const found = await store.find(id);
      if (!found || isCash(found)) return null;
      if (known.size >= mostRemembered) known.delete(known.keys().next().value ?? 0);
      const { name, ownerId, currency, createdAt } = found;
      const facts = { id, name, ownerId, currency, createdAt };
      known.set(id, facts);
      return facts;
    },
  };
}
