// npm run bench -- statement [entries]: a page of an account with 1,000,000 entries (or `entries`) against the same page of
// an account with 1,000, over HTTP: the newest page and one from the middle.
import { randomBytes, randomUUID } from 'node:crypto';
import { loadConfig } from '@comanda/shared/config/load-config';
import { createLogger } from '@comanda/shared/runtime/logger';
import mongoose from 'mongoose';
import { setByServer } from '@comanda/shared/mongo/cluster-time';
import type { AccountDocument } from '../services/transfers/src/accounts/account-document.ts';
import { transfersSettings } from '../services/transfers/src/config.ts';
import { startTransfers } from '../services/transfers/src/service.ts';
import type { Entry, PostedTransfer } from '../services/transfers/src/transfers/transfer.ts';
import { toJournalDocument } from '../services/transfers/src/transfers/journal-document.ts';
import { newSecrets } from '@comanda/local-stack/secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { startOwnServer } from '@comanda/testing/own-server';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { compare, percentile } from './support.ts';

const many = Number(process.argv[3] ?? 1_000_000);
const few = 1000;
const pageSize = 50;
const ownerId = 1;
const accounts = { payer: 1, large: 2, small: 3 };

const mongod = await startOwnServer('mongodb');
const issuer = await startTestIssuer();
const token = issuer.token({ sub: ownerId, role: 'customer', lifetimeS: 36_000 });
const urls = { 'auth-stepup': issuer.url };
/** No broker: nothing is published. */
const servers = { mongodbUri: mongod.url, database: 'bench', redisUrl: '', rabbitmqUrl: 'amqp://127.0.0.1:1' };
const service = await startTransfers(
  loadConfig(transfersSettings, stackSettings({ urls, servers, secrets: newSecrets() }).transfers),
  createLogger({ service: 'bench', level: 'silent' }),
);
await until(async () => (await fetch(`${service.url}/readyz`)).ok, { what: 'transfers', timeoutMs: 20_000 });
const client = await new mongoose.mongo.MongoClient(mongod.url).connect();
const database = client.db('bench_transfers');

const receipt = randomBytes(600).toString('base64url'); // the length of a real receipt; it is not verified here
const hash = randomBytes(32).toString('base64url');
const entry = (of: Pick<Entry, 'accountId' | 'seq' | 'amountMinor' | 'balanceMinor'>): Entry => ({
  ...of,
  prev: hash,
  hash,
});

/** Transfer `id`, which pays one cent to `toId` as its entry `seq`. */
function transferOf(id: number, toId: number, seq: number): PostedTransfer {
  const entries = [
    entry({ accountId: accounts.payer, seq: id, amountMinor: -1n, balanceMinor: -BigInt(id) }),
    entry({ accountId: toId, seq, amountMinor: 1n, balanceMinor: BigInt(seq) }),
  ] as const;
  return {
    status: 'posted',
    id,
    kind: 'internal_transfer',
    userId: ownerId,
    jti: randomUUID(),
    pinVersion: 1,
    idempotency: { key: randomUUID(), fingerprint: hash },
    fromId: accounts.payer,
    toId,
    amountMinor: 1n,
    currency: 'BRL',
    description: null,
    createdAt: new Date(),
    salt: hash,
    entries,
    receipt,
  };
}

async function fill(accountId: number, count: number, firstId: number): Promise<void> {
  await database.collection<AccountDocument>('accounts').insertOne({
    _id: accountId,
    name: null,
    owner_id: ownerId,
    owner_name: 'Ana',
    currency: 'BRL',
    created_at: new Date(),
    statement: hash,
    written: setByServer(),
    balance: BigInt(count),
    seq: count,
    hash,
  });
  const rows = database.collection('transfers', { writeConcern: { w: 'majority' } }); // pages read committed entries only
  const portion = 5000;
  for (let first = 0; first < count; first += portion) {
    const length = Math.min(portion, count - first);
    const documents = Array.from({ length }, (_, index) => {
      const seq = first + index + 1;
      return toJournalDocument(transferOf(firstId + seq, accountId, seq), []);
    });
    await rows.insertMany(documents as never[], { ordered: false });
    if (first % 100_000 === 0) process.stderr.write(`  ${first + length} of ${count} entries stored\n`);
  }
}

/** The median of 300 calls, one after the other, in ms. */
async function p50(accountId: number, query: string): Promise<number> {
  const took: number[] = [];
  for (let call = 0; call < 350; call++) {
    const begun = performance.now();
    const answer = await fetch(`${service.url}/accounts/${accountId}/entries?limit=${pageSize}${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const page = (await answer.json()) as unknown[];
    if (page.length !== pageSize) throw new Error(`${answer.status}: a page of ${page.length}`);
    if (call >= 50) took.push(performance.now() - begun);
  }
  return percentile(took, 0.5);
}
const cursorOf = (position: number): string => `&cursor=${position}`;

await fill(accounts.small, few, 0);
await fill(accounts.large, many, few);
const pages = {
  statement: { what: 'newest page', query: () => '' },
  'statement-middle': { what: 'page from the middle', query: (count: number) => cursorOf(Math.floor(count / 2)) },
};
for (const [name, { what, query }] of Object.entries(pages))
  await compare({
    name,
    what: `p50 of the ${what} of an account with ${many} entries`,
    unit: 'ms',
    ours: () => p50(accounts.large, query(many)),
    peers: { [`an account with ${few} entries`]: { run: () => p50(accounts.small, query(few)), atMost: 2 } },
  });
await service.close();
await client.close();
await issuer.close();
await mongod.discard();
