import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import mongoose, { type mongo } from 'mongoose';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { budget } from '@comanda/testing/budget';
import { caller, codeOf } from '@comanda/testing/call';
import { compileCacheDir } from '@comanda/testing/environment';
import { isolatedServers } from '@comanda/testing/isolated-servers';
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
async function write(name: string, documents: Documents): Promise<void> {
  await db.collection(name).deleteMany({});
  if (documents.length === 0) return;
  // An instance may have written its heartbeat in between, and two tampered documents may have one id.
  await db
    .collection(name)
    .insertMany(documents, { bypassDocumentValidation: true, ordered: false })
    .catch((error: unknown) => {
      if (!(error instanceof mongoose.mongo.MongoServerError)) throw error;
    });
}

/** Two instances as they are while they work, and one that has died in the middle of a transaction. */
async function stored(name: (typeof names)[number]): Promise<Documents> {
  if (name === 'preparations') return read(name);
  await until(async () => (await read(name)).length === urls.length, { what: 'the heartbeats of both instances' });
  const session = client.startSession();
  const documents = (await read(name)).map((each) => ({ ...each, sessions: [session.id] }));
  await session.endSession();
  return documents;
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
    const before = await stored(name);
    const samples = before.map((_document, index) => ({ label: String(index), index }));
    for (const tampering of tamperingsOf(name, before, samples)) {
      await write(name, tampering.apply(before));
      expect([tampering.name, await transferAtBoth()]).toEqual([tampering.name, ['201', '201']]);
      await write(name, before);
      expect(await transferAtBoth()).toEqual(['201', '201']);
      tampered++;
    }
  }

  expect(tampered).toBeGreaterThan(budget(20, 60));
  expect(await harness.balance(from)).toBe((1000 - made * 0.01).toFixed(2));
  expect(await harness.balance(to)).toBe((made * 0.01).toFixed(2));
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCacheDir(), ...harness.env };
  const args = ['--conditions=source', 'services/transfers/src/verify-ledger.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  expect(stdout).toContain('The ledger is intact');
}, 600_000);
