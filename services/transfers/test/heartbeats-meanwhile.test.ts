import mongoose, { type mongo } from 'mongoose';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { caller, codeOf } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { runCommand } from '@comanda/testing/run-command';
import { until } from '@comanda/testing/until';
import {
  newKey,
  send,
  startTransfersHarness,
  transferKey,
  type SignedInUser,
  type TransfersHarness,
} from './support/harness.ts';
import { twoAccounts } from './support/outage.ts';
import { tamperingsOf, type Documents } from './support/tamperings.ts';

// This file covers the instances' heartbeats and the record of the database's preparation. The other `…-meanwhile.test.ts` files
// cover the remaining collections.

let harness: TransfersHarness;
let client: mongoose.mongo.MongoClient;
let db: mongo.Db;
let urls: string[];
beforeAll(async () => {
  const servers = await isolatedServers('heartbeats-meanwhile');
  harness = await startTransfersHarness('heartbeats-meanwhile', { servers });
  urls = [harness.url, (await harness.startInstance()).url];
  client = await new mongoose.mongo.MongoClient(servers.mongodbUri).connect();
  db = client.db(servers.database);
});
afterAll(async () => {
  await client?.close();
  await harness?.close();
});

const read = (name: string): Promise<Documents> =>
  db.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray();
/** Waits until each instance has renewed its heartbeat and checked the other instances' heartbeats. */
async function untilLooked(ids: readonly unknown[]): Promise<void> {
  const looked = { _id: { $in: ids }, beat: { $gt: new Date() } } as mongo.Filter<mongo.Document>;
  const isDone = async (): Promise<boolean> => (await db.collection('instances').countDocuments(looked)) === ids.length;
  await until(isDone, { what: 'the next heartbeats' });
}
/**
 * Replaces a collection's documents. Returns false if some could not be stored: MongoDB rejects some values of `_id`, and an
 * instance may have written its own document in the meantime.
 */
async function write(name: string, documents: Documents): Promise<boolean> {
  await db.collection(name).deleteMany({});
  if (documents.length === 0) return true;
  try {
    await db.collection(name).insertMany(documents, { bypassDocumentValidation: true, ordered: false });
    return true;
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoBulkWriteError) return false;
    throw error;
  }
}

/** Returns every sixth item; in the long form of the tests (see `budget`), all items. */
const some = <T>(all: readonly T[]): T[] => all.filter((_each, index) => index % budget(6, 1) === 0);
const toEach = (documents: Documents): { label: string; index: number }[] =>
  documents.map((_document, index) => ({ label: String(index), index }));

let ana: SignedInUser;
let from: number;
let to: number;
let made = 0;
/** Sends a transfer to each instance, and retries until both responses are final. */
async function transferAtBoth(): Promise<string[]> {
  const responses = urls.map(async (url) => {
    const key = newKey();
    const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
    const call = caller(url, { token: ana.token });
    const attempt = async (): Promise<string> =>
      codeOf(await send({ ...ana, call }, harness.issueStepUpToken, { from, to, amount: '0.01', key, token }));
    return until(async () => [await attempt()].find((code) => !code.startsWith('503')), { what: 'a final answer' });
  });
  made += urls.length;
  return Promise.all(responses);
}
const posted = ['201', '201'];

beforeAll(async () => {
  ({ ana, from, to } = await twoAccounts(harness));
  await transferAtBoth(); // this starts a session on each instance
});

async function expectOneEffectEach(): Promise<void> {
  expect(await harness.balance(from)).toBe((1000 - made * 0.01).toFixed(2));
  expect(await harness.balance(to)).toBe((made * 0.01).toFixed(2));
  const verified = await runCommand('transfers', 'verify-ledger', { env: harness.env });
  expect(verified).toContain('The ledger is intact');
}

test("each transfer is posted exactly once even if a forged heartbeat makes instances end each other's sessions", async () => {
  // On a busy machine, an instance may lose its session or seem dead. Its next transfer starts a new session.
  const sessions = await until(
    async () => {
      await transferAtBoth();
      const found = (await read('instances')).flatMap((each) => each['sessions']);
      return found.length >= urls.length && found;
    },
    { what: 'a session of each instance' },
  );
  const instances = db.collection<{ _id: string }>('instances');
  for (let round = 0; round < budget(3, 30); round++) {
    await instances.insertOne({ _id: 'forged', beat: new Date(0), sessions } as { _id: string });
    while ((await instances.countDocuments({ _id: 'forged' })) > 0)
      expect(await Promise.all(Array.from({ length: 8 }, transferAtBoth))).toEqual(
        Array.from({ length: 8 }, () => posted),
      );
  }
  await expectOneEffectEach();
});

test('each transfer is posted exactly once even if an attacker changes the heartbeats', async () => {
  const before = await read('instances');
  let applied = 0;
  for (const tampering of some(tamperingsOf('instances', before, toEach(before)))) {
    if (await write('instances', tampering.apply(before))) applied++;
    await untilLooked(before.map(({ _id }) => _id));
    expect([tampering.name, await transferAtBoth()]).toEqual([tampering.name, posted]);
    await write('instances', before);
    expect([tampering.name, await transferAtBoth()]).toEqual([tampering.name, posted]);
  }
  expect(applied).toBeGreaterThan(budget(2, 50));
  await expectOneEffectEach();
}, 1_200_000);

test('each transfer is posted exactly once even if the preparation record changes while an instance starts', async () => {
  const before = await read('preparations');
  let applied = 0;
  for (const tampering of some(tamperingsOf('preparations', before, toEach(before)))) {
    if (await write('preparations', tampering.apply(before))) applied++;
    const starting = harness.startInstance();
    expect([tampering.name, await transferAtBoth()]).toEqual([tampering.name, posted]);
    await write('preparations', before);
    const [first = ''] = urls;
    urls = [first, (await starting).url];
    expect([tampering.name, await transferAtBoth()]).toEqual([tampering.name, posted]);
  }
  expect(applied).toBeGreaterThan(budget(1, 25));
  await expectOneEffectEach();
}, 1_200_000);
