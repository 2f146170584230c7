import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { problem } from '@comanda/contracts/problems';
import type { Problem } from '@comanda/contracts/problems';
import type { Logger } from '../runtime/logger.ts';
import { patchDriver } from './patch-driver.ts';

export type MongoLink = {
  connection: Connection;
  /** True while a primary answers and the stores are prepared. */
  isUp: () => boolean;
  close: () => Promise<void>;
};
type Options = {
  uri: string;
  database: string;
  logger: Logger;
  /** Runs once the server is there, before `isUp`: indexes, counters. Repeated until it succeeds. */
  prepare: (connection: Connection) => Promise<void>;
  maxPoolSize?: number;
};

/**
 * Connects to a replica set with majority, journaled writes; returns at once and goes on trying until it is there.
 * Where the server is down or frozen, any operation fails within 1.5 s, so that a caller hears 503 within 2 s.
 */
export function connectMongo({ uri, database, logger, prepare, maxPoolSize = 50 }: Options): MongoLink {
  patchDriver();
  const connection = mongoose.createConnection();
  connection.on('error', (error: unknown) => logger.warn({ err: error }, 'MongoDB connection error'));
  const state = { opened: false, prepared: false, primary: false, closed: false };

  async function connectOnce(): Promise<void> {
    // Once, however often the server goes away afterwards: a second one would have sessions of one driver's client, and
    // collections of the other.
    if (!state.opened) {
      await connection.openUri(uri, {
        dbName: database,
        // What is asked before the first connection fails at once; `connection.set` would not reach it.
        bufferCommands: false,
        autoIndex: false,
        autoCreate: false,
        maxPoolSize,
        // A ping every 500 ms, with 900 to answer, finds a frozen server and breaks off its operations. Nothing is tried
        // twice in here: the second try would take as long. The driver's `timeoutMS` does nothing any more.
        serverMonitoringMode: 'poll',
        heartbeatFrequencyMS: 500,
        connectTimeoutMS: 900,
        serverSelectionTimeoutMS: 900,
        retryReads: false,
        retryWrites: false,
        writeConcern: { w: 'majority', journal: true },
      });
      connection.getClient().on('topologyDescriptionChanged', ({ newDescription: { type } }) => {
        state.primary = type === 'ReplicaSetWithPrimary' || type === 'Sharded' || type === 'Single';
        logger.info({ topology: type }, state.primary ? 'MongoDB is there' : 'MongoDB is gone');
      });
      state.opened = true;
      state.primary = true;
    }
    await prepare(connection);
    state.prepared = true;
    logger.info({ database }, 'MongoDB is ready');
  }
  async function connectUntilThere(): Promise<void> {
    for (let attempt = 1; !state.closed && !state.prepared; attempt++) {
      try {
        await connectOnce();
      } catch (error) {
        logger.warn({ err: error, attempt }, 'waiting for MongoDB');
        await sleep(Math.min(2000, 100 * 2 ** attempt));
      }
    }
  }
  void connectUntilThere();

  return {
    connection,
    isUp: () => state.prepared && state.primary,
    close: async () => {
      state.closed = true;
      await connection.close();
    },
  };
}

export const databaseUnavailable = (): Problem =>
  problem('service_unavailable', { detail: 'The database does not answer.' }, { 'Retry-After': '1' });

const gone =
  /^(MongoServerSelection|MongoNetwork|MongoNetworkTimeout|MongoPoolCleared|PoolClearedOnNetwork|MongoNotConnected|MongoTopologyClosed|MongoExpiredSession|MongoClientClosed|MongooseServerSelection|MongoWaitQueueTimeout)Error$/;
/**
 * What a server says that is going, coming back, not the primary, or has lost a cursor with its last life. All but 43 and
 * 11601 are the codes of MongoDB's specification "Retryable Reads".
 */
const notNow = new Set<unknown>([
  6, 7, 43, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_601, 11_602, 13_435, 13_436,
]);
const { MongoBulkWriteError, MongoError } = mongoose.mongo;

/** What the driver says of `error`: `bulkWrite` wraps even a lost connection into an error of the server, without labels. */
export const unwrapped = (error: unknown): unknown =>
  error instanceof MongoBulkWriteError && error.errorResponse instanceof Error ? error.errorResponse : error;

/** 503 for a database that is down, frozen or changing its primary; null for anything else. */
export function mongoProblem(failure: unknown): Problem | null {
  const error = unwrapped(failure);
  if (!(error instanceof Error)) return null;
  const away =
    gone.test(error.name) ||
    (error instanceof MongoError &&
      (notNow.has(error.code) ||
        error.hasErrorLabel('RetryableWriteError') ||
        error.hasErrorLabel('TransientTransactionError') ||
        error.hasErrorLabel('UnknownTransactionCommitResult'))) ||
    // Before the first connection, with buffering off.
    (error.name === 'MongooseError' && /before initial connection is complete/.test(error.message));
  return away ? databaseUnavailable() : null;
}
