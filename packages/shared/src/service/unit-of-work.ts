import type { Outbox, Pending } from '../messaging/outbox.ts';
import { createKeyedMutex } from '../runtime/keyed-mutex.ts';
import { retryOnConflict, tooManyWrites } from '../mongo/retry-on-conflict.ts';
import type { Session, Transactions } from '../mongo/transactions.ts';

/** Events that a write has put into a document, and the name of the outbox that publishes them. */
export type WrittenEvents<Name extends string> = Pending & { outbox: Name };

/**
 * The result of a write in its transaction. `records` say who changed what; they are stored in the same transaction. `events` are
 * published after the commit. A write that has changed nothing returns `unchanged`, and its transaction is aborted.
 */
export type Written<T, Entry, Name extends string> =
  | { value: T; records: readonly Entry[]; events: readonly WrittenEvents<Name>[] }
  | { value: T; unchanged: true };

/**
 * A function that reads and writes with `session`. It may run several times, so it must not change anything outside the
 * transaction.
 */
export type Write<T, Entry, Name extends string> = (session: Session) => Promise<Written<T, Entry, Name>>;

/** Runs writes in transactions, so that no change is stored without its records or without its events being published. */
export type UnitOfWork<Entry = never, Name extends string = never> = {
  /**
   * Runs `write` in a transaction. As long as other writes come first, runs it again from the beginning. Returns the value of
   * `write` once everything is durable.
   * @throws 503 `service_unavailable` if other writes come first until the time limit; any error from `write`
   */
  run: <T>(write: Write<T, Entry, Name>) => Promise<T>;
  /**
   * Like `run`, but runs only one `write` at a time for each `key` in this process, so that requests to the same instance do not
   * conflict with each other.
   */
  runLocked: <T>(key: string, write: Write<T, Entry, Name>) => Promise<T>;
};

type Options<Entry, Name extends string> = {
  transactions: Pick<Transactions, 'run'>;
  /** How long after the call a new attempt may still start, in milliseconds. */
  timeLimitMs: number;
  /** Stores a write's records; null if writes have no records. */
  records: { insert: (records: readonly Entry[], session: Session) => Promise<void> } | null;
  outboxes: Record<Name, Pick<Outbox, 'publishNow'>>;
  /** Returns true if another attempt should follow after an error that isn't a conflict. By default, always returns false. */
  isRetryable?: (error: unknown) => boolean;
};

export function createUnitOfWork<Entry = never, Name extends string = never>({
  transactions,
  timeLimitMs,
  records,
  outboxes,
  isRetryable = () => false,
}: Options<Entry, Name>): UnitOfWork<Entry, Name> {
  const mutex = createKeyedMutex<string>({ onTimeout: tooManyWrites });
  const inTimeLimit = (): number => performance.now() + timeLimitMs;

  async function runUntil<T>(deadline: number, write: Write<T, Entry, Name>): Promise<T> {
    const written = await retryOnConflict({ deadline, isRetryable }, () =>
      transactions.run({ deadline }, async (session) => {
        const done = await write(session);
        if ('unchanged' in done) await session.abortTransaction();
        else await records?.insert(done.records, session);
        return done;
      }),
    );
    if ('unchanged' in written) return written.value;
    for (const { outbox, documentId, messages } of written.events) outboxes[outbox].publishNow(documentId, messages);
    return written.value;
  }
  return {
    run: (write) => runUntil(inTimeLimit(), write),
    runLocked: async (key, write) => {
      const deadline = inTimeLimit();
      using _ = await mutex.acquire(key, deadline);
      return await runUntil(deadline, write);
    },
  };
}
