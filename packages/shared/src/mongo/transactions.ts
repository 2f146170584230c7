import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { ClientSession, Connection } from 'mongoose';
import type { Logger } from '../runtime/logger.ts';
import { databaseUnavailable, unwrapped } from './connection.ts';
import { createInstances } from './instances.ts';

export type Session = ClientSession;
export type Transactions = {
  /**
   * Runs `body` in one transaction, commits it with majority and journal, and returns what `body` returned. A body that
   * aborts the session itself (`session.abortTransaction()`) writes nothing, and its value is returned all the same. The
   * commit alone is repeated while its outcome is unknown, until `deadline` [performance.now()].
   * @throws what failed; nothing was written then, unless `isUnknownCommit(error)`
   */
  run: <T>(options: { deadline: number }, body: (session: Session) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
};
type Options = { connection: Connection; isUp: () => boolean; logger: Logger };

const { MongoError, MongoServerError } = mongoose.mongo;
const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);

/** Another transaction came first, or the server was lost before the commit was asked for: nothing was written. */
export const isTransient = (error: unknown): boolean => hasLabel(error, 'TransientTransactionError');
/** Another transaction came first: nothing was written, and another try may go through at once. */
export const isConflict = (error: unknown): boolean => isTransient(error) && error instanceof MongoServerError;
/** Nobody knows whether the commit took place. */
export const isUnknownCommit = (error: unknown): boolean => hasLabel(error, 'UnknownTransactionCommitResult');
/** A unique index refused the write: somebody else wrote the same key. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoError && error.code === 11000;

/** Whether the server still answers after `error`: it refused, or the body threw an error that is not of the driver. */
function isServerReachable(error: unknown): boolean {
  const cause = unwrapped(error);
  return cause instanceof MongoServerError || !(cause instanceof MongoError);
}

/** Up to 8 ms, so that two who met do not meet again. */
export const jitter = (): Promise<void> => sleep(Math.random() * 8);

/**
 * Transactions on sessions of this process's own, which the other instances know: when this one is gone, they kill the
 * sessions, and what a transaction of its held is free within 5 s, whatever the server's own time limit is.
 */
export function createTransactions({ connection, isUp, logger }: Options): Transactions {
  const idle: Session[] = [];
  const sessions = new Set<Session>();
  const instances = createInstances({
    connection,
    isUp,
    logger,
    id: randomUUID(),
    sessions: () => [...sessions].flatMap(({ id }) => id ?? []),
  });

  async function take(): Promise<Session> {
    // Who waited while it was found out that the database is gone is not made to find it out again.
    if (!isUp()) throw databaseUnavailable();
    const free = idle.pop();
    if (free) return free;
    // Mongoose's own would wait 10 s for the server.
    const made = connection.getClient().startSession();
    sessions.add(made);
    // Before it holds anything.
    await instances.beat();
    return made;
  }
  /** Not awaited: the server may be the very thing that does not answer. */
  function discard(session: Session): void {
    sessions.delete(session);
    void session.endSession();
  }
  async function run<T>({ deadline }: { deadline: number }, body: (session: Session) => Promise<T>): Promise<T> {
    const session = await take();
    try {
      session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } });
      const result = await body(session);
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
      await instances.close();
      await Promise.all([...sessions].map((session) => session.endSession()));
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

/** Whether the session can run another transaction. The driver ignores a refusal: the server has aborted by itself. */
async function abort(session: Session): Promise<boolean> {
  await session.abortTransaction();
  return !session.inTransaction();
}
