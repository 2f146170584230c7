import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type Connection } from 'mongoose';
import { NothingWritten, type Problem, unavailable } from '@comanda/contracts/problem';
import type { Logger } from '../runtime/logger.ts';
import { createMajorityWatch } from './majority-watch.ts';
import { patchDriver } from './patch-driver.ts';

export type MongoLink = {
  connection: Connection;
  /** Returns true while a primary responds, its writes reach a majority of the members, and `onConnect` has succeeded. */
  isUp: () => boolean;
  close: () => Promise<void>;
};
type Options = {
  uri: string;
  database: string;
  logger: Logger;
  /** Called after the first connection and retried until it succeeds. Until then, `isUp` is false. */
  onConnect: (connection: Connection) => Promise<void>;
  maxPoolSize?: number;
  /** The time limit for every operation in milliseconds; by default 1,500. 0 means no limit, for operators' commands. */
  socketTimeoutMS?: number;
};

/**
 * Makes a majority of the members acknowledge every write, with journal. If no majority confirms a write in time, the outcome is
 * unknown (error 64).
 */
export const majorityWrites = { w: 'majority', journal: true, wtimeoutMS: 700 } as const;

/**
 * The read concern for reads whose result a later write checks (compare-and-set). They see the primary's newest data, which may
 * be rolled back. All other reads outside transactions see only data that a majority of the members has, so that no response
 * contains data that is lost with the primary.
 */
export const newest = { readConcern: { level: 'local' } } as const;

/**
 * Connects to a replica set, with majority and journaled writes, and majority reads. Returns immediately and keeps trying to
 * connect. While the server is down or frozen, or a majority of the members does not confirm writes, every operation fails within
 * 1.5 s, so that clients get 503 within 2 s.
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
    // Opens the connection only once, even if the server goes down afterwards. The driver reconnects by itself, and a second
    // client would mix one client's sessions with another's collections.
    if (!state.opened) {
      await connection.openUri(uri, {
        dbName: database,
        // Operations before the first connection fail immediately. `connection.set` would not change this.
        bufferCommands: false,
        autoIndex: false,
        autoCreate: false,
        maxPoolSize,
        // A ping every 500 ms with a time limit of 900 ms detects a frozen server and aborts its operations. The driver retries
        // nothing: a second attempt would take as long as the first. The driver's own `timeoutMS` does not abort operations.
        serverMonitoringMode: 'poll',
        heartbeatFrequencyMS: 500,
        connectTimeoutMS: 900,
        serverSelectionTimeoutMS: 900,
        // In a burst, the last operations wait until connections are opened or returned. A frozen server ends this wait too.
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
 * Error codes from a server that is shutting down, is starting, is not the primary, lost a cursor in a restart (43), aborts at a
 * time limit (50), has no majority in time (64), or has aborted a killed session's transaction (251). All others except 11601 are
 * from MongoDB's specification "Retryable Reads".
 */
const unavailableCodes = new Set<unknown>([
  6, 7, 43, 50, 64, 89, 91, 134, 189, 251, 262, 9001, 10_107, 11_600, 11_601, 11_602, 13_435, 13_436,
]);
const { MongoBulkWriteError, MongoError } = mongoose.mongo;

/** Returns the driver's original error. `bulkWrite` wraps even a lost connection in a server error without labels. */
export const unwrapped = (error: unknown): unknown =>
  error instanceof MongoBulkWriteError && error.errorResponse instanceof Error ? error.errorResponse : error;

/** Error codes for a document that would exceed 16 MB. Only its outbox can grow that large, while the broker is down. */
const tooLargeCodes = new Set<unknown>([10_334, 17_419]);
const outboxFull = (): Problem =>
  new NothingWritten(
    'service_unavailable',
    { detail: 'Too many events of this resource are waiting for the message broker. Repeat the request in 5 seconds.' },
    { 'Retry-After': '5' },
  );

/**
 * Returns a 503 for a database that is down, frozen, or without a primary or a majority, and for a full outbox; null for any
 * other error.
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
    // The error of an operation before the first connection.
    (error.name === 'MongooseError' && /before initial connection is complete/.test(error.message));
  return isUnavailable ? databaseUnavailable() : null;
}
