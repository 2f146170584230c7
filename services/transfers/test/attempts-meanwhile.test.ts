import mongoose, { type mongo } from 'mongoose';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import type { Attempt } from '../src/bill-payments/attempt.ts';
import { createAttemptStore } from '../src/bill-payments/attempt-store.ts';
import { sweepAttempts } from '../src/bill-payments/attempt-sweep.ts';
import { createLogger } from '@comanda/shared/runtime/logger';
import { createJournalStore } from '../src/transfers/journal-store.ts';
import { createRowVerifier } from '../src/transfers/verify-row.ts';
import { newCommand } from './support/books.ts';
import { findingsOf } from './support/findings.ts';
import { openSmallLedger, type SmallLedger } from './support/small-ledger.ts';
import { tamperingsOf, type Documents } from './support/tamperings.ts';

const collection = 'bill_payment_attempts';
let ledger: SmallLedger;
let client: mongoose.mongo.MongoClient;
let db: mongo.Db;
const original = new Map<string, Documents>();

const read = (name: string): Promise<Documents> =>
  db.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray();
/** Replaces a collection's documents. Only the last write waits for a majority, which then confirms the earlier writes too. */
async function write(name: string, documents: Documents): Promise<void> {
  await db.collection(name).deleteMany({});
  if (documents.length > 0) await db.collection(name).insertMany(documents, { bypassDocumentValidation: true });
  await db.collection('written').insertOne({}, { writeConcern: { w: 'majority', journal: true } });
}

beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('attempts-meanwhile');
  ledger = await openSmallLedger({ uri, database });
  client = await new mongoose.mongo.MongoClient(uri, { writeConcern: { w: 1, journal: false } }).connect();
  db = client.db(database);
  await noteAttempts();
  for (const name of [collection, 'accounts', 'transfers']) original.set(name, await read(name));
});
afterAll(async () => {
  await client.close();
  await ledger.books.close();
});

/**
 * Stores four attempts, one for each kind of payment: paid by Ana, refunded, still payable, and still payable but with an expired
 * token.
 */
async function noteAttempts(): Promise<void> {
  const { books, ana } = ledger;
  const takings = await books.accounts.getTakingsAccount('BRL', new Date());
  const payment = (paymentId: number) =>
    newCommand({ kind: 'bill_payment', from: ana, to: takings, amountMinor: 20n, paymentId });
  const refund = newCommand({
    kind: 'bill_refund',
    from: takings,
    to: ana,
    amountMinor: 20n,
    paymentId: 702,
    userId: 900_001,
  });
  const [paid, earlier] = [payment(701), payment(702)];
  await books.post([paid, earlier]);
  await books.post([refund]);
  const inAMinute = Date.now() + 60_000;
  const noted: Attempt[] = [
    { jti: paid.consent.jti, paymentId: 701, purpose: 'payment', tokenExpiresAtMs: inAMinute },
    { jti: refund.consent.jti, paymentId: 702, purpose: 'refund', tokenExpiresAtMs: inAMinute },
    { jti: 'of-703', paymentId: 703, purpose: 'payment', tokenExpiresAtMs: inAMinute },
    { jti: 'of-704', paymentId: 704, purpose: 'payment', tokenExpiresAtMs: Date.now() - 3_600_000 },
  ];
  for (const attempt of noted) await createAttemptStore(books.connection).noteAttempt(attempt, new Date(0));
}

/** Runs a sweep. Returns its reports to the orders service: for each payment, the statement's type and the payment named in it. */
async function sweep({ logger = silentLogger } = {}): Promise<string[]> {
  const { books, keys } = ledger;
  const reported: string[] = [];
  const attempts = createAttemptStore(books.connection);
  const verify = createRowVerifier({ trusted: () => keys, logger: silentLogger });
  const deps = {
    attempts,
    journal: createJournalStore(books.connection, { signer: books.deps.signer, verify }),
    orders: {
      settle: async (paymentId: number, statement: string) => {
        const [head = '', claims = ''] = statement.split('.').map((part) => Buffer.from(part, 'base64url').toString());
        const { typ } = JSON.parse(head) as { typ: string };
        reported.push(`${paymentId}: ${typ} of ${String((JSON.parse(claims) as { payment_id?: number }).payment_id)}`);
        return {} as never;
      },
    },
    clock: Date.now,
    logger,
    metrics: { countSettlement: () => undefined, watchAttempts: () => undefined },
  };
  await sweepAttempts(deps).catch(() => undefined);
  return reported.toSorted();
}
const balances = async () => {
  const found = await db.collection('accounts').find().sort({ _id: 1 }).toArray();
  return found.map(({ balance, seq }) => `${String(balance)} after ${String(seq)}`);
};
const findings = () => findingsOf({ connection: ledger.books.connection, keys: ledger.keys });
const isRefusal = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && [2, 53, 11_000].includes(Number(error.code));

test.each([
  ["without its token's expiry time", { $unset: { token_expires_at: '' } }],
  ["with text as its token's expiry time", { $set: { token_expires_at: 'soon' } }],
  ['with a payment that is not a number', { $set: { payment_id: 'x' } }],
  ['for an unknown purpose', { $set: { purpose: 'gift' } }],
])('the sweep still reports other attempts if the oldest is stored %s', async (_what, change) => {
  const options = { bypassDocumentValidation: true, writeConcern: { w: 'majority' } } as const;
  await db.collection(collection).updateOne({ payment_id: 703 }, change, options);
  const lines: string[] = [];
  const logger = createLogger({ service: 'transfers', level: 'error' }, { write: (line) => void lines.push(line) });
  const notes = db.collection<{ _id: string; next_at: Date }>(collection);
  const before = Date.now();

  const reported = await sweep({ logger });
  const left = await notes.findOne({ _id: 'of-703' });
  for (const [each, documents] of original) await write(each, documents);

  expect(reported).toEqual(expect.arrayContaining(['701: receipt+jws of 701', '702: receipt+jws of 702']));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ note: 'of-703', msg: expect.stringContaining('is left out') }),
  ]);
  expect(left?.next_at.getTime()).toBeGreaterThanOrEqual(before + 60_000);
});

test("an attempt that is changed only while a sweep runs doesn't move money", async () => {
  const notes = original.get(collection) ?? [];
  const samples = notes.map((_note, index) => ({ label: String(index), index }));
  const before = await balances();
  const posted = ['701: receipt+jws of 701', '702: receipt+jws of 702'];
  const wrong: string[] = [];
  let count = 0;
  for (const { name, apply } of tamperingsOf(collection, notes, samples)) {
    try {
      await write(collection, apply(notes));
      await sweep();
      await write(collection, notes);
      const reported = await sweep();
      count++;
      const isReported = posted.every((each) => reported.includes(each));
      if (!isReported || (await balances()).join() !== before.join()) wrong.push(`${name}: ${reported.join(', ')}`);
      for (const finding of await findings()) wrong.push(`${name}: ${finding}`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    } finally {
      for (const [each, documents] of original) await write(each, documents);
    }
  }

  expect(count).toBeGreaterThan(budget(20, 100));
  expect(wrong).toEqual([]);
}, 1_200_000);
