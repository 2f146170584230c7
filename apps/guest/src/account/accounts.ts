import { CallFailure, type Answer, type Client } from '@comanda/client/core';
import { batch, computed, signal } from '@preact/signals';
import { formatMoney } from '@comanda/ui/format.ts';
import { createEntries, type Entries } from './entries.ts';
import { onDeviceLater } from '../on-device-later.ts';
import { accountMessages } from './messages.ts';
import { readOwnAccounts } from './read-own-accounts.ts';

export type Account = Answer<'listAccounts'>[number];
export type Transfer = Answer<'getTransfer'>;

type Deps = { client: Client; ownerId: number; announce: (text: string) => void };
export type Accounts = ReturnType<typeof createAccounts>;

/** The user's own accounts, and the entries of the selected one. */
export function createAccounts({ client, ownerId, announce }: Deps) {
  /** The user's accounts; null until they are loaded. */
  const all = signal<readonly Account[] | null>(null);
  const chosenId = signal<number | null>(null);
  const chosen = computed<Account | null>(
    () => all.value?.find(({ id }) => id === chosenId.value) ?? all.value?.[0] ?? null,
  );
  const payees = createPayees(client);
  const entriesById = new Map<number, Entries>();
  const entries = computed<Entries | null>(() => (chosen.value ? entriesOf(chosen.value.id) : null));
  /** Why the last attempt to load the accounts or entries failed; null if it succeeded. */
  const failure = signal<unknown>(null);
  /** When the accounts were loaded, in milliseconds, by this device's clock. */
  const readAt = signal(0);

  function entriesOf(id: number): Entries {
    const known = entriesById.get(id) ?? createEntries(client, id);
    entriesById.set(id, known);
    return known;
  }
  const read = oneAtATime(async () => {
    try {
      all.value = await readOwnAccounts(client, ownerId);
      await entries.peek()?.readNewest();
      batch(() => {
        failure.value = null;
        readAt.value = Date.now();
      });
    } catch (error) {
      failure.value = error;
    }
  });
  function choose(id: number): void {
    if (id === chosen.value?.id) return;
    entriesById.clear();
    chosenId.value = id;
    void read();
  }
  const isOwn = (id: number): boolean => (all.value ?? []).some((each) => each.id === id);
  return {
    all,
    chosen,
    entries,
    failure,
    readAt,
    choose,
    read,
    isOwn,
    ...createTransferCache(client),
    readPayee: payees.read,
    ...createAmounts(),
    readOlder: () =>
      entries
        .peek()
        ?.readOlder()
        .catch((error: unknown) => (failure.value = error)),
    /**
     * Returns an account's owner if it is known: because this user has sent money to the account, received money from it, or
     * looked it up. Otherwise null.
     */
    knownOwner: (accountId: number): string | null => {
      const met = entries.value?.all.value?.find(({ counterparty }) => counterparty.account_id === accountId);
      return met?.counterparty.owner_name ?? payees.names.value.get(accountId) ?? null;
    },
    open: async (name: string): Promise<void> => {
      const opened = await client.calls.openAccount(name === '' ? {} : { name }).catch((error: unknown) => {
        // If the account was opened despite the failure, the list contains it.
        void read();
        throw error;
      });
      all.value = [...(all.value ?? []), opened];
      choose(opened.id);
      await read();
    },
    /** Announces received money to screen readers, unless the user hides amounts. */
    announcePosted: (transfer: Transfer): void => {
      if (
        onDeviceLater.hidesAmounts.get() === 'yes' ||
        !isOwn(transfer.to_account_id) ||
        isOwn(transfer.from_account_id)
      )
        return;
      announce(accountMessages().received(formatMoney(transfer.amount, transfer.currency), transfer.from_account_id));
    },
  };
}

/** Runs `task` once more after it has ended, if it was called in the meantime. */
function oneAtATime(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isWanted = false;
  return () => {
    isWanted = true;
    running ??= (async () => {
      try {
        while (isWanted) {
          isWanted = false;
          await task();
        }
      } finally {
        running = null;
      }
    })();
    return running;
  };
}

/** Caches transfers by id, with their receipts. A posted transfer never changes. */
function createTransferCache(client: Client) {
  const transfers = signal<ReadonlyMap<number, Transfer>>(new Map());
  function remember(transfer: Transfer): void {
    transfers.value = new Map([...transfers.peek(), [transfer.id, transfer]]);
  }
  async function readTransfer(id: number): Promise<void> {
    if (!transfers.peek().has(id)) remember(await client.calls.getTransfer({ id }));
  }
  return { transfers, remember, readTransfer };
}

/** Looks up the owners of accounts to which this user is about to send money. */
function createPayees(client: Client) {
  const names = signal<ReadonlyMap<number, string>>(new Map());
  /** Loads the owner's name. If that fails, the page shows only the account number. */
  async function read(id: number): Promise<void> {
    if (names.peek().has(id)) return;
    try {
      const { owner_name: name } = await client.calls.getPayee({ id });
      names.value = new Map([...names.peek(), [id, name]]);
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
    }
  }
  return { names, read };
}

/** Stores whether this user wants amounts to be shown or hidden. */
function createAmounts() {
  const areAmountsHidden = computed(() => onDeviceLater.hidesAmounts.signal.value === 'yes');
  const toggleAmounts = (): void => onDeviceLater.hidesAmounts.write(areAmountsHidden.value ? null : 'yes');
  /** Returns the amount, or dots while amounts are hidden. */
  const shownMoney = (amount: string, currency: string): string =>
    areAmountsHidden.value ? formatMoney('0', currency).replaceAll(/[0-9.,]+/g, '••••') : formatMoney(amount, currency);
  return { areAmountsHidden, toggleAmounts, shownMoney };
}
