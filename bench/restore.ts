// 1 GB of orders and transfers: seconds from the beginning of a backup until all services are ready again with what it has.
// The files of MongoDB are copied, deleted and copied back, and npm run after-restore is run, with a check of the whole
// ledger, as docs/operations.md says. `npm run bench -- restore 0.05` takes fewer gigabytes; the figure is not scaled.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { MongoClient, type Db, type Document } from 'mongodb';
import { root } from '@comanda/local-stack/root';
import { caller } from '@comanda/testing/call';
import { startOwnServer } from '@comanda/testing/own-server';
import { startRestorableMongodb } from '@comanda/testing/restorable-mongodb';
import type { ServiceProcess } from '@comanda/testing/service-process';
import { startProductionStack } from '@comanda/testing/stack';
import { testSecrets } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import { newCommand } from '../services/transfers/test/support/books.ts';
import { storedOrder } from './orders/stored-order.ts';
import { unlimited } from './stack.ts';
import { limit } from './support.ts';
import { accountCount, openAccounts, randomPair } from './transfers/accounts.ts';
import { openWritePath } from './transfers/write-path.ts';

const gigabytes = Number(process.argv[3] ?? 1);
const goalBytes = gigabytes * 1e9;
const transferCount = Math.ceil(100_000 * gigabytes);
const portion = 5_000;
const batch = 256;
const minuteMs = 60_000;
const restored = ['orders', 'auth-stepup', 'transfers'] as const;
const database = 'restore';
const databases = ['orders', 'auth', 'transfers'].map((name) => `${database}_${name}`);
const progress = (line: string): void => void process.stderr.write(`  ${line}\n`);

const [mongodb, redis, rabbitmq] = await Promise.all([
  startRestorableMongodb(),
  startOwnServer('redis'),
  startOwnServer('rabbitmq'),
]);
const servers = { mongodbUri: mongodb.url, redisUrl: redis.url, redisPrefix: 'restore:', rabbitmqUrl: rabbitmq.url };
const { transfersSealingSecret: secret } = testSecrets();
const stack = await startProductionStack(
  { ...servers, database },
  { ...unlimited, LOG_LEVEL: 'warn', KEY_SEALING_SECRET: secret },
);
const processOf = (name: (typeof restored)[number]) => stack.services[name] as ServiceProcess;

/** The owners of all accounts and orders, who are copies of the manager in all but id and address. */
async function addUsers(db: Db): Promise<void> {
  const users = db.collection('usuarios');
  const [manager] = await users.find({}, { projection: { _id: 0 } }).toArray();
  const others = Array.from({ length: accountCount - 1 }, (_, index) => index + 2);
  await users.insertMany(others.map((id) => ({ ...manager, usuarioID: id, email: `ana${id}@example.com` })));
}

/** Posted as by the service: signed, chained, and each with its event. */
async function addTransfers(db: Db): Promise<void> {
  const { accounts, post, close } = await openWritePath({ uri: mongodb.url, database: db.databaseName, secret });
  const ids = await openAccounts({ accounts, post: (commands) => Promise.all(commands.map(post)) });
  const next = () => {
    const { from, to } = randomPair('uniform');
    const [payer = 0, payee = 0] = [ids[from], ids[to]];
    return newCommand({ from: { id: payer, ownerId: from + 1 }, to: { id: payee }, amountMinor: 1n });
  };
  for (let posted = 0; posted < transferCount; posted += batch)
    await Promise.all(Array.from({ length: batch }, next).map(post));
  await close();
  const waiting = () => db.collection('transfers').countDocuments({ 'outbox.0': { $exists: true } }, { limit: 1 });
  await until(async () => (await waiting()) === 0, { what: 'published transfers', timeoutMs: 600_000 });
}

/** Three dishes, each with a remark that does not compress, delivered within the last months. */
function deliveredOrder(id: number): Document {
  const at = new Date(Date.now() - id * (minuteMs / 8));
  const order = storedOrder(id, 'delivered');
  const dish = (index: number) => ({
    ...order.itens[0],
    itemPedidoID: 3 * id + index,
    observacoes: randomBytes(200).toString('base64'),
    delivered_at: at,
  });
  return { ...order, dataHora: at, updated_at: at, delivered_at: at, itens: [0, 1, 2].map(dish) };
}

const sizeOf = async (dbs: readonly Db[]): Promise<number> =>
  (await Promise.all(dbs.map((db) => db.stats()))).reduce((sum, { dataSize }) => sum + Number(dataSize), 0);

/** Returns how many orders and transfers there are. */
async function fill(): Promise<{ orders: number; transfers: number; bytes: number }> {
  const client = await new MongoClient(mongodb.url).connect();
  const [orders, auth, transfers] = databases.map((name) => client.db(name)) as [Db, Db, Db];
  await addUsers(auth);
  await addTransfers(transfers);
  progress(`${transferCount} transfers posted`);
  let [count, bytes] = [0, 0];
  while ((bytes = await sizeOf([orders, auth, transfers])) < goalBytes) {
    const documents = Array.from({ length: portion }, () => deliveredOrder(++count));
    await orders.collection('pedidos').insertMany(documents, { ordered: false });
    if (count % 50_000 === 0) progress(`${count} orders, ${(bytes / 1e9).toFixed(2)} GB`);
  }
  const counts = { orders: count, transfers: await transfers.collection('transfers').countDocuments(), bytes };
  await client.close();
  return counts;
}

async function timed<T>(what: string, work: Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work;
  progress(`${what}: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  return result;
}

async function afterRestore(): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    MONGODB_URI: mongodb.url,
    RABBITMQ_URL: rabbitmq.url,
    KEY_SEALING_SECRET: secret,
    DATABASES: databases.join(),
  };
  const args = ['--conditions=source', 'scripts/after-restore.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  if (!stdout.includes('The ledger is intact')) throw new Error(stdout);
}

async function backUpAndRestore(): Promise<number> {
  const begun = performance.now();
  await timed('backed up', mongodb.backUp());
  await timed('stopped', Promise.all(restored.map((name) => processOf(name).end('SIGTERM'))));
  await timed('restored', mongodb.restore());
  await timed('after-restore', afterRestore());
  await timed('started', Promise.all(restored.map((name) => processOf(name).start())));
  await timed('ready', Promise.all(Object.values(stack.services).map((service) => service.ready())));
  const seconds = (performance.now() - begun) / 1_000;
  const call = caller(stack.gatewayUrl, { token: stack.managerToken });
  const { status, text } = await call('GET', `/orders/${counts.orders}`);
  if (status !== 200) throw new Error(`the last order was lost: ${status} ${text}`);
  return seconds;
}

const counts = await fill();
await limit({
  name: 'restore',
  what: `a backup, a restore and the checks after it, until all services are ready: ${(counts.bytes / 1e9).toFixed(1)} GB, ${counts.orders} orders and ${counts.transfers} transfers`,
  unit: 's',
  rounds: 1,
  atMost: 300,
  ours: backUpAndRestore,
});
await stack.close();
await Promise.all([mongodb.discard(), redis.discard(), rabbitmq.discard()]);
