import type { Connection } from 'mongoose';
import type { createAccountStore } from '../../services/transfers/src/accounts/account-store.ts';
import type { ConsentedTransfer } from '../../services/transfers/src/transfers/transfer.ts';
import { newCommand } from '../../services/transfers/test/support/books.ts';

export type Load = 'uniform' | 'hot';
/** The payer's and the payee's index. With the load `uniform`, both are random; with `hot`, all payments go to the same payee. */
export type Pair = { from: number; to: number };

export const accountCount = 10_000;
export const fundedMinor = 1_000_000_000n;

const any = (below: number): number => Math.floor(Math.random() * below);

function randomPair(load: Load): Pair {
  const from = 1 + any(accountCount - 1);
  const to = load === 'hot' ? 0 : (from + 1 + any(accountCount - 1)) % accountCount;
  return { from, to };
}
/** Returns the accounts for `count` random transfers. */
export const randomPairs = (load: Load, count: number): Pair[] => Array.from({ length: count }, () => randomPair(load));
/** Returns pairs in which each account pays once and is paid once. */
export const allPairs = (): Pair[] =>
  Array.from({ length: accountCount }, (_, from) => ({ from, to: (from + 1) % accountCount }));

/** Runs `work` for all items, at most `size` of them at the same time. */
export async function inPortions<T, R>(
  items: readonly T[],
  size: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (let first = 0; first < items.length; first += size)
    done.push(...(await Promise.all(items.slice(first, first + size).map((item, at) => work(item, first + at)))));
  return done;
}

type Ledger = {
  accounts: ReturnType<typeof createAccountStore>;
  post: (transfers: readonly ConsentedTransfer[]) => Promise<unknown>;
};

/** Opens a funded account for each owner from 1 to 10,000. Returns the account ids, sorted by owner. */
export async function openAccounts({ accounts, post }: Ledger): Promise<number[]> {
  const owners = Array.from({ length: accountCount }, (_, index) => index + 1);
  const ids = await inPortions(owners, 64, async (ownerId) => {
    const { id } = await accounts.insertAccount({
      name: null,
      ownerId,
      ownerName: 'Ana',
      currency: 'BRL',
      createdAt: new Date(),
    });
    return id;
  });
  const cash = await accounts.getCashAccount('BRL', new Date());
  for (let first = 0; first < ids.length; first += 256)
    await post(
      ids.slice(first, first + 256).map((id) => newCommand({ from: cash, to: { id }, amountMinor: fundedMinor })),
    );
  return ids;
}

/** Checks that all balances add up to zero. @throws Error if they do not */
export async function addsUp(connection: Connection): Promise<void> {
  const [found] = await connection
    .collection('accounts')
    .aggregate([{ $group: { _id: null, sum: { $sum: '$balance' }, count: { $sum: 1 } } }])
    .toArray();
  if (Number(found?.['sum']) !== 0) throw new Error(`all balances add up to ${found?.['sum']}`);
}
