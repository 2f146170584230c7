import mongoose, { type mongo } from 'mongoose';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSealer } from '@comanda/shared/crypto/seal';
import { budget } from '@comanda/testing/budget';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createCheckpointStore } from '../src/checkpoints/checkpoint-store.ts';
import { makeCheckpoints } from '../src/checkpoints/make-checkpoints.ts';
import { createIdStore } from '../src/ids/id-store.ts';
import { createSigningKeyStore } from '../src/receipts/signing-key-store.ts';
import { postBatch } from '../src/transfers/post-batch.ts';
import { newCommand } from './support/books.ts';
import { findingsOf } from './support/findings.ts';
import { openSmallLedger, type SmallLedger } from './support/small-ledger.ts';
import { tamperingsOf, type Documents, type Tampering } from './support/tamperings.ts';

/** The collections that secure the ledger. `tampering-meanwhile.test.ts` covers accounts and journal rows. */
const tampered = ['checkpoints', 'keys', 'counters'] as const;
const all = [...tampered, 'accounts', 'transfers'] as const;

let ledger: SmallLedger;
let client: mongoose.mongo.MongoClient;
let db: mongo.Db;
const original = new Map<string, Documents>();

beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('proofs-meanwhile');
  ledger = await openSmallLedger({ uri, database });
  await ledger.checkpoint();
  client = await new mongoose.mongo.MongoClient(uri, { writeConcern: { w: 1, journal: false } }).connect();
  db = client.db(database);
  for (const name of all)
    original.set(name, await db.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray());
});
afterAll(async () => {
  await client.close();
  await ledger.books.close();
});

/** Replaces a collection's documents. Only the last write waits for a majority, which then confirms the earlier writes too. */
async function write(name: string, documents: Documents): Promise<void> {
  await db.collection(name).deleteMany({});
  if (documents.length > 0) await db.collection(name).insertMany(documents, { bypassDocumentValidation: true });
  await db.collection('written').insertOne({}, { writeConcern: { w: 'majority', journal: true } });
}
const keyStore = () =>
  createSigningKeyStore(ledger.books.connection, { sealer: createSealer(ledger.secret), logger: silentLogger });

/** Returns verify-ledger's findings. `expectedJws`: a checkpoint's signature from the logs. */
async function findings(expectedJws?: string): Promise<string[]> {
  const { trusted: keys, unopened: unopenedKeys } = await keyStore().findTrustedKeys();
  return findingsOf({ connection: ledger.books.connection, keys, unopenedKeys, expectedJws });
}

/**
 * Starts an instance with the keys and id counters in the database, posts a transfer and creates a checkpoint. `heard`: the
 * failures and errors that an operator would notice. `logged`: the checkpoint's signature.
 */
async function postAndSign(): Promise<{ rowId: number | null; heard: string[]; logged?: string | undefined }> {
  const { books, ana, rui } = ledger;
  try {
    const { signer, trusted } = await keyStore().getSigningKeys(new Date());
    const nextId = createIdStore(books.connection, { name: 'transfer', blockSize: 1 });
    const transfer = newCommand({ from: ana, to: rui, amountMinor: 1n });
    const command = { ...transfer, transferId: await nextId() };
    const [outcome] = await postBatch({ ...books.deps, signer: () => signer }, [command]);
    if (!outcome || 'error' in outcome) return { rowId: null, heard: [String(outcome?.error)] };
    if (outcome.value === 'too_late') return { rowId: null, heard: ['too late'] };
    const checkpoints = createCheckpointStore(books.connection);
    const input = { signer, trusted, now: new Date() };
    const stores = { accounts: books.accounts, journal: books.journal, checkpoints };
    const { defects, made } = await makeCheckpoints(stores, input);
    return { rowId: outcome.value.row.id, heard: defects, logged: made.at(-1)?.jws };
  } catch (error) {
    return { rowId: null, heard: [String(error)] };
  }
}

/** Restores the original documents, without the instance's transfer. Documents that the instance has added remain. */
async function cutOff({ collection }: Tampering, during: Documents): Promise<void> {
  const text = ({ _id }: Record<string, unknown>) => mongoose.mongo.BSON.EJSON.stringify({ _id }, { relaxed: false });
  const now = await db.collection(collection).find({}, { promoteValues: false }).toArray();
  const known = new Set([...(original.get(collection) ?? []), ...during].map(text));
  await write(collection, [...(original.get(collection) ?? []), ...now.filter((each) => !known.has(text(each)))]);
  for (const name of ['accounts', 'transfers']) await write(name, original.get(name) ?? []);
}
const restore = async (): Promise<void> => {
  for (const name of all) await write(name, original.get(name) ?? []);
};

/** Returns true if MongoDB rejected the documents: a unique index allows no duplicates, and an `_id` can't be a list. */
const isRefusal = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && [2, 53, 11_000].includes(Number(error.code));

test('a transfer is signed, or an operator is warned, if a proof is changed temporarily', async () => {
  const nextNumberTaken: Tampering = {
    name: 'checkpoints: the next number taken',
    collection: 'checkpoints',
    apply: (documents) => [...documents, { ...documents.at(-1), _id: new mongoose.mongo.Int32(documents.length + 1) }],
  };
  const ofEachField = tampered.flatMap((name) => {
    const documents = original.get(name) ?? [];
    return tamperingsOf(
      name,
      documents,
      documents.map((_each, index) => ({ label: String(index), index })),
    );
  });
  const unheard: string[] = [];
  const outcomes = { signed: 0, heard: 0, inLogsOnly: [] as string[] };
  for (const tampering of [nextNumberTaken, ...ofEachField]) {
    const during = tampering.apply(original.get(tampering.collection) ?? []);
    try {
      await write(tampering.collection, during);
      const { rowId, heard, logged } = await postAndSign();
      await cutOff(tampering, during);
      const isFound = rowId !== null && (await findings()).length > 0;
      if (isFound) outcomes.signed++;
      else if (heard.length > 0) outcomes.heard++;
      else if (logged !== undefined && (await findings(logged)).length > 0) outcomes.inLogsOnly.push(tampering.name);
      else unheard.push(tampering.name);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    } finally {
      await restore();
    }
  }

  expect(unheard).toEqual([]);
  // Restoring the original checkpoint overwrites the instance's checkpoint with the same number. verify-ledger reveals this only
  // with `--checkpoint` and the overwritten checkpoint's signature.
  const otherIds = ['removed', 'lowered', 'as null', 'as a string'].map((what) => `checkpoints (0): _id ${what}`);
  expect(outcomes.inLogsOnly).toEqual([...budget([], otherIds), 'checkpoints (0): deleted']);
  expect(outcomes.signed).toBeGreaterThan(budget(0, 30));
  expect(outcomes.heard).toBeGreaterThan(0);
  expect(await findings()).toEqual([]);
}, 1_200_000);
