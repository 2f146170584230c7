import type { Currency } from '@comanda/contracts/transfers';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { AccountStore } from './account-store.ts';
import type { Account } from './account.ts';

export type OpenAccountDeps = {
  accounts: Pick<AccountStore, 'insertAccount'>;
  /** Of accounts for which no currency is requested. */
  defaultCurrency: Currency;
  clock: Clock;
};

/** Opens an empty account. */
export const openAccount = (
  { accounts, defaultCurrency, clock }: OpenAccountDeps,
  { ownerId, name, currency }: { ownerId: number; name: string | undefined; currency: Currency | undefined },
): Promise<Account> =>
  accounts.insertAccount({
    name: name ?? null,
    ownerId,
    currency: currency ?? defaultCurrency,
    createdAt: new Date(clock()),
  });
