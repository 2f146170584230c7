import { retryOnConflict, tooManyWrites } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session, Transactions } from '@comanda/shared/mongo/transactions';
import { MutexTimeout, type KeyedMutex, type Release } from '@comanda/shared/runtime/keyed-mutex';
import type { MenuChange } from './menu-change.ts';
import type { MenuChangeStore } from './menu-change-store.ts';

export type Written<T> = { value: T; changes: readonly MenuChange[] };
/**
 * Runs `write` and stores its records of who changed what, in one transaction. This process runs one `write` at a time per
 * document, and may repeat it if other instances write first.
 * @throws 503 `service_unavailable` if that takes too long; any error from `write`
 */
export type WriteRecorded = <T>(
  /** The changed document, for example `dish 7`. */
  document: string,
  write: (session: Session) => Promise<Written<T>>,
) => Promise<T>;

type Options = {
  transactions: Pick<Transactions, 'run'>;
  changes: Pick<MenuChangeStore, 'insert'>;
  mutex: KeyedMutex<string>;
};

/**
 * How long a change competes with orders, in milliseconds. Orders may write a popular dish's portions hundreds of times a second.
 */
const timeLimitMs = 1400;

export const createRecordedWriter =
  ({ transactions, changes, mutex }: Options): WriteRecorded =>
  async (document, write) => {
    const deadline = performance.now() + timeLimitMs;
    const release = await lock(mutex, { document, deadline });
    try {
      return await retryOnConflict({ deadline }, () =>
        transactions.run({ deadline }, async (session) => {
          const written = await write(session);
          for (const change of written.changes) await changes.insert(change, session);
          return written.value;
        }),
      );
    } finally {
      release();
    }
  };

type Lock = { document: string; deadline: number };

async function lock(mutex: KeyedMutex<string>, { document, deadline }: Lock): Promise<Release> {
  try {
    return await mutex.acquire(document, { deadline });
  } catch (error) {
    throw error instanceof MutexTimeout ? tooManyWrites() : error;
  }
}
