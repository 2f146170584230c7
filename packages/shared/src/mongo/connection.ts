import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type Connection } from 'mongoose';
import { NothingWritten, type Problem, unavailable } from '@comanda/contracts/problem';
import type { Logger } from '../runtime/logger.ts';
import { createMajorityWatch } from './majority-watch.ts';
import { patchDriver } from './patch-driver.ts';

export type MongoLink = {
  connection: Connection;
  /**
   * Returns true while all of this holds: a primary responds, its writes reach a majority of the members, and `onConnect` has
   * succeeded.
   */
  isUp: () => boolean;
  close: () => Promise<void>;
};
type Options = {
  uri: string;
  database: string;
  logger: Logger;
  /** Called once the first connection is open, and retried until it succeeds. Until then, `isUp` returns false. */
  onConnect: (connection: Connection) => Promise<void>;
  maxPoolSize?: number;
  /**
   * The time limit for every operation, in milliseconds; by default 1,500. With 0, which operators' commands use, there is no
   * limit.
   */
  socketTimeoutMS?: number;
};

/**
 * The write concern for all writes: a majority of the members must have written them to their journals. If no majority confirms a
 * write in time, the outcome is unknown (error 64).
 */
export const majorityWrites = { w: 'majority', journal: true, wtimeoutMS: 700 } as const;

/**
 * The read concern for reads on which a later compare-and-set write depends. They see the primary's newest data, which may still
 * be rolled back. All other reads outside transactions see only data that a majority of the members has, so that no response
 * contains data that could be lost with the primary.
 */
export const newest = { readConcern: { level: 'local' } } as const;

/**
 * Connects to a replica set. Writes must be in the journals of a majority, and reads return what a majority has. Returns
 * immediately and keeps trying to connect. While the server is down or frozen, or writes reach no majority, every operation fails
 * within 1.5 s, so that clients get 503 within 2 s.
 */
export function connectMongo(options: Options): MongoLink {
  const { uri, database, logger, onConnect, maxPoolSize = 50, socketTimeoutMS = 1500 } = options;
  patchDriver();
  const connection = mongoose.createConnection();
  connection.on('error', (error: unknown) => logger.warn({ err: error }, 'MongoDB connection error'));
  const state = { opened: false, ready: false, primary: false, closed: false };
  const majority = createMajorityWatch((isUp) =>
    logger.info(isUp ? 'MongoDB has a majority' : 'MongoDB has no majority'),
  );

  async function connectOnce(): Promise<void> {
    // The connection is opened only once, even if the server goes down later. The driver reconnects by itself. A second client
    // would mix one client's sessions with the other's collections.
    if (!state.opened) {
      await connection.openUri(uri, {
        dbName: database,
        // Without this, operations before the first connection would wait. `connection.set` has no effect on that.
        bufferCommands: false,
        autoIndex: false,
        autoCreate: false,
        maxPoolSize,
        // A ping every 500 ms, with a time limit of 900 ms, detects a frozen server and aborts the operations on it. The driver
        // retries nothing, because a second attempt would take as long as the first. Its own `timeoutMS` is not used, because it
        // does not abort operations.
        serverMonitoringMode: 'poll',
        heartbeatFrequencyMS: 500,
        connectTimeoutMS: 900,
        serverSelectionTimeoutMS: 900,
        // In a burst, operations without a free connection wait until one is opened or returned, but no longer than this. The
        // limit also ends the wait for a frozen server.
        waitQueueTimeoutMS: 1500,
        socketTimeoutMS,
        retryReads: false,
        retryWrites: false,
        writeConcern: majorityWrites,
        readConcern: { level: 'majority' },
      });
      connection.getClient().on('serverHeartbeatSucceeded', ({ reply }) => majority.onHello(reply));
      connection.getClient().on('topologyDescriptionChanged', ({ newDescription: { type } }) => {
        state.primary = type === 'ReplicaSetWithPrimary' || type === 'Sharded' || type === 'Single';
        logger.info({ topology: type }, state.primary ? 'MongoDB has a primary' : 'MongoDB has no primary');
      });
      state.opened = true;
      state.primary = true;
    }
    await onConnect(connection);
    state.ready = true;
    logger.info({ database }, 'MongoDB is ready');
  }
  async function connectUntilReady(): Promise<void> {
    for (let attempt = 1; !state.closed && !state.ready; attempt++) {
      try {
        await connectOnce();
      } catch (error) {
        logger.warn({ err: error, attempt }, 'waiting for MongoDB');
        await sleep(Math.min(2000, 100 * 2 ** attempt));
      }
    }
  }
  void connectUntilReady();

  return {
    connection,
    isUp: () => state.ready && state.primary && majority.isUp(),
    close: async () => {
      state.closed = true;
      await connection.close();
    },
  };
}

export const databaseUnavailable = (): Problem =>
  unavailable({ detail: "The database isn't responding. Repeat the request in a second." });

const unavailableNames =
  /^(MongoServerSelection|MongoNetwork|MongoNetworkTimeout|MongoPoolCleared|PoolClearedOnNetwork|MongoNotConnected|MongoTopologyClosed|MongoExpiredSession|MongoClientClosed|MongooseServerSelection|MongoWaitQueueTimeout)Error$/;
/**
 * Codes of errors after which the database may soon be available again: the server is shutting down or starting, is not the
 * primary, lost a cursor in a restart (43), exceeded a time limit (50), had no majority in time (64), or aborted a killed
 * session's transaction (251). Except for 11601, the other codes are from MongoDB's specification "Retryable Reads".
 */
const unavailableCodes = new Set<unknown>([
  6, 7, 43, 50, 64, 89, 91, 134, 189, 251, 262, 9001, 10_107, 11_600, 11_601, 11_602, 13_435, 13_436,
]);
const { MongoBulkWriteError, MongoError } = mongoose.mongo;

/**
 * Returns the driver's original error. `bulkWrite` wraps every error, even a lost connection, in a server error without labels.
 */
export const unwrapped = (error: unknown): unknown =>
  error instanceof MongoBulkWriteError && error.errorResponse instanceof Error ? error.errorResponse : error;

/**
 * Codes of errors for a document that would exceed 16 MB. Only the document's outbox can grow that large, while the broker is
 * down.
 */
const tooLargeCodes = new Set<unknown>([10_334, 17_419]);
const outboxFull = (): Problem =>
  new NothingWritten(
    'service_unavailable',
    { detail: 'Too many events of this resource are waiting for the message broker. Repeat the request in 5 seconds.' },
    { 'Retry-After': '5' },
  );

/**
 * Returns a 503 if the database is down, frozen, or has no primary or no majority, or if an outbox is full; null for any other
 * error.
 */
export function mongoProblem(failure: unknown): Problem | null {
  const error = unwrapped(failure);
  if (!(error instanceof Error)) return null;
  if (error instanceof MongoError && tooLargeCodes.has(error.code)) return outboxFull();
  const isUnavailable =
    unavailableNames.test(error.name) ||
    (error instanceof MongoError &&
      (unavailableCodes.has(error.code) ||
        error.hasErrorLabel('RetryableWriteError') ||
        error.hasErrorLabel('TransientTransactionError') ||
        error.hasErrorLabel('UnknownTransactionCommitResult'))) ||
    // This is the error of an operation before the first connection is open.
    (error.name === 'MongooseError' && /before initial connection is complete/.test(error.message));
  return isUnavailable ? databaseUnavailable() : null;
}
