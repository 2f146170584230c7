import { isDeepStrictEqual } from 'node:util';
import { MongoClient, type Db, type Document } from 'mongodb';
import type { IsolatedServers } from './isolated-servers.ts';

declare global {
  /** The path of the current test file, set by scripts/jest/environment.mjs. */
  var comandaTestFile: string | undefined;
}

/**
 * Databases that a test file has released: the kind of test suite, which always creates the same databases; the prefix of their
 * names; and the file.
 */
type Given = { kind: string; prefix: string; file: string };
const given: Given[] = [];
/** The name prefixes of the databases that their test files will release. */
const prefixes = new Set<string>();
/** The service for which each database was prepared, keyed by the database's name. */
const prepared = new Map<string, string>();
/** The names of the prepared databases that contain an earlier file's data. */
const used = new Set<string>();
const freshOf = new Map<string, Fresh>();

/**
 * The state of a newly prepared database: its collections, and the documents that the preparation inserted, with their MongoDB
 * types.
 */
type Fresh = { shape: unknown; documents: [collection: string, documents: Document[]][] };

/** Databases with more documents than this are replaced instead of emptied, because that is faster. */
const maxDeleted = 5_000;

/**
 * Returns the servers with names of databases that an earlier test file in this process has released, or with new names. `kind`
 * identifies a harness or stack that always creates the same databases.
 *
 * Reusing databases saves time: creating a service's collections and indexes takes MongoDB ten times as long as emptying them,
 * and each collection slows MongoDB down until the end of the run. Call `giveBack` after the services are closed. A file never
 * gets its own databases again, because it may still have something open there. Outside of Jest, nothing is reused.
 */
export async function reuseDatabases(
  servers: IsolatedServers,
  kind: string,
): Promise<{ servers: IsolatedServers; giveBack: () => void }> {
  const { comandaTestFile: file } = globalThis;
  if (file === undefined) return { servers, giveBack: () => undefined };
  const index = given.findIndex((each) => each.kind === kind && each.file !== file);
  const [found] = index === -1 ? [] : given.splice(index, 1);
  if (found) await dropOthers(servers.mongodbUri, found.prefix);
  const prefix = found?.prefix ?? servers.database;
  prefixes.add(prefix);
  // Marked only once, here: the file may restart a service on the same databases, which must then not be emptied again.
  if (found) for (const name of prepared.keys()) if (name.startsWith(prefix)) used.add(name);
  return {
    servers: { ...servers, database: prefix },
    giveBack: () => void given.push({ kind, prefix, file }),
  };
}

/** Drops the databases with this prefix that no service was prepared for, because a test created them itself. */
async function dropOthers(uri: string, prefix: string): Promise<void> {
  const client = new MongoClient(uri);
  try {
    const filter = { name: { $regex: `^${prefix}` } };
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true, filter });
    const others = databases.filter(({ name }) => !prepared.has(name));
    await Promise.all(others.map(({ name }) => client.db(name).dropDatabase()));
  } finally {
    await client.close();
  }
}

/**
 * Brings a database from an earlier test file back to its state after it was prepared for this service. Empties and refills it if
 * its collections, validation and indexes are still the same. Otherwise drops it. Returns true if the database is prepared now.
 */
export async function restoreDatabase(db: Db, service: string): Promise<boolean> {
  const fresh = freshOf.get(service);
  if (!used.has(db.databaseName)) return false;
  const isAsPrepared =
    fresh !== undefined &&
    prepared.get(db.databaseName) === service &&
    isDeepStrictEqual(await shapeOf(db), fresh.shape) &&
    (await deleteAll(db)) <= maxDeleted;
  if (isAsPrepared) await refill(db, fresh);
  else await db.dropDatabase();
  used.delete(db.databaseName); // Done last, so that a restore that fails is tried again.
  return isAsPrepared;
}

/** Remembers that a database has just been prepared for a service, if its test file will release the database. */
export async function notePrepared(db: Db, service: string): Promise<void> {
  if (![...prefixes].some((prefix) => db.databaseName.startsWith(prefix))) return;
  if (!freshOf.has(service)) freshOf.set(service, { shape: await shapeOf(db), documents: await documentsOf(db) });
  prepared.set(db.databaseName, service);
}

/** Returns the database's collections with their validation and indexes. */
async function shapeOf(db: Db): Promise<unknown> {
  const collections = (await db.listCollections().toArray()).toSorted(byName);
  return Promise.all(
    collections.map(async ({ name, type, options }: Document) => {
      const indexes = (await db.collection(name).listIndexes().toArray()).toSorted(byName);
      return { name, type, options, indexes };
    }),
  );
}

const byName = (one: Document, other: Document): number => (one['name'] < other['name'] ? -1 : 1);

const namesOf = async (db: Db): Promise<string[]> =>
  (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);

async function documentsOf(db: Db): Promise<Fresh['documents']> {
  const asStored = { promoteValues: false, promoteLongs: false };
  const all = await Promise.all(
    (await namesOf(db)).map(async (name): Promise<Fresh['documents'][number]> => {
      return [name, await db.collection(name).find({}, asStored).toArray()];
    }),
  );
  return all.filter(([, documents]) => documents.length > 0);
}

/** Deletes all documents and returns their number. */
async function deleteAll(db: Db): Promise<number> {
  const results = await Promise.all((await namesOf(db)).map((name) => db.collection(name).deleteMany({})));
  return results.reduce((sum, { deletedCount }) => sum + deletedCount, 0);
}

async function refill(db: Db, { documents }: Fresh): Promise<void> {
  await Promise.all(documents.map(([name, all]) => db.collection(name).insertMany(all)));
}
