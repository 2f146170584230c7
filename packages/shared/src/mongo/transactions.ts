import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type ClientSession, type Connection } from 'mongoose';
import type { Logger } from '../runtime/logger.ts';
import { databaseUnavailable, majorityWrites, unwrapped } from './connection.ts';
import { createInstances, killSessions } from './instances.ts';

export type Session = ClientSession;
export type Transactions = {
  /**
   * Runs `body` in one transaction, commits it with majority and journal, and returns the value of `body`. A body that calls
   * `session.abortTransaction()` writes nothing, but its value is still returned. Only the commit is retried, while its outcome
   * is unknown, until `deadline` [performance.now()].
   * @throws the error from `body` or from the commit; nothing was written, unless `isUnknownCommit(error)`
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
 * Marks an error as transient if the session was killed during an operation of its transaction, because another instance
 * considered this one dead. The transaction is aborted, and another attempt may succeed. MongoDB itself marks only later
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
 * Like `Promise.all`, but rejects only after all promises have settled: a session runs one operation at a time, and cannot be
 * aborted while another operation is running.
 */
export async function allWhenSettled<T extends readonly unknown[] | []>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/**
 * Returns true if the server still responds after `error`: the server returned the error, or the body threw an error that is not
 * the driver's.
 */
function isServerReachable(error: unknown): boolean {
  const cause = unwrapped(error);
  return cause instanceof MongoServerError || !(cause instanceof MongoError);
}

const killRetryMs = 200;

/** Pauses for a random time of up to 8 ms, so that two conflicting writers do not conflict again. */
const jitter = (): Promise<void> => sleep(Math.random() * 8);

/**
 * Creates transactions on sessions that are registered with this process's heartbeat. If this process dies, the other instances
 * kill its sessions, and its transactions' locks are released within 5 s, whatever the server's own time limit is.
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
    // A call fails immediately if the database is known to be down, instead of after the driver's time limit.
    if (!isUp()) throw databaseUnavailable();
    const idleSession = idle.pop();
    if (idleSession) return idleSession;
    // mongoose's `connection.startSession()` would wait for the server for up to 10 s.
    const session = connection.getClient().startSession();
    sessions.add(session);
    try {
      // Registers the session before its first transaction takes locks.
      await instances.beat();
      return session;
    } catch (error) {
      sessions.delete(session); // the session has no transaction
      void session.endSession();
      throw error;
    }
  }
  /**
   * Kills a session whose transaction may still hold locks: the driver sends an abort only once and ignores a lost connection.
   * The session stays registered until the server has confirmed that the session is killed. Requests do not wait for this.
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
      // When this process ends, the other instances kill the sessions that are still registered.
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
 * Aborts the transaction, and returns true if the session can run another one. The driver ignores errors during the abort, but
 * marks the session if the connection was lost.
 */
async function abort(session: Session): Promise<boolean> {
  await session.abortTransaction();
  return !session.inTransaction() && !session.serverSession?.isDirty;
}
