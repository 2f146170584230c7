import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type ClientSession, type Connection } from 'mongoose';
import type { Logger } from '../runtime/logger.ts';
import { databaseUnavailable, majorityWrites, unwrapped } from './connection.ts';
import { createInstances, killSessions } from './instances.ts';

export type Session = ClientSession;
export type Transactions = {
  /**
   * Runs `body` in one transaction, commits it with majority and journal, and returns what `body` returned. If `body` calls
   * `session.abortTransaction()`, nothing is written, but its value is still returned. Only the commit is retried, as long as its
   * outcome is unknown, until `deadline` (in milliseconds of `performance.now()`).
   * @throws the error from `body` or from the commit; nothing was written, unless `isUnknownCommit(error)` is true
   */
  run: <T>(options: { deadline: number }, body: (session: Session) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
};
type Options = { connection: Connection; isUp: () => boolean; logger: Logger };

const { MongoError, MongoServerError } = mongoose.mongo;
const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);

/** Returns true if there was a write conflict, or the connection was lost before the commit: nothing was written. */
export const isTransient = (error: unknown): boolean => hasLabel(error, 'TransientTransactionError');
/**
 * Returns true if there was a write conflict with another transaction: nothing was written, and another attempt may succeed
 * immediately.
 */
export const isConflict = (error: unknown): boolean => isTransient(error) && error instanceof MongoServerError;
/**
 * Marks an error as transient if another instance considered this one dead and killed the session during one of the transaction's
 * operations. The transaction is then aborted, and another attempt may succeed. MongoDB itself marks only the errors of later
 * operations.
 */
function noteAborted(error: unknown): void {
  const cause = unwrapped(error);
  if (cause instanceof MongoServerError && cause.code === interrupted) cause.addErrorLabel('TransientTransactionError');
}
const interrupted = 11601;

/** Returns true if it is unknown whether the commit succeeded. */
export const isUnknownCommit = (error: unknown): boolean => hasLabel(error, 'UnknownTransactionCommitResult');
/** Returns true if a unique index rejected the write because the key already exists. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoError && error.code === 11000;

/**
 * Like `Promise.all`, but rejects only after all promises have settled. A session can run only one operation at a time, and can't
 * be aborted before that operation has ended.
 */
export async function allWhenSettled<T extends readonly unknown[] | []>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/**
 * Returns true if the server is reachable despite `error`: the server itself returned the error, or it is not an error from the
 * driver.
 */
function isServerReachable(error: unknown): boolean {
  const cause = unwrapped(error);
  return cause instanceof MongoServerError || !(cause instanceof MongoError);
}

const killRetryMs = 200;

/** Waits for a random time of up to 8 ms, so that two writers that conflicted do not conflict again. */
const jitter = (): Promise<void> => sleep(Math.random() * 8);

/**
 * Creates transactions on sessions that are registered in this process's heartbeat. If this process dies, other instances kill
 * its sessions, so the locks of its transactions are released within 5 s, even if the server's own time limit is longer.
 */
export function createTransactions({ connection, isUp, logger }: Options): Transactions {
  const idle: Session[] = [];
  const sessions = new Set<Session>();
  const killing = new Set<Promise<void>>();
  const shutdown = new AbortController();
  const instances = createInstances({
    connection,
    isUp,
    logger,
    id: randomUUID(),
    sessions: () => [...sessions].flatMap(({ id }) => id ?? []),
  });

  async function takeSession(): Promise<Session> {
    // If the database is known to be down, fails immediately, without waiting for the driver's time limit.
    if (!isUp()) throw databaseUnavailable();
    const idleSession = idle.pop();
    if (idleSession) return idleSession;
    // Avoids mongoose's `connection.startSession()`, which would wait for the server for up to 10 s.
    const session = connection.getClient().startSession();
    sessions.add(session);
    try {
      // Registers the session before its first transaction takes locks.
      await instances.beat();
      return session;
    } catch (error) {
      sessions.delete(session); // the session has no transaction yet, so it holds no locks
      void session.endSession();
      throw error;
    }
  }
  /**
   * Kills a session whose transaction may still hold locks: the driver tries to abort a transaction only once, and ignores a lost
   * connection. The session stays registered until the server has confirmed the kill. Requests do not wait for this.
   */
  function discard(session: Session): void {
    const kill = killUntilConfirmed(session).finally(() => killing.delete(kill));
    killing.add(kill);
  }
  async function killUntilConfirmed(session: Session): Promise<void> {
    for (;;) {
      try {
        if (isUp()) {
          await killSessions(connection, [session.id]);
          sessions.delete(session);
          await session.endSession();
          return;
        }
      } catch (error) {
        logger.warn({ err: error }, 'could not kill a session; trying again');
      }
      // This process is ending. The other instances will kill the sessions that are still registered.
      if (shutdown.signal.aborted) return;
      await sleep(killRetryMs, undefined, { signal: shutdown.signal }).catch(() => undefined); // close() aborts the pause
    }
  }
  async function run<T>({ deadline }: { deadline: number }, body: (session: Session) => Promise<T>): Promise<T> {
    const session = await takeSession();
    try {
      session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: majorityWrites });
      const result = await body(session).catch((error: unknown) => {
        noteAborted(error);
        throw error;
      });
      if (session.inTransaction()) await commit(session, deadline);
      idle.push(session);
      return result;
    } catch (error) {
      if (isServerReachable(error) && session.inTransaction() && (await abort(session))) idle.push(session);
      else discard(session);
      throw error;
    }
  }
  return {
    run,
    close: async () => {
      shutdown.abort();
      await Promise.all(killing);
      for (const session of idle) sessions.delete(session);
      await instances.close();
      await Promise.all([...idle, ...sessions].map((session) => session.endSession()));
    },
  };
}

async function commit(session: Session, deadline: number): Promise<void> {
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!isUnknownCommit(error) || performance.now() > deadline) throw error;
      await jitter();
    }
  }
}

/**
 * Aborts the transaction. Returns true if the session can be used for another one. The driver ignores errors during the abort,
 * but marks the session if the connection was lost.
 */
async function abort(session: Session): Promise<boolean> {
  await session.abortTransaction();
  return !session.inTransaction() && !session.serverSession?.isDirty;
}
