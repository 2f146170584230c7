import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, loadConfig, mongodbSettings, type ConfigOf, type Settings } from '../config/load-config.ts';
import { Problem } from '@comanda/contracts/problem';
import { connectMongo, mongoProblem, type MongoLink } from './connection.ts';
import { prepareDatabase, PreparationError, type Preparation } from './prepare-database.ts';
import { createTransactions, type Transactions } from './transactions.ts';
import { createLogger, type Logger } from '../runtime/logger.ts';
import { createShutdown, type Shutdown } from '../runtime/shutdown.ts';

/** A failure whose message is shown to the operator without a stack trace. */
export class CommandError extends Error {}

/** The service, and the default name of its database, which the setting `MONGODB_DATABASE` replaces. */
type Of = { service: string; database: string };
type Command<S extends Settings> = {
  /** The service whose database the command uses. If `onConnect` is given, it runs before the command. */
  of: Of & { onConnect?: (connection: MongoLink['connection']) => Promise<void> };
  env: NodeJS.ProcessEnv;
  settings: S;
  /** Runs the command and returns one line that describes what was done. */
  run: (context: {
    connection: MongoLink['connection'];
    transactions: Transactions;
    config: ConfigOf<S>;
    logger: Logger;
  }) => Promise<string>;
};
const connectTimeoutMs = 10_000;
/**
 * The time limit for preparing a database, in milliseconds. It is long because no request waits for this, and because the
 * database may be starting at the same time.
 */
const prepareTimeoutMs = 60_000;

/** Runs an operator's command on a service's database. Prints one line and sets the exit code to 0, 1, or 78 (EX_CONFIG). */
export async function runCommand<S extends Settings>({ of, env, settings, run }: Command<S>): Promise<void> {
  const logger = createLogger({ service: of.service, level: 'silent' });
  const options = { of, env, settings, logger, timeoutMs: connectTimeoutMs };
  await onDatabase(options, async ({ connection, isUp }, { config, shutdown }) => {
    await of.onConnect?.(connection);
    const transactions = createTransactions({ connection, isUp, logger });
    shutdown.add('transactions', transactions.close);
    process.stdout.write(`${await run({ connection, transactions, config, logger })}\n`);
  });
}

/** Prepares a service's database and logs what was done. Sets the exit code to 0, 1, or 78 (EX_CONFIG). */
export async function runPrepare(
  { database, ...preparation }: Preparation & Pick<Of, 'database'>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { service, version } = preparation;
  const silent = createLogger({ service, level: 'silent' });
  const options = {
    of: { service, database },
    env,
    settings: {},
    logger: silent,
    timeoutMs: prepareTimeoutMs,
  };
  const logger = createLogger({ service, version, level: 'info' });
  await onDatabase(options, async ({ connection }) => {
    const deadline = performance.now() + prepareTimeoutMs;
    for (;;) {
      try {
        return await prepareDatabase(connection, preparation, logger);
      } catch (error) {
        // While the database is unavailable, for example while the primary changes, the preparation is retried until the
        // deadline.
        if (!mongoProblem(error) || performance.now() > deadline) throw error;
        logger.warn({ err: error }, 'preparing the database again');
        await sleep(500);
      }
    }
  });
}

type Options<S extends Settings> = { of: Of; env: NodeJS.ProcessEnv; settings: S; logger: Logger; timeoutMs: number };
type Opened<S extends Settings> = { config: ConfigOf<S>; shutdown: Shutdown };

async function onDatabase<S extends Settings>(
  { of, env, settings, logger, timeoutMs }: Options<S>,
  body: (mongo: MongoLink, opened: Opened<S>) => Promise<void>,
): Promise<void> {
  const shutdown = createShutdown(logger);
  try {
    const { mongodbUri: uri, mongodbDatabase: database } = loadConfig(mongodbSettings(of.database), env);
    const config = loadConfig(settings, env);
    const mongo = connectMongo({ uri, database, logger, onConnect: () => Promise.resolve(), socketTimeoutMS: 0 });
    shutdown.add('mongodb', mongo.close);
    await untilUp(mongo, timeoutMs);
    await body(mongo, { config, shutdown });
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 78 : 1;
  } finally {
    await shutdown.close();
  }
}

async function untilUp(mongo: MongoLink, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!mongo.isUp()) {
    if (performance.now() > deadline) throw new CommandError('MongoDB does not respond at MONGODB_URI.');
    await sleep(50);
  }
}

const messageOf = (error: unknown): string =>
  [CommandError, ConfigError, PreparationError, Problem].some((known) => error instanceof known)
    ? (error as Error).message
    : String((error as Error)?.stack ?? error);
