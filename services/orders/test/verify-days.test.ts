import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { root } from '@comanda/local-stack/root';
import { canonicalDigest } from '@comanda/shared/crypto/canonical-digest';
import { loadKeySet } from '@comanda/shared/crypto/load-key-set';
import { compileCacheDir } from '@comanda/testing/environment';
import { createTestClock } from '@comanda/testing/test-clock';
import { verifyDays } from '../src/day/verify-days.ts';
import { createStores } from '../src/stores.ts';
import { startDayHarness, type DayHarness } from './support/day-harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- stored documents of any shape are changed here
type Json = any;
const { Decimal128 } = mongoose.mongo;
const clock = createTestClock();
let evening: DayHarness;
const reports: Json[] = [];
const run = promisify(execFile);

/** Runs the command on the test's database. Returns its exit code and its output. */
async function runCommand(...args: string[]): Promise<{ code: number; text: string }> {
  const { servers, auth } = evening;
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: compileCacheDir(),
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: servers.database,
  };
  const command = ['--conditions=source', 'services/orders/src/verify-days.ts', '--jwks', auth.jwksUrl, ...args];
  return run(process.execPath, command, { env, cwd: root }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  );
}
let connection: mongoose.Connection;
/** Returns what the command finds. `counters`: those that it reads first; by default the stored ones. */
async function findings(counters: object | null = null, dayStartsAt = '04:00'): Promise<string[]> {
  const { consents: consentKeys } = await loadKeySet(evening.auth.jwksUrl);
  const restaurantClock = { timeZone: 'America/Sao_Paulo', dayStartsAt };
  const found = [];
  const given = { consentKeys, hashes: new Map<number, string>() };
  const stores = createStores(connection);
  let reads = 0;
  const readDay = async () => ({ ...(await stores.counters.readDay()), ...(reads++ === 0 && counters) });
  for await (const { day, what } of verifyDays({ ...stores, counters: { readDay }, restaurantClock }, given))
    found.push(`${day}: ${what}`);
  return found;
}

beforeAll(async () => {
  evening = await startDayHarness('orders-verify-days', { clock });
  const { servers, newBill, pay, close, refund, count, move, closeDay, manager } = evening;
  connection = await mongoose.createConnection(servers.mongodbUri, { dbName: servers.database }).asPromise();
  await count('main', '100.00');
  for (let day = 1; day <= 2; day++) {
    const [first, second, open] = [await newBill(), await newBill(), await newBill()];
    const cash = await pay(first, { tip: '1.00' });
    await pay(second, { method: 'card' });
    await close(first);
    await close(second);
    await refund(first, cash.id);
    await pay(open, { method: 'other', part: { amount: '5.00' }, expected_amount: '5.00' });
    await manager('POST', `/bills/${open}/discounts`, { body: { amount: '1.00', reason: 'Cold' } });
    await move('main', { kind: 'pay_out', amount: '2.00' });
    await count('main', '97.00', { left: '95.00' });
    reports.push((await closeDay({ carry_over: 'all', note: `Day ${day}` })).body);
  }
});
afterAll(async () => {
  await connection.close();
  await evening.stop();
});

/** Returns a value that differs from this one, of the same type. */
function changed(value: Json): Json {
  if (/^\d{4}-.*Z$/.test(value)) return new Date(Date.parse(value) + 1000).toISOString();
  if (typeof value === 'string')
    return /^-?\d+\.\d\d$/.test(value) ? '12345.67' : `${value.slice(0, -1)}${value.endsWith('a') ? 'b' : 'a'}`;
  if (typeof value === 'number') return value + 1_000_000;
  if (typeof value === 'boolean') return !value;
  if (value instanceof Date) return new Date(value.getTime() + 1000);
  if (value instanceof Decimal128) return Decimal128.fromString('12345.67');
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : [1];
  return value === null ? 'x' : {};
}
/** Returns the paths of all fields, also those in lists and documents. */
function pathsOf(value: Json, path = ''): string[] {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Decimal128)
    return [path];
  const inside = Object.entries(value).flatMap(([name, each]) => pathsOf(each, path === '' ? name : `${path}.${name}`));
  return path === '' ? inside : [path, ...inside];
}
const valueAt = (document: Json, path: string): Json => path.split('.').reduce((each, name) => each?.[name], document);

test('unchanged days are verified', async () => {
  const newest = reports.at(-1);
  const { code, text } = await runCommand('--hash', `1:${reports[0].hash}`, '--hash', `2:${newest.hash}`);

  expect(text).toBe(`All 2 days are as they were closed. Compare the newest with its paper: 2:${newest.hash}\n`);
  expect(code).toBe(0);
  const other = await runCommand('--hash', `2:${'a'.repeat(64)}`);
  expect(other.text).toContain('day 2: its hash is not the one on paper');
  expect(other.code).toBe(1);
});

test.each([
  [['0'], '--hash must be a day and its hash'],
  [['1', '1'], '--hash has two hashes of day 1.'],
])('hashes on paper of the days %j are rejected', async (days, message) => {
  const papers = days.flatMap((day, index) => ['--hash', `${day}:${String(index).repeat(64)}`]);
  const { code, text } = await runCommand(...papers);

  expect(text).toContain(message);
  expect(code).toBe(1);
});

test('a day that is closed during the verification is not found', async () => {
  const { number, closed_at, bills } = reports[0];

  expect(
    await findings({ number: number + 1, openedAt: new Date(closed_at), billNumberBefore: bills.last_number }),
  ).toEqual([]);
});

test('only the newest report has another date after DAY_STARTS_AT has changed', async () => {
  expect(await findings(null, '23:59')).toEqual(['2: its business_date is not what is stored']);
});

test('a report of the running day is found', async () => {
  const days = evening.db.collection<Json>('days');
  const { outbox: _outbox, request_key: _key, ...newest } = (await days.findOne({ _id: 2 })) ?? {};
  await days.insertOne({ ...newest, _id: 3 }, { bypassDocumentValidation: true });
  const found = await findings();
  await days.deleteOne({ _id: 3 });

  expect(found).toEqual(['3: it is running, but has a report']);
});

describe('a database writer who changes', () => {
  /** Changes one field with the driver, verifies, and undoes the change. Returns whether it was found. */
  async function isFound(collection: string, document: Json, path: string): Promise<boolean> {
    const documents = evening.db.collection(collection);
    const { _id } = document;
    const bypass = { bypassDocumentValidation: true };
    await documents.updateOne({ _id }, { $set: { [path]: changed(valueAt(document, path)) } }, bypass);
    try {
      return (await findings()).length > 0;
    } finally {
      await documents.replaceOne({ _id }, document, bypass);
    }
  }
  const unsealed = new Set(['outbox', 'request_key', 'request_fingerprint', 'is_of_count', 'outbox_claim']);
  const findUndetected = async (collection: string, filter: object): Promise<string[]> => {
    const document = await evening.db.collection(collection).findOne(filter);
    const paths = pathsOf(document).filter((path) => path !== '_id' && !unsealed.has(path.split('.')[0] ?? ''));
    const undetected = [];
    for (const path of paths) if (!(await isFound(collection, document, path))) undetected.push(path);
    return undetected;
  };

  test('a field of a report is found', async () => {
    expect(await findUndetected('days', { _id: 1 })).toEqual([]);
  });

  test.each([
    ['movements', { kind: 'payment' }],
    ['counts', { difference: { $ne: null } }],
    ['exceptions', { kind: 'discount' }],
  ])(
    'a field of an entry in %s is found',
    async (collection, filter) => {
      expect(await findUndetected(collection, filter)).toEqual([]);
    },
    300_000,
  );

  test('the sums of a bill, or removes a report or an entry, is found', async () => {
    const found = [];
    const bill = await evening.db.collection('bills').findOne({ day: 1 });
    found.push(await isFound('bills', bill, 'closing.total'));
    for (const [collection, filter] of [
      ['days', { _id: 2 }],
      ['movements', { kind: 'refund' }],
      ['exceptions', { kind: 'refunded' }],
    ] as const) {
      const documents = evening.db.collection(collection);
      const document = await documents.findOne(filter as never);
      await documents.deleteOne(filter as never);
      found.push((await findings()).length > 0);
      await documents.insertOne(document as never, { bypassDocumentValidation: true });
    }
    expect(found).toEqual([true, true, true, true]);
    expect(await findings()).toEqual([]);
  });

  describe('a field of a report and computes all hashes again', () => {
    /** Changes one field of a report, and seals it and the reports after it again. Returns whether it was found. */
    async function isFoundResealed(number: number, path: string): Promise<boolean> {
      const days = evening.db.collection<Json>('days');
      const documents = await days
        .find({ _id: { $gte: number } })
        .sort({ _id: 1 })
        .toArray();
      let previousHash: string | null = null;
      for (const { _id, report: stored, ...others } of documents) {
        const { hash: _hash, ...report } = structuredClone(stored);
        if (previousHash !== null) report.previous_hash = previousHash;
        const parent = _id === number ? path.split('.').slice(0, -1).join('.') : null;
        const last = path.split('.').at(-1) ?? '';
        if (parent !== null) {
          const holder = parent === '' ? report : valueAt(report, parent);
          holder[last] = changed(holder[last]);
        }
        previousHash = canonicalDigest(report);
        await days.replaceOne({ _id }, { ...others, report: { ...report, hash: previousHash } });
      }
      try {
        return (await findings()).length > 0;
      } finally {
        for (const { _id, ...document } of documents) await days.replaceOne({ _id }, document);
      }
    }
    const findUnsealed = async (number: number): Promise<string[]> => {
      const unfound = [];
      for (const path of pathsOf(reports[number - 1]))
        if (path !== 'hash' && !(await isFoundResealed(number, path))) unfound.push(path);
      return unfound;
    };

    test('is found by the PIN of the day after', async () => {
      expect(await findUnsealed(1)).toEqual([]);
    }, 300_000);

    test('is found in the newest report, except what only its hash on paper seals', async () => {
      expect(await findUnsealed(2)).toEqual(['closed_by.name', 'note', 'carried_over.bills.0', 'carried_over.bills.1']);
    });
  });
});
