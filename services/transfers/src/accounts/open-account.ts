import { problem } from '@comanda/contracts/problem';
import type { Currency } from '@comanda/contracts/money';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { KeyedMutex } from '@comanda/shared/runtime/keyed-mutex';
import { readInserted } from '../read-inserted.ts';
import type { AccountStore } from './account-store.ts';
import type { Account } from './account.ts';

export type OpenAccountDeps = {
  accounts: Pick<AccountStore, 'insertAccount' | 'findOpened' | 'countAccounts'>;
  /** Locks by owner id, in this process only. */
  ownerLocks: KeyedMutex<number>;
  maxAccountsPerOwner: number;
  /** The currency of a new account if the request names none. */
  defaultCurrency: Currency;
  clock: Clock;
};

type OpenAccountInput = {
  owner: Pick<Caller, 'userId' | 'name'>;
  name: string | undefined;
  currency: Currency | undefined;
  idempotency: IdempotentRequest | null;
};
/** `account`: the account as it was opened. `replayed`: true if an earlier request with the same idempotency key opened it. */
type OpenedAccount = { account: Account; replayed: boolean };

const lockTimeLimitMs = 1700;

/**
 * Opens an empty account, only one for each idempotency key. Owners are only locked within a process. So with several instances,
 * simultaneous requests may exceed an owner's limit by one account for each further instance.
 * @throws 409 `too_many_accounts`, `request_in_progress`; 422 `idempotency_key_reused`
 */
export async function openAccount(deps: OpenAccountDeps, input: OpenAccountInput): Promise<OpenedAccount> {
  const { accounts, maxAccountsPerOwner, defaultCurrency, clock } = deps;
  const { owner, name, currency, idempotency } = input;
  using _ = await deps.ownerLocks.acquire(owner.userId, performance.now() + lockTimeLimitMs);
  try {
    const earlier = await findEarlier(deps, input);
    if (earlier) return earlier;
    if ((await accounts.countAccounts(owner.userId)) >= maxAccountsPerOwner) throw problem('too_many_accounts');
    const account = await accounts.insertAccount({
      name: name ?? null,
      ownerId: owner.userId,
      ownerName: owner.name,
      currency: currency ?? defaultCurrency,
      createdAt: new Date(clock()),
      ...(idempotency && { idempotency }),
    });
    return { account, replayed: false };
  } catch (error) {
    if (!idempotency || !isDuplicate(error)) throw error;
    return await readInserted(() => findEarlier(deps, input));
  }
}

async function findEarlier(
  { accounts }: OpenAccountDeps,
  { owner, idempotency }: OpenAccountInput,
): Promise<OpenedAccount | null> {
  const account = idempotency && (await accounts.findOpened(owner.userId, idempotency.key));
  if (!account) return null;
  if (account.idempotency?.fingerprint !== idempotency.fingerprint) throw problem('idempotency_key_reused');
  return { account: { ...account, balanceMinor: 0n }, replayed: true };
}
