import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, loadConfig, mongodbSettings, type ConfigOf, type Settings } from '../config/load-config.ts';
import { Problem } from '@comanda/contracts/problem';
import { connectMongo, type MongoLink } from './connection.ts';
import { createTransactions, type Transactions } from './transactions.ts';
import { createLogger, type Logger } from '../runtime/logger.ts';
import { createShutdown } from '../runtime/shutdown.ts';

/** A failure whose message is printed for the operator without a stack. */
export class CommandError extends Error {}

type Command<S extends Settings> = {
  /** The service, and its default database, which `MONGODB_DATABASE` replaces. `prepare` comes first, if it is given. */
  of: { service: string; database: string; prepare?: (connection: MongoLink['connection']) => Promise<void> };
  env: NodeJS.ProcessEnv;
  settings: S;
  /** Returns one line that describes what was done. */
  run: (context: {
    connection: MongoLink['connection'];
    transactions: Transactions;
    config: ConfigOf<S>;
    logger: Logger;
  }) => Promise<string>;
};
const connectTimeoutMs = 10_000;

/** Runs a command of an operator on the database of a service: prints one line; exit code 0, 1, or 78 (EX_CONFIG). */
export async function runCommand<S extends Settings>({ of, env, settings, run }: Command<S>): Promise<void> {
  const logger = createLogger({ service: of.service, level: 'silent' });
  const shutdown = createShutdown(logger);
  try {
    const { mongodbUri: uri, mongodbDatabase: database } = loadConfig(mongodbSettings(of.database), env);
    const config = loadConfig(settings, env);
    const { prepare = () => Promise.resolve() } = of;
    const mongo = connectMongo({ uri, database, logger, prepare, socketTimeoutMS: 0 });
    shutdown.add('mongodb', mongo.close);
    await untilUp(mongo);
    const { connection, isUp } = mongo;
    const transactions = createTransactions({ connection, isUp, logger });
    shutdown.add('transactions', transactions.close);
    process.stdout.write(`${await run({ connection, transactions, config, logger })}\n`);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 78 : 1;
  } finally {
    await shutdown.close();
  }
}

async function untilUp(mongo: MongoLink): Promise<void> {
  const deadline = performance.now() + connectTimeoutMs;
  while (!mongo.isUp()) {
    if (performance.now() > deadline) throw new CommandError('MongoDB does not respond at MONGODB_URI.');
    await sleep(50);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof CommandError || error instanceof ConfigError || error instanceof Problem
    ? error.message
    : String((error as Error)?.stack ?? error);
