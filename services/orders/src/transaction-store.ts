import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { ClientSession, Connection } from 'mongoose';

export type Session = ClientSession;

const { MongoError } = mongoose.mongo;
const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);

/** Another transaction came first, or the server was lost before the commit was asked for: nothing was written. */
export const isTransient = (error: unknown): boolean => hasLabel(error, 'TransientTransactionError');

/** A unique index refused the write: somebody else wrote the same key. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoError && error.code === 11000;

/** Up to 8 ms, so that two who met do not meet again. */
export const jitter = (): Promise<void> => sleep(Math.random() * 8);

export type InTransaction = (transaction: {
  /** Writes with the session; false gives it all up. */
  write: (session: Session) => Promise<boolean>;
  /** By `performance.now()`. */
  deadline: number;
}) => Promise<boolean>;

/**
 * Runs a `write` in one transaction and commits it, with majority and journal; false where it was given up.
 * The commit alone is repeated where its outcome is unknown. What fails is thrown, and then nothing was written, except
 * by a commit whose outcome is still unknown at `deadline`.
 */
export const createInTransaction =
  (connection: Connection): InTransaction =>
  async ({ write, deadline }) => {
    const session = await connection.startSession();
    try {
      session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } });
      if (!(await write(session))) {
        await session.abortTransaction();
        return false;
      }
      await commit(session, deadline);
      return true;
    } finally {
      // Aborts what is still open. Not awaited: the server may be the very thing that does not answer.
      void session.endSession();
    }
  };

async function commit(session: Session, deadline: number): Promise<void> {
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the same commit again
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!hasLabel(error, 'UnknownTransactionCommitResult') || performance.now() > deadline) throw error;
      // oxlint-disable-next-line no-await-in-loop
      await jitter();
    }
  }
}
