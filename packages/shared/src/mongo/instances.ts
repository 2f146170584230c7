import type { Connection, mongo } from 'mongoose';
import { collectionOf, collectionSchema, embeddedSchema } from './collections.ts';
import { every } from '../runtime/every.ts';
import type { Logger } from '../runtime/logger.ts';
import { newest } from './connection.ts';

type SessionId = { id: mongo.Binary };
type InstanceDocument = { _id: string; beat: Date; sessions: SessionId[] };
/** The schema for the collection that contains the heartbeats of a service's instances. */
export const instanceSchema = collectionSchema<InstanceDocument>('instances', {
  _id: { type: String },
  beat: { type: Date, required: true },
  sessions: { type: [embeddedSchema<SessionId>({ id: { type: Buffer, required: true } })], required: true },
});
type Options = {
  connection: Connection;
  isUp: () => boolean;
  logger: Logger;
  /** The id of this process. */
  id: string;
  /** Returns the sessions that this process currently uses for transactions. */
  sessions: () => readonly SessionId[];
};
export type Instances = {
  /** Writes this instance's heartbeat, with its sessions. */
  beat: () => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Kills sessions, which releases the locks of their transactions. Leaves out values that are not session ids: if the list were
 * empty or had only nulls, MongoDB would kill all of this user's sessions or, without access control, all sessions on the server.
 */
export async function killSessions({ db }: Connection, ids: readonly (SessionId | null | undefined)[]): Promise<void> {
  const sessions = ids.filter((each) => each?.id);
  if (sessions.length > 0) await db?.admin().command({ killSessions: sessions });
}

const everyMs = 1000;
/** The write concern for heartbeats. If a heartbeat is lost with the primary, the locks of its sessions are lost too. */
const withoutMajority = { writeConcern: { w: 1 } } as const;
/**
 * How long, in milliseconds of the server's clock, an instance may go without a heartbeat before it is considered dead. If the
 * instance is only slow, its transactions are aborted: nothing is written, and each is retried or gets a 503. A commit that was
 * waiting for a majority is retried and succeeds.
 */
const deadAfterMs = 2500;
/**
 * If an instance itself paused for longer than this, in milliseconds, it cannot tell which other instances are dead: the database
 * or the whole machine may have paused, and then all of them look dead.
 */
const maxOwnPauseMs = deadAfterMs - everyMs;

/**
 * Creates this instance's heartbeat. Each instance of a service also removes the instances whose heartbeats have stopped, and
 * kills their sessions, which releases the locks of their transactions.
 */
export function createInstances({ connection, isUp, logger, id, sessions }: Options): Instances {
  const collection = collectionOf(connection, instanceSchema);
  let beatenAt = Number.NEGATIVE_INFINITY;
  let hasWaited = false;

  async function write(): Promise<void> {
    const now = { beat: '$$NOW', sessions: { $literal: [...sessions()] } };
    await collection.updateOne({ _id: id }, [{ $set: now }], { upsert: true, ...withoutMajority });
  }
  let writing = Promise.resolve();
  let next: Promise<void> | null = null;
  /**
   * Writes this instance's heartbeat after any earlier one, so that a late write can't replace a newer heartbeat, which has more
   * sessions.
   */
  function beat(): Promise<void> {
    next ??= writing
      .catch(() => undefined) // the caller of that write gets its error
      .then(() => {
        next = null;
        writing = write();
        return writing;
      });
    return next;
  }
  async function removeDeadInstances(): Promise<void> {
    const isDead = { $expr: { $lt: ['$beat', { $subtract: ['$$NOW', deadAfterMs] }] } };
    const dead = await collection.find(isDead, newest).toArray();
    // Continues after a failure: one malformed heartbeat must not prevent the release of other instances' locks.
    for (const { _id, sessions: open } of dead)
      await remove({ _id, open }).catch((error: unknown) =>
        logger.warn({ err: error, instance: _id }, 'could not remove a dead instance'),
      );
  }
  async function remove({ _id, open }: { _id: string; open: SessionId[] }): Promise<void> {
    await killSessions(connection, open);
    const { deletedCount } = await collection.deleteOne({ _id }, withoutMajority);
    if (deletedCount > 0)
      logger.info({ instance: _id, sessions: open.length }, 'removed a dead instance and killed its sessions');
  }
  async function beatAndLook(): Promise<void> {
    await beat();
    const now = performance.now();
    const isLate = now - beatenAt > maxOwnPauseMs;
    beatenAt = now;
    // After a pause, waits for one more turn, in which the other instances write their heartbeats. Otherwise, the first instance
    // to resume would kill the sessions of all others.
    hasWaited = isLate && !hasWaited;
    if (!hasWaited) await removeDeadInstances();
  }
  const watching = every({
    run: beatAndLook,
    everyMs,
    isReady: isUp,
    logger,
    failure: 'could not write the heartbeat',
  });

  return {
    beat,
    close: async () => {
      await watching.close();
      // Removes the heartbeat only if no session is registered. Registered sessions may hold locks, and the other instances kill
      // these sessions once the heartbeat is too old.
      if (isUp() && sessions().length === 0) await collection.deleteOne({ _id: id }, withoutMajority);
    },
  };
}
