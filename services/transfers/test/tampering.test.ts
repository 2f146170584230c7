import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import mongoose, { type mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { budget } from '@comanda/testing/budget';
import { until } from '@comanda/testing/until';
import { newCommand } from './support/books.ts';
import { findingsOf } from './support/findings.ts';
import { notFound } from './support/not-found-tamperings.ts';
import { openSmallLedger, type SmallLedger } from './support/small-ledger.ts';
import { tamperingsOf, type Documents, type Sample, type Tampering } from './support/tamperings.ts';

let where: { uri: string; database: string };
let ledger: SmallLedger;
let client: mongoose.mongo.MongoClient;
let db: mongo.Db;
let original: Map<string, Documents>;
let indexes: Map<string, mongo.IndexDescription[]>;

beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('tampering');
  where = { uri, database };
  ledger = await openSmallLedger(where);
  await writeAllKindsOfRows();
  await openWithKey();
  await ledger.checkpoint();
  await writeAllKindsOfRows();
  await ledger.checkpoint();
  await writeRowsWithoutEntries();
  await ledger.books.stopHeartbeat();
  client = await new mongoose.mongo.MongoClient(uri, { writeConcern: { w: 1, journal: false } }).connect();
  db = client.db(database);
  const names = (await db.listCollections().toArray()).map(({ name }) => name).toSorted();
  original = new Map();
  indexes = new Map();
  for (const name of names) {
    original.set(name, await db.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray());
    const found = await db.collection(name).listIndexes().toArray();
    const own = found.filter((index) => index['name'] !== '_id_');
    indexes.set(
      name,
      own.map(({ v: _v, ...index }) => index as mongo.IndexDescription),
    );
  }
});
afterAll(async () => {
  await client.close();
  await ledger.books.close();
});

/** Returns options that contain a new idempotency key. */
const withKey = () => ({ idempotency: { key: randomUUID(), fingerprint: 'f' } });

let lastPayment = 0;
/**
 * Writes rows of every kind: with and without idempotency keys and descriptions, a bill payment with its refund, and rejected and
 * expired rows. Adds an account without entries.
 */
async function writeAllKindsOfRows(): Promise<void> {
  const { books, ana, rui } = ledger;
  const takings = await books.accounts.getTakingsAccount('BRL', new Date());
  const ofBill = { paymentId: ++lastPayment, amountMinor: 2n };
  await books.post([
    newCommand({ kind: 'bill_payment', from: ana, to: takings, ...ofBill, ...withKey() }),
    newCommand({ kind: 'bill_refund', from: takings, to: ana, userId: 900_001, ...ofBill }),
    newCommand({ kind: 'bill_payment', from: ana, to: takings, amountMinor: 2n, paymentId: ++lastPayment }),
    newCommand({
      kind: 'bill_payment',
      from: ana,
      to: takings,
      amountMinor: 2n,
      paymentId: ++lastPayment,
      refusal: { code: 'payment_not_payable', paymentStatus: 'cancelled' },
    }),
  ]);
  await books.post([
    newCommand({ from: ana, to: rui, amountMinor: 1n, description: 'Lunch', ...withKey() }),
    newCommand({ from: ana, to: rui, amountMinor: 1_000_000n, ...withKey() }),
  ]);
  await writeRowsWithoutEntries();
}
async function writeRowsWithoutEntries(): Promise<void> {
  const { books, ana, rui } = ledger;
  await books.post([newCommand({ from: ana, to: rui, amountMinor: 1_000_000n, ...withKey() })]);
  await books.journal.insertExpired(newCommand({ from: ana, to: rui, amountMinor: 1n }).consent.jti, new Date());
  await books.funded(0n);
}

async function openWithKey(): Promise<void> {
  const facts = { name: null, ownerId: 5, ownerName: 'Ana', currency: 'BRL', createdAt: new Date() } as const;
  await ledger.books.accounts.insertAccount({ ...facts, idempotency: { key: 'savings', fingerprint: 'f' } });
}

/** Returns all of verify-ledger's findings. */
async function findings({ store, books } = ledger): Promise<string[]> {
  const { trusted: keys, unopened: unopenedKeys } = await store.findTrustedKeys();
  return findingsOf({ connection: books.connection, keys, unopenedKeys });
}
/** Replaces only the documents that differ, by object identity. */
async function replace(name: string, from: Documents, to: Documents): Promise<void> {
  const without = (documents: Documents, others: Documents) => documents.filter((each) => !others.includes(each));
  const [gone, added] = [without(from, to), without(to, from)];
  await db.collection(name).deleteMany({ _id: { $in: gone.map(({ _id: id }) => id as mongo.ObjectId) } });
  if (added.length > 0) await db.collection(name).insertMany(added, { bypassDocumentValidation: true });
}
/** Replaces a collection's documents. Only the last write waits for a majority, which then confirms the earlier writes too. */
async function write(name: string, documents: Documents): Promise<void> {
  await db.collection(name).deleteMany({});
  if (documents.length > 0) await db.collection(name).insertMany(documents, { bypassDocumentValidation: true });
}
const untilVisible = (): Promise<unknown> =>
  db.collection('written').insertOne({}, { writeConcern: { w: 'majority', journal: true } });

/**
 * Tampers, returns the findings, and undoes the tampering. Returns null if MongoDB does not store such a document. If an index
 * had to be dropped for the tampering, ignores findings about indexes.
 */
async function findAfter({ collection, apply }: Tampering): Promise<string[] | null> {
  const before = original.get(collection) ?? [];
  const after = apply(before);
  let isIndexDropped = false;
  let isWritten = false;
  try {
    await replace(collection, before, after).catch(async (error: { code?: number }) => {
      if (error.code !== 11_000) throw error;
      isIndexDropped = true;
      await db.collection(collection).dropIndexes();
      await write(collection, after);
    });
    isWritten = true;
    await untilVisible();
    return (await findings()).filter((finding) => !isIndexDropped || !finding.startsWith('index '));
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  } finally {
    await (isWritten ? replace(collection, after, before) : write(collection, before));
    const own = indexes.get(collection) ?? [];
    if (isIndexDropped && own.length > 0) await db.collection(collection).createIndexes(own);
  }
}
/**
 * Returns true if MongoDB rejected the documents. It allows no list as `_id` or in two fields of an index, and no change to an
 * `_id`.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && [2, 53, 171, 11_000].includes(Number(error.code));

function samplesOf(name: string): Sample[] {
  const documents = original.get(name) ?? [];
  const sample = (label: string, isIt: (document: Documents[number]) => boolean): Sample => ({
    label,
    index: documents.findIndex(isIt),
  });
  /** Returns a sample after the newest checkpoint. Only these fields are changed, because the other samples cover the rest. */
  const lastSample = (label: string, isIt: (document: Documents[number]) => boolean): Sample => ({
    label: `${label}, after the newest checkpoint`,
    index: documents.findLastIndex(isIt),
    fields: ['owner_id', 'owner_name', 'created_at', 'statement', 'written'],
  });
  const status = (wanted: string) => (document: Documents[number]) => document['status'] === wanted;
  const kind = (wanted: string) => (document: Documents[number]) => document['kind'] === wanted;
  const isEmpty = ({ seq }: Documents[number]): boolean => Number(seq) === 0;
  const expired = documents
    .filter(status('expired'))
    .toSorted((a, b) => Number(a['created_at']) - Number(b['created_at']));
  if (name === 'accounts')
    return [
      sample('cash', ({ owner_id: owner }) => owner === null),
      sample('takings', ({ owner_id: owner }) => Number(owner) === 0 && owner !== null),
      sample('with entries', ({ owner_id: owner }) => owner !== null && Number(owner) > 0),
      sample('without entries', isEmpty),
      {
        label: 'with a key',
        index: documents.findIndex((account) => 'idempotency_key' in account),
        fields: ['idempotency_key', 'request_fingerprint'],
      },
      lastSample('without entries', isEmpty),
    ];
  if (name === 'transfers')
    return [
      sample('posted', kind('internal_transfer')),
      sample('posted, payment of a bill', kind('bill_payment')),
      sample('posted, refund', kind('bill_refund')),
      {
        label: 'refused, payment of a bill',
        index: documents.findIndex((row) => 'payment_status' in row),
        fields: ['code', 'payment_status'],
      },
      sample('posted with a key', (row) => kind('internal_transfer')(row) && 'idempotency_key' in row),
      sample('refused', status('refused')),
      lastSample('refused', status('refused')),
      { label: 'expired', index: documents.indexOf(expired[0] as Documents[number]) },
      lastSample('expired', (row) => row === expired.at(-1)),
    ];
  if (name === 'checkpoints')
    return [
      { label: 'first', index: 0, fields: ['jws'] },
      { label: 'newest', index: documents.length - 1 },
    ];
  return documents.map(({ _id }, index) => ({ label: String(_id), index }));
}

test("verify-ledger finds all tampering that isn't in the list of exceptions", async () => {
  expect(await findings()).toEqual([]);
  const tamperings = [...original].flatMap(([name, documents]) => tamperingsOf(name, documents, samplesOf(name)));

  const unfound: string[] = [];
  const found: string[] = [];
  for (const tampering of tamperings) {
    const after = await findAfter(tampering);
    if (after) (after.length === 0 ? unfound : found).push(tampering.name);
  }

  const isListed = (name: string): boolean => notFound.some(({ names }) => names.test(name));
  expect(found.length).toBeGreaterThan(budget(70, 400));
  expect(unfound.filter((name) => !isListed(name))).toEqual([]);
  // An exception that is found after all, or that matches no tampering, must be removed from the list.
  expect(found.filter(isListed)).toEqual([]);
  const unused = notFound.filter(({ names }) => !unfound.some((name) => names.test(name)));
  expect(budget([], unused)).toEqual([]); // the short form does not cover all exceptions
  await untilVisible();
  expect(await findings()).toEqual([]);
}, 1_200_000);

describe('verify-ledger on indexes', () => {
  const guarded = (): [string, mongo.IndexDescription][] =>
    ['accounts', 'transfers'].flatMap((name) =>
      (indexes.get(name) ?? [])
        .filter((index) => index.name !== 'outbox_pending')
        .map((index): [string, mongo.IndexDescription] => [name, index]),
    );

  test('reports an index that is missing or no longer unique', async () => {
    for (const [name, index] of guarded()) {
      await db.collection(name).dropIndex(index.name ?? '');
      const dropped = await findings();
      const { unique, ...withoutUnique } = index;
      if (unique) await db.collection(name).createIndexes([withoutUnique]);
      const weakened = await findings();
      if (unique) await db.collection(name).dropIndex(index.name ?? '');
      await db.collection(name).createIndexes([index]);
      const expected = [`index ${name} (${Object.keys(index.key).join(', ')}): it is missing or not as it was created`];

      expect([index.name, dropped, weakened]).toEqual([index.name, expected, expected]);
    }
  });

  test('reports an additional index', async () => {
    const found: string[] = [];
    for (const name of ['transfers', 'accounts', 'checkpoints', 'keys', 'counters']) {
      await db.collection(name).createIndex({ created_at: 1 }, { expireAfterSeconds: 1_000_000 });
      found.push(...(await findings()));
      await db.collection(name).dropIndex('created_at_1');
      const [info] = await db.listCollections<mongo.CollectionInfo>({ name }).toArray();
      const { validator, validationLevel } = info?.options ?? {};
      for (const change of [{ validator: {} }, { validationLevel: 'off' }, { validationAction: 'warn' }]) {
        await db.command({ collMod: name, ...change });
        found.push(...(await findings()));
        await db.command({ collMod: name, validator, validationLevel, validationAction: 'error' });
      }
    }
    expect(found).toEqual(
      ['transfers', 'accounts', 'checkpoints', 'keys', 'counters'].flatMap((name) => [
        `index ${name} (created_at): it is not an index of this service`,
        ...Array.from({ length: 3 }, () => `rules of ${name}: they are not as they were created`),
      ]),
    );
    expect(await findings()).toEqual([]);
  });

  test("ignores a newer release's indexes and rules", async () => {
    const preparations = db.collection<{ _id: string; version: string }>('preparations');
    const [info] = await db.listCollections<mongo.CollectionInfo>({ name: 'transfers' }).toArray();
    const { validator } = info?.options ?? {};
    await preparations.insertOne({ _id: 'database', version: '1000.0.0' });
    await db.collection('transfers').createIndex({ amount: 1 });
    await db.command({ collMod: 'transfers', validator: {} });

    const found = await findings();

    await preparations.deleteOne({ _id: 'database' });
    await db.collection('transfers').dropIndex('amount_1');
    await db.command({ collMod: 'transfers', validator });
    expect(found.toSorted()).toEqual([
      'index transfers (amount): it is newer than this program, which cannot verify it',
      'rules of transfers: it is newer than this program, which cannot verify it',
    ]);
  });

  test('reports the second row if a token was used twice', async () => {
    const own = await openSmallLedger({ ...where, database: `${where.database}-twice` });
    const { books, ana, rui } = own;
    const command = newCommand({ from: ana, to: rui, amountMinor: 1n });
    await books.rows.dropIndex('jti_1');
    const isTwice = async (): Promise<boolean> => {
      // This fails while MongoDB is still dropping the index, so it is repeated until it succeeds.
      await books.post([{ ...command }]);
      return (await books.rows.countDocuments({ jti: command.consent.jti })) === 2;
    };
    await until(isTwice, { what: 'two rows with one token' });

    const found = await findings(own);
    await books.close();

    expect(found).toContainEqual(expect.stringMatching(/^transfer \d+: another row has the same jti$/));
  });
});

test("docs/ledger.md lists everything that verify-ledger can't find", async () => {
  const page = await readFile(new URL('../../../docs/ledger.md', import.meta.url), 'utf8');

  expect(notFound.filter(({ why }) => !page.includes(why))).toEqual([]);
});
