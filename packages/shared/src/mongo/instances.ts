import type { Connection, mongo } from 'mongoose';
import { collectionOf, collectionSchema, embeddedSchema } from './collections.ts';
import { every } from '../runtime/every.ts';
import type { Logger } from '../runtime/logger.ts';
import { newest } from './connection.ts';

type SessionId = { id: mongo.Binary };
type InstanceDocument = { _id: string; beat: Date; sessions: SessionId[] };
/** The schema for the collection with the heartbeats of a service's instances. */
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
 * Kills sessions, which releases their transactions' locks. Values that are not session ids are left out: MongoDB treats an empty
 * list, or a list of null, as all of the user's sessions or, without access control, as all sessions on the server.
 */
export async function killSessions({ db }: Connection, ids: readonly (SessionId | null | undefined)[]): Promise<void> {
  const sessions = ids.filter((each) => each?.id);
  if (sessions.length > 0) await db?.admin().command({ killSessions: sessions });
}

const everyMs = 1000;
/** Losing a heartbeat with the primary does no harm: the locks of its sessions are lost too. */
const withoutMajority = { writeConcern: { w: 1 } } as const;
/**
 * The time, by the server's clock, after which an instance counts as dead, in milliseconds. If the instance is only slow, its
 * transactions are aborted: none of their writes happens, and they are retried or get 503. A commit that waits for a majority is
 * retried, and turns out to be done.
 */
const deadAfterMs = 2500;
/**
 * After a longer pause of its own, in milliseconds, an instance cannot tell which others are dead: if the database or the machine
 * paused, all of them seem dead.
 */
const maxOwnPauseMs = deadAfterMs - everyMs;

/**
 * Creates the heartbeats of a service's instances. Each instance removes the instances whose heartbeat has stopped and kills
 * their sessions, which releases their transactions' locks.
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
  /** Writes heartbeats one after another: a late heartbeat must not replace a newer one, which has more sessions. */
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
    // A malformed heartbeat must not prevent the release of other instances' locks.
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
    // One turn is enough for the others to write their heartbeats. Without this turn, the first instance to resume would kill all
    // sessions.
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
      // Sessions that are still registered may hold locks: the other instances kill them once this heartbeat has stopped.
      if (isUp() && sessions().length === 0) await collection.deleteOne({ _id: id }, withoutMajority);
    },
  };
}
