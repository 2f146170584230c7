import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from '../runtime/logger.ts';
import { collectionOf, collectionSchema, findMissing, prepareCollections, type AnySchema } from './collections.ts';
import { isDuplicate } from './transactions.ts';

/** An error that says why a database is not prepared, and what to do. */
export class PreparationError extends Error {}

/** The requirements that a service has for its database before it starts. */
export type Preparation = {
  service: string;
  version: string;
  collections: readonly AnySchema[];
  /** Returns the schemas of additional collections, whose names depend on what the service has stored. */
  findMore?: (connection: Connection) => Promise<readonly AnySchema[]>;
  /**
   * Changes to existing documents, in this order. The last release must be able to run during each step. Each step is completed
   * once. If it fails, the next attempt runs it again from the beginning. A step is never renamed, and it may be removed only
   * when every database has completed it.
   */
  steps: readonly { name: string; run: (connection: Connection) => Promise<void> }[];
};

/**
 * A record of the preparation. `database` says which release prepared the database last, or started to. `lock` says which process
 * is preparing the database now. All other documents are completed steps.
 */
type PreparationDocument = { _id: string; version?: string; at?: Date; holder?: string; until?: Date };
/** The schema for the collection in which a database records its preparation. */
export const preparationSchema = collectionSchema<PreparationDocument>('preparations', {
  _id: { type: String },
  version: { type: String, allowNull: false, maxlength: 64 },
  at: { type: Date, allowNull: false },
  holder: { type: String, allowNull: false, maxlength: 64 },
  until: { type: Date, allowNull: false },
});

/** How long a lock stays valid without being extended, in milliseconds. A killed process's lock expires after this time. */
const lockMs = 15_000;
const extendEveryMs = 3000;
const askAgainMs = 100;
const stepId = (name: string): string => `step: ${name}`;

/**
 * Prepares a database for a release while the last release is running on it: creates collections and indexes, sets the
 * validation, and runs the steps. Can be interrupted and repeated. If several processes start at the same time, one does the work
 * and the others wait. If a newer release has set the validation, it stays, because that release may still be running, and its
 * validation allows what this release writes.
 * @throws PreparationError if a different index already has the name or the keys of a required index, or if a step fails
 */
export async function prepareDatabase(
  connection: Connection,
  preparation: Preparation,
  logger: Pick<Logger, 'info'>,
): Promise<void> {
  const { version } = preparation;
  if ((await findLack(connection, preparation)).length === 0 && (await preparedBy(connection)) === version) {
    logger.info({ version }, 'the database was prepared before');
    return;
  }
  const lock = await takeLock(connection, logger);
  try {
    const newer = await newerRelease(connection, version);
    // Recorded before anything changes, so that an instance of the last release that starts now accepts validation that is not
    // its own.
    if (newer === null) await record(connection, 'database', version);
    const { collections, findMore } = preparation;
    const schemas = [...collections, ...((await findMore?.(connection)) ?? [])];
    await prepareCollections(connection, schemas, { existing: newer === null ? 'change' : 'keep' }).catch(explain);
    await makeSteps(connection, { preparation, lock, logger });
    if (newer === null) logger.info({ version }, 'the database is prepared');
    else logger.info({ version, newer }, 'the database is prepared, with the rules of a newer release');
  } finally {
    await lock.release();
  }
}

async function makeSteps(
  connection: Connection,
  { preparation, lock, logger }: { preparation: Preparation; lock: Lock; logger: Pick<Logger, 'info'> },
): Promise<void> {
  const { version, steps } = preparation;
  for (const { name, run } of steps) {
    if (await collectionOf(connection, preparationSchema).findOne({ _id: stepId(name) })) continue;
    lock.assertHeld();
    await run(connection);
    await record(connection, stepId(name), version);
    logger.info({ step: name }, 'a step of the preparation was made');
  }
}

async function record(connection: Connection, _id: string, version: string): Promise<void> {
  await collectionOf(connection, preparationSchema).updateOne(
    { _id },
    { $set: { version, at: new Date() } },
    { upsert: true },
  );
}

/**
 * Checks that the database is prepared for this release.
 * @throws PreparationError that says what the database lacks, and what to do
 */
export async function assertPrepared(connection: Connection, preparation: Preparation): Promise<void> {
  const lack = await findLack(connection, preparation);
  if (lack.length === 0) return;
  const { service, version } = preparation;
  const more = lack.length > 3 ? ` and ${lack.length - 3} more` : '';
  throw new PreparationError(
    `The database ${connection.name} is not prepared for ${service} ${version}: it lacks ${lack.slice(0, 3).join(', ')}${more}. ` +
      `Run "node dist/prepare.js" in the image of ${service}, with its MONGODB_URI.`,
  );
}

async function findLack(connection: Connection, { version, collections, steps }: Preparation): Promise<string[]> {
  const records = collectionOf(connection, preparationSchema);
  const made = new Set((await records.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
  // A newer release's validation is accepted, because it allows everything that this release writes.
  const rules = (await newerRelease(connection, version)) === null ? 'own' : 'any';
  return [
    ...(await findMissing(connection, { schemas: collections, rules })),
    ...steps.filter(({ name }) => !made.has(stepId(name))).map(({ name }) => `the step "${name}"`),
  ];
}

/** Returns the version of the last release that prepared the database; null if no release has done so. */
async function preparedBy(connection: Connection): Promise<string | null> {
  const found = await collectionOf(connection, preparationSchema).findOne({ _id: 'database' });
  return found?.version ?? null;
}

/**
 * Returns the version that prepared the database if it is newer than `version` [Semantic Versioning 2.0, without labels];
 * otherwise null.
 */
export async function newerRelease(connection: Connection, version: string): Promise<string | null> {
  const other = await preparedBy(connection);
  return other !== null && isNewer(other, version) ? other : null;
}

/**
 * Compares the numbers of two versions. `localeCompare` is not used, because it would load ICU's collation data: 3 MB in every
 * service.
 */
function isNewer(version: string, than: string): boolean {
  const [own = [], other = []] = [version, than].map((each) => each.split('.').map(Number));
  const index = own.findIndex((number, at) => number !== other[at]);
  return index >= 0 && (own[index] ?? 0) > (other[index] ?? 0);
}

type Lock = {
  /**
   * Checks that this process still has the lock.
   * @throws PreparationError if another process may have taken it
   */
  assertHeld: () => void;
  release: () => Promise<void>;
};

/** Waits for the lock and takes it. All times are from the database server's clock. */
async function takeLock(connection: Connection, logger: Pick<Logger, 'info'>): Promise<Lock> {
  const records = collectionOf(connection, preparationSchema);
  const holder = randomUUID();
  const claim = [{ $set: { holder, until: { $add: ['$$NOW', lockMs] } } }];
  await records
    .updateOne({ _id: 'lock' }, { $setOnInsert: { holder: '', until: new Date(0) } }, { upsert: true })
    .catch((error: unknown) => {
      if (!isDuplicate(error)) throw error; // another process was faster to insert the lock
    });
  const isFree = { _id: 'lock', $expr: { $lt: ['$until', '$$NOW'] } };
  for (let attempt = 1; (await records.updateOne(isFree, claim)).matchedCount === 0; attempt++) {
    if (attempt === 1) logger.info('another process prepares the database: waiting for it');
    await sleep(askAgainMs);
  }
  let heldUntil = performance.now() + lockMs;
  const extend = async (): Promise<void> => {
    const sentAt = performance.now();
    const { matchedCount } = await records.updateOne({ _id: 'lock', holder }, claim);
    heldUntil = matchedCount === 1 ? sentAt + lockMs : 0;
  };
  const timer = setInterval(() => void extend().catch(() => undefined), extendEveryMs); // if this fails for `lockMs`, the lock is lost
  return {
    assertHeld: () => {
      if (performance.now() > heldUntil)
        throw new PreparationError('Another process has begun to prepare the database: run this again.');
    },
    release: async () => {
      clearInterval(timer);
      await records.updateOne({ _id: 'lock', holder }, { $set: { until: new Date(0) } });
    },
  };
}

/** MongoDB's error codes for an index whose name or keys another index already has. */
const indexConflicts = new Set<unknown>([85, 86]);

function explain(error: unknown): never {
  const { code, message } = error as mongo.MongoServerError;
  if (!indexConflicts.has(code)) throw error;
  throw new PreparationError(`${message} A changed index needs another name: see docs/releases.md.`, { cause: error });
}
