import type { Currency } from '@comanda/contracts/transfers';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AccountStore } from './account-store.ts';
import type { Account } from './account.ts';

export type OpenAccountDeps = {
  accounts: Pick<AccountStore, 'insertAccount'>;
  /** Of accounts for which no currency is requested. */
  defaultCurrency: Currency;
  clock: Clock;
};

type OpenAccountInput = {
  owner: Pick<Caller, 'userId' | 'name'>;
  name: string | undefined;
  currency: Currency | undefined;
};

/** Opens an empty account. */
export const openAccount = (
  { accounts, defaultCurrency, clock }: OpenAccountDeps,
  { owner, name, currency }: OpenAccountInput,
): Promise<Account> =>
  accounts.insertAccount({
    name: name ?? null,
    ownerId: owner.userId,
    ownerName: owner.name,
    currency: currency ?? defaultCurrency,
    createdAt: new Date(clock()),
  });
