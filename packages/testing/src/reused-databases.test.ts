import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { isolatedServers } from './isolated-servers.ts';
import { notePrepared, restoreDatabase, reuseDatabases } from './reused-databases.ts';
import { serverUrls } from './environment.ts';

const client = new MongoClient(serverUrls().MONGODB_URI);
afterAll(() => client.close());
const { comandaTestFile } = globalThis;
let file = 0;
/** Simulates the start of another test file. */
const beginFile = (): void => void (globalThis.comandaTestFile = `reused-${++file}`);
beforeEach(beginFile);
afterEach(() => void (globalThis.comandaTestFile = comandaTestFile));

const isFree = { validator: { free: { $type: 'bool' } }, validationLevel: 'strict' };

/** Returns a database for a service. If it is not reused, first prepares it, which inserts one document. */
async function take(): Promise<{ db: Db; isReused: boolean; giveBack: () => void }> {
  const { servers, giveBack } = await reuseDatabases(await isolatedServers('reused'), 'reused-test');
  const db = client.db(servers.database);
  const isReused = await restoreDatabase(db, 'reused-test');
  if (!isReused) {
    const seats = await db.createCollection('seats', isFree);
    await seats.createIndex({ free: 1 });
    await seats.insertOne({ _id: 1 as never, free: true });
    await notePrepared(db, 'reused-test');
  }
  return { db, isReused, giveBack };
}

/** Gets a database, changes it and releases it. Returns the database that the next test file gets. */
async function nextAfter(change: (db: Db) => Promise<unknown>) {
  const { db, giveBack } = await take();
  await change(db);
  giveBack();
  beginFile();
  const next = await take();
  return { ...next, before: db.databaseName };
}

const contentOf = async (db: Db): Promise<unknown> => ({
  collections: (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  seats: await db.collection('seats').find().toArray(),
  indexes: (await db.collection('seats').indexes()).map(({ name }) => name),
});
const asPrepared = { collections: ['seats'], seats: [{ _id: 1, free: true }], indexes: ['_id_', 'free_1'] };

test('the next test file gets the same database if a file has changed only documents', async () => {
  const { db, isReused, before } = await nextAfter(async (given) => {
    await given.collection('seats').deleteMany({});
    await given.collection('seats').insertOne({ free: false });
  });
  expect([db.databaseName, isReused]).toEqual([before, true]);
  expect(await contentOf(db)).toEqual(asPrepared);
});

test.each<[string, (db: Db) => Promise<unknown>]>([
  ['an index was added', (db) => db.collection('seats').createIndex({ more: 1 })],
  ['an index was dropped', (db) => db.collection('seats').dropIndex('free_1')],
  ['the validation was changed', (db) => db.command({ collMod: 'seats', validator: {} })],
  ['a collection was added', (db) => db.createCollection('more')],
  [
    'it has many documents',
    (db) => db.collection('seats').insertMany(Array.from({ length: 5_001 }, () => ({ free: true }))),
  ],
])('the database is replaced when %s', async (_what, change) => {
  const { db, isReused } = await nextAfter(change);
  expect(isReused).toBe(false);
  expect(await contentOf(db)).toEqual(asPrepared);
});

test('a database that a test file created itself is gone for the next file', async () => {
  const { db } = await nextAfter((given) => client.db(`${given.databaseName}_more`).createCollection('more'));
  expect(await client.db(`${db.databaseName}_more`).listCollections().toArray()).toEqual([]);
});

test('a test file never gets back a database that it has released', async () => {
  const { db, giveBack } = await take();
  await db.collection('seats').insertOne({ free: false });
  giveBack();
  const other = await take();
  expect(other.db.databaseName).not.toBe(db.databaseName);
  expect(await restoreDatabase(db, 'reused-test')).toBe(false);
  expect(await db.collection('seats').countDocuments()).toBe(2);
});
