import mongoose, { type mongo } from 'mongoose';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AccountPayment } from '@comanda/contracts/internal';
import { budget } from '@comanda/testing/budget';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { Account } from '../src/accounts/account.ts';
import { newCommand } from './support/books.ts';
import { findingsOf } from './support/findings.ts';
import { openSmallLedger, type SmallLedger } from './support/small-ledger.ts';
import { tamperingsOf, type Documents, type Tampering } from './support/tamperings.ts';
import { startInstance, type Attempt } from './support/attacker.ts';

let ledger: SmallLedger;
let client: mongoose.mongo.MongoClient;
let db: mongo.Db;
let eve: Account;
let cash: Account;
let takings: Account;
const original = new Map<string, Documents>();

const manager = 900_001;
const [paidByAna, reserved] = [701, 702];
const ofBill = { kind: 'bill_payment', amountMinor: 20n } as const;
const names = ['accounts', 'transfers'] as const;
const read = (name: string): Promise<Documents> =>
  db.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray();

beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('tampering-meanwhile');
  ledger = await openSmallLedger({ uri, database });
  eve = await ledger.books.funded(500n);
  cash = await ledger.books.accounts.getCashAccount('BRL', new Date());
  takings = await ledger.books.accounts.getTakingsAccount('BRL', new Date());
  await ledger.books.post([newCommand({ ...ofBill, from: ledger.ana, to: takings, paymentId: paidByAna })]);
  client = await new mongoose.mongo.MongoClient(uri, { writeConcern: { w: 1, journal: false } }).connect();
  db = client.db(database);
  for (const name of names) {
    // An attacker with write access can remove indexes too.
    if (name === 'accounts') await db.collection(name).dropIndexes();
    original.set(name, await read(name));
  }
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
const text = (value: unknown): string => mongoose.mongo.BSON.EJSON.stringify({ value }, { relaxed: false });

/** Restores the original documents, but keeps the service's own changes. */
async function putBack(name: (typeof names)[number], tampered: Documents): Promise<void> {
  const before = original.get(name) ?? [];
  const now = await read(name);
  const withId = (all: Documents, id: unknown) => all.find((each) => text(each['_id']) === text(id));
  const restored = before.map((document) => {
    const [then, current] = [withId(tampered, document['_id']), withId(now, document['_id'])];
    if (!then || !current) return document;
    const changed = Object.keys(document).filter((field) => text(current[field]) !== text(then[field]));
    return { ...document, ...Object.fromEntries(changed.map((field) => [field, current[field]])) };
  });
  const added = now.filter(({ _id }) => !withId(before, _id) && !withId(tampered, _id));
  await write(name, [...restored, ...added]);
}

async function findings(): Promise<string[]> {
  const found = await findingsOf({ connection: ledger.books.connection, keys: ledger.keys });
  return found.filter((finding) => !finding.startsWith('index '));
}

const ownerOf = ({ ownerId }: Account): number => ownerId ?? 0;
type Payment = { by?: Account; from: Account; to: Account; amountMinor: bigint };
const pay = ({ from, by = from, to, amountMinor }: Payment): Omit<Attempt, 'what'> => ({
  userId: ownerOf(by),
  request: {
    kind: 'internal_transfer',
    fromId: from.id,
    toId: to.id,
    amountMinor,
    currency: undefined,
    description: null,
  },
});
/** Creates a payment of 0.20, in the form in which the orders service returns it. */
const paymentOf = (payer: Account, { id, status }: Pick<AccountPayment, 'id' | 'status'>): AccountPayment => ({
  id,
  status,
  bill_id: 1,
  total: '0.20',
  currency: 'BRL',
  payer_id: ownerOf(payer),
  transfer_id: null,
  claim: null,
});
const payBill = ({ by, from }: { by: Account; from: Account }): Omit<Attempt, 'what'> => ({
  userId: ownerOf(by),
  request: {
    ...ofBill,
    fromId: from.id,
    paymentId: reserved,
    currency: 'BRL',
    payment: paymentOf(by, {
      id: reserved,
      status: 'reserved',
    }),
  },
});
const giveBackToAna = (): Omit<Attempt, 'what'> => ({
  userId: manager,
  request: {
    kind: 'bill_refund',
    paymentId: paidByAna,
    amountMinor: 20n,
    currency: 'BRL',
    payment: paymentOf(ledger.ana, {
      id: paidByAna,
      status: 'paid',
    }),
  },
});
/** An attempt, and the outcome that is allowed. `rightful`: the accounts between which money may move; null if none may. */
type Judged = Attempt & { rightful: { fromId: number; toId: number } | null };
const between = (from: Account, to: Account) => ({ fromId: from.id, toId: to.id });
const attempts = (): Judged[] => {
  const { ana, rui } = ledger;
  return [
    {
      what: 'Eve pays with the account of Ana',
      rightful: null,
      ...pay({ by: eve, from: ana, to: eve, amountMinor: 100n }),
    },
    {
      what: 'Eve pays with the cash account',
      rightful: null,
      ...pay({ by: eve, from: cash, to: eve, amountMinor: 9_999_999_999n }),
    },
    { what: 'Eve pays with the takings', rightful: null, ...pay({ by: eve, from: takings, to: eve, amountMinor: 1n }) },
    { what: 'Eve pays more than she has', rightful: null, ...pay({ from: eve, to: rui, amountMinor: 501n }) },
    { what: 'Eve pays her bill with the account of Ana', rightful: null, ...payBill({ by: eve, from: ana }) },
    { what: 'Ana pays', rightful: between(ana, rui), ...pay({ from: ana, to: rui, amountMinor: 1n }) },
    { what: 'Rui pays his bill', rightful: between(rui, takings), ...payBill({ by: rui, from: rui }) },
    { what: 'a manager gives back what Ana has paid', rightful: between(takings, ana), ...giveBackToAna() },
    {
      what: 'a manager deposits',
      rightful: between(cash, rui),
      userId: manager,
      request: { kind: 'account_deposit', toId: rui.id, amountMinor: 1n, currency: undefined },
    },
  ];
};

/** When the documents contain the attacker's values: during the checks, during posting, or both. */
type Moment = 'check' | 'post' | 'both';

/**
 * Runs the service during a tampering. Returns what went wrong, and what verify-ledger finds after the documents are restored.
 */
async function work({ collection, apply }: Tampering, moment: Moment): Promise<{ wrong: string[]; found: string[] }> {
  const name = collection as (typeof names)[number];
  const before = original.get(name) ?? [];
  const tampered = apply(before);
  const wrong: string[] = [];
  try {
    const instance = startInstance(ledger);
    if (moment !== 'post') await write(name, tampered);
    const checked = await Promise.all(attempts().map(instance.check));
    const [transferId] = ledger.ids;
    const seen = await instance.readAs(ownerOf(eve), { victim: ledger.ana, transferId });
    wrong.push(...seen.map((what) => `Eve reads ${what}`));
    if (moment === 'check') await putBack(name, tampered);
    if (moment === 'post') await write(name, tampered);
    for (const attempt of checked) {
      const moved = await instance.post(attempt);
      const { rightful } = attempt;
      if (moved && (moved.fromId !== rightful?.fromId || moved.toId !== rightful.toId)) wrong.push(attempt.what);
    }
    if (moment !== 'check') await putBack(name, tampered);
    return { wrong, found: await findings() };
  } finally {
    for (const each of names) await write(each, original.get(each) ?? []);
  }
}

/** Returns true if MongoDB rejected the documents: a unique index allows no duplicates, and an `_id` can't be a list. */
const isRefusal = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && [2, 53, 11_000].includes(Number(error.code));

function indexOf({ id }: { id: number }): number {
  return (original.get('accounts') ?? []).findIndex(({ _id }) => Number(_id) === id);
}
const setting = (account: Account, fields: Record<string, unknown>): Tampering => ({
  name: `account ${account.id}: ${Object.keys(fields).join(' and ')}`,
  collection: 'accounts',
  apply: (all) => all.with(indexOf(account), { ...all[indexOf(account)], ...fields }),
});
/** Returns a tampering that changes fields in the row of this bill payment. */
function settingRow(paymentId: number, fields: Record<string, unknown>): Tampering {
  const index = (original.get('transfers') ?? []).findIndex((row) => Number(row['payment_id']) === paymentId);
  const apply = (all: Documents): Documents => all.with(index, { ...all[index], ...fields });
  return { name: `payment ${paymentId}: ${Object.keys(fields).join(' and ')}`, collection: 'transfers', apply };
}

test("a temporary change to an owner or balance gives no access to other users' money", async () => {
  const { Int32, Long } = mongoose.mongo;
  const attacker = new Int32(ownerOf(eve));
  const statementOf = (account: Account): unknown => original.get('accounts')?.[indexOf(account)]?.['statement'];
  const tamperings = [
    setting(cash, { owner_id: attacker }),
    setting(cash, { owner_id: attacker, statement: statementOf(eve) }),
    setting(ledger.ana, { owner_id: attacker }),
    setting(ledger.ana, { owner_id: attacker, statement: statementOf(eve) }),
    setting(ledger.ana, { owner_id: null }),
    setting(eve, { owner_id: null }),
    setting(eve, { owner_id: null, statement: statementOf(cash) }),
    setting(takings, { owner_id: attacker }),
    setting(takings, { owner_id: attacker, statement: statementOf(eve) }),
    setting(eve, { owner_id: new Int32(0), purpose: 'takings' }),
    settingRow(paidByAna, { from_account: new Int32(eve.id) }),
    settingRow(paidByAna, { amount: Long.fromNumber(500) }),
  ];
  for (const tampering of tamperings)
    for (const moment of ['check', 'post', 'both'] as const)
      expect([tampering.name, moment, await work(tampering, moment)]).toEqual([
        tampering.name,
        moment,
        { wrong: [], found: [] },
      ]);

  const rich = await work(setting(eve, { balance: Long.fromNumber(1_000_000) }), 'both');
  expect(rich.wrong).toEqual(['Eve pays more than she has']);
  expect(rich.found).toContainEqual(
    expect.stringMatching(/: the balance of entry \d+ of account \d+ does not add up$/),
  );
});

test('any temporary change to a document is harmless or detected', async () => {
  const samples = [
    { label: 'cash', index: indexOf(cash) },
    { label: 'of Ana', index: indexOf(ledger.ana) },
    { label: 'of Eve', index: indexOf(eve) },
    { label: 'takings', index: indexOf(takings) },
  ];
  const rows = original.get('transfers') ?? [];
  const posted = rows.findIndex(({ _id }) => Number(_id) === ledger.ids[0]);
  const paid = rows.findIndex((row) => Number(row['payment_id']) === paidByAna);
  const tamperings = [
    ...tamperingsOf('accounts', original.get('accounts') ?? [], samples),
    ...tamperingsOf('transfers', rows, [
      { label: 'posted', index: posted },
      { label: 'payment of a bill', index: paid },
    ]),
  ];

  const unfound: string[] = [];
  let count = 0;
  for (const tampering of tamperings) {
    const result = await work(tampering, 'both').catch((error: unknown) => {
      if (isRefusal(error)) return null;
      throw error;
    });
    if (!result) continue;
    count++;
    if (result.wrong.length > 0 && result.found.length === 0)
      unfound.push(`${tampering.name}: ${result.wrong.join(', ')}`);
  }

  expect(count).toBeGreaterThan(budget(60, 450));
  expect(unfound).toEqual([]);
  expect(await findings()).toEqual([]);
}, 1_200_000);
