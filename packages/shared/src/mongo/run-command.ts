import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, loadConfig, mongodbSettings } from '../config/load-config.ts';
import type { ConfigOf, Settings } from '../config/load-config.ts';
import { Problem } from '@comanda/contracts/problems';
import { connectMongo } from './connection.ts';
import type { MongoLink } from './connection.ts';
import { createTransactions } from './transactions.ts';
import type { Transactions } from './transactions.ts';
import { createLogger } from '../runtime/logger.ts';
import type { Logger } from '../runtime/logger.ts';

/** What an operator is told in place of a result: something is not as it should be. */
export class CommandError extends Error {}

type Command<S extends Settings> = {
  /** The service, and the database that is its own where `MONGODB_DATABASE` names no other. */
  of: { service: string; database: string };
  env: NodeJS.ProcessEnv;
  settings: S;
  /** Says in one line what was done. */
  run: (house: {
    connection: MongoLink['connection'];
    transactions: Transactions;
    config: ConfigOf<S>;
    logger: Logger;
  }) => Promise<string>;
};
const waitMs = 10_000;

/** Runs an operator's command against a service's database: one line of outcome, exit code 0, 1 or 78 (EX_CONFIG). */
export async function runCommand<S extends Settings>({ of, env, settings, run }: Command<S>): Promise<void> {
  const logger = createLogger({ service: of.service, level: 'silent' });
  const closing: (() => Promise<void>)[] = [];
  try {
    const { mongodbUri: uri, mongodbDatabase: database } = loadConfig(mongodbSettings(of.database), env);
    const config = loadConfig(settings, env);
    const mongo = connectMongo({ uri, database, logger, prepare: () => Promise.resolve() });
    closing.unshift(mongo.close);
    await untilUp(mongo);
    const { connection, isUp } = mongo;
    const transactions = createTransactions({ connection, isUp, logger });
    closing.unshift(transactions.close);
    process.stdout.write(`${await run({ connection, transactions, config, logger })}\n`);
  } catch (error) {
    process.stderr.write(`${tell(error)}\n`);
    process.exitCode = error instanceof ConfigError ? 78 : 1;
  } finally {
    for (const close of closing) await close();
  }
}

async function untilUp(mongo: MongoLink): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (!mongo.isUp()) {
    if (performance.now() > deadline) throw new CommandError('MongoDB does not answer at MONGODB_URI.');
    await sleep(50);
  }
}

const tell = (error: unknown): string =>
  error instanceof CommandError || error instanceof ConfigError || error instanceof Problem
    ? error.message
    : String((error as Error)?.stack ?? error);
