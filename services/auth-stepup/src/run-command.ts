import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, loadConfig, mongodbSettings } from '@comanda/shared/config/load-config';
import type { ConfigOf, Settings } from '@comanda/shared/config/load-config';
import { Problem } from '@comanda/shared/contracts/problems';
import { connectMongo } from '@comanda/shared/mongo/connection';
import type { MongoLink } from '@comanda/shared/mongo/connection';
import { createTransactions } from '@comanda/shared/mongo/transaction-store';
import type { Transactions } from '@comanda/shared/mongo/transaction-store';
import { createLogger } from '@comanda/shared/runtime/logger';
import type { Logger } from '@comanda/shared/runtime/logger';

/** What an operator did wrong, said to them. */
export class CommandError extends Error {}

const databaseSettings = mongodbSettings('comanda_auth');
type Command<S extends Settings> = {
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

/** Runs an operator's command against the service's database: one line of outcome, exit code 0, 1 or 78 (EX_CONFIG). */
export async function runCommand<S extends Settings>({ env, settings, run }: Command<S>): Promise<void> {
  const logger = createLogger({ service: 'auth-stepup', level: 'silent' });
  const closing: (() => Promise<void>)[] = [];
  try {
    const { mongodbUri: uri, mongodbDatabase: database } = loadConfig(databaseSettings, env);
    const config = loadConfig(settings, env);
    const mongo = connectMongo({ uri, database, logger, prepare: async () => {} });
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
