import mongoose, { type mongo } from 'mongoose';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { caller, codeOf } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { runCommand } from '@comanda/testing/run-command';
import { until } from '@comanda/testing/until';
import { newKey, send, startTransfersHarness, transferKey, type TransfersHarness } from './support/harness.ts';
import { twoAccounts } from './support/outage.ts';
import { tamperingsOf, type Documents } from './support/tamperings.ts';

/** What keeps two instances apart, and how the database was prepared. The other collections are in the other `…-meanwhile.test.ts`. */
const names = ['instances', 'preparations'] as const;

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
/** Until each instance has written its heartbeat once more, and looked at those of the others. */
async function untilLooked(ids: readonly unknown[]): Promise<void> {
  const looked = { _id: { $in: ids }, beat: { $gt: new Date() } } as mongo.Filter<mongo.Document>;
  const isDone = async (): Promise<boolean> => (await db.collection('instances').countDocuments(looked)) === ids.length;
  await until(isDone, { what: 'the next heartbeats' });
}
/** Whether all of it is stored. MongoDB refuses some values of `_id`. */
async function write(name: string, documents: Documents): Promise<boolean> {
  await db.collection(name).deleteMany({});
  if (documents.length === 0) return true;
  try {
    await db.collection(name).insertMany(documents, { bypassDocumentValidation: true, ordered: false });
    return true;
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
    return error.code === 11_000; // an instance has written its heartbeat in between
  }
}

test('when heartbeats or preparations are changed while transfers are made and put back, then each transfer is posted once, and the ledger is intact', async () => {
  const { ana, from, to } = await twoAccounts(harness);
  let made = 0;
  let tampered = 0;
  /** One transfer at each instance, repeated until it is final. */
  async function transferAtBoth(): Promise<string[]> {
    const answers = urls.map(async (url) => {
      const key = newKey();
      const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
      const call = caller(url, { token: ana.token });
      const attempt = async (): Promise<string> =>
        codeOf(await send({ ...ana, call }, harness.issueStepUpToken, { from, to, amount: '0.01', key, token }));
      return until(async () => [await attempt()].find((code) => !code.startsWith('503')), { what: 'a final answer' });
    });
    made += urls.length;
    return Promise.all(answers);
  }

  for (const name of names) {
    // With the sessions that both use: an instance whose heartbeat looks old is taken for dead, and they are killed.
    await transferAtBoth();
    const before = await read(name);
    const samples = before.map((_document, index) => ({ label: String(index), index }));
    for (const tampering of tamperingsOf(name, before, samples)) {
      if (await write(name, tampering.apply(before))) tampered++;
      if (name === 'instances' && budget(false, true)) await untilLooked(before.map(({ _id }) => _id));
      expect([tampering.name, await transferAtBoth()]).toEqual([tampering.name, ['201', '201']]);
      expect(await write(name, before)).toBe(true);
      expect([tampering.name, await transferAtBoth()]).toEqual([tampering.name, ['201', '201']]);
    }
  }

  expect(tampered).toBeGreaterThan(budget(35, 100));
  expect(await harness.balance(from)).toBe((1000 - made * 0.01).toFixed(2));
  expect(await harness.balance(to)).toBe((made * 0.01).toFixed(2));
  const verified = await runCommand('transfers', 'verify-ledger', { env: harness.env });
  expect(verified).toContain('The ledger is intact');
}, 600_000);
