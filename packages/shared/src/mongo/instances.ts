import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from '../runtime/logger.ts';

type SessionId = { id: mongo.Binary };
type InstanceDocument = { _id: string; beat: Date; sessions: SessionId[] };
type Options = {
  connection: Connection;
  isUp: () => boolean;
  logger: Logger;
  /** Of this process. */
  id: string;
  /** The sessions on which it has transactions, now. */
  sessions: () => readonly SessionId[];
};
export type Instances = {
  /** Tells the others that this one lives, and on which sessions. */
  beat: () => Promise<void>;
  close: () => Promise<void>;
};

const everyMs = 1000;
/** By the server's clock. Killing a session of one that is only slow aborts a transaction, which is then begun again. */
const deadAfterMs = 2500;

/** The service's instances, each with a heartbeat; every one of them kills the sessions of those whose heart stopped. */
export function createInstances({ connection, isUp, logger, id, sessions }: Options): Instances {
  const collection = connection.collection('instances') as unknown as mongo.Collection<InstanceDocument>;
  const stop = new AbortController();

  async function beat(): Promise<void> {
    const now = { beat: '$$NOW', sessions: { $literal: [...sessions()] } };
    await collection.updateOne({ _id: id }, [{ $set: now }], { upsert: true });
  }
  async function removeDeadInstances(): Promise<void> {
    const dead = await collection.find({ $expr: { $lt: ['$beat', { $subtract: ['$$NOW', deadAfterMs] }] } }).toArray();
    for (const { _id, sessions: left } of dead) {
      if (left.length > 0) await connection.db?.admin().command({ killSessions: left });
      const { deletedCount } = await collection.deleteOne({ _id });
      if (deletedCount > 0)
        logger.info({ instance: _id, sessions: left.length }, 'an instance is gone: sessions killed');
    }
  }
  async function watch(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        if (isUp()) await beat().then(removeDeadInstances);
      } catch (error) {
        logger.warn({ err: error }, 'no heartbeat in the database');
      }
      await sleep(everyMs, undefined, { signal: stop.signal }).catch(() => undefined); // only close() ends it early
    }
  }
  const watching = watch();

  return {
    beat,
    close: async () => {
      stop.abort();
      await watching;
      if (isUp()) await collection.deleteOne({ _id: id });
    },
  };
}
