import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, type Client } from '@comanda/client';
import { checksumOf } from '@comanda/contracts/checksum';
import { root } from '@comanda/local-stack/root';
import { managerCredentials } from '@comanda/testing/credentials';
import { openFeedClient } from '@comanda/testing/feed-client';
import { isolatedServers, type IsolatedServers } from '@comanda/testing/isolated-servers';
import { startStack, type Stack } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { MongoClient, type Db, type Document } from 'mongodb';

const open = ['received', 'preparing', 'ready'] as const;
let servers: IsolatedServers;
let stack: Stack;
let mongo: MongoClient;
let db: Db;
const clients: Client[] = [];
beforeAll(async () => {
  servers = await isolatedServers('after-restore');
  stack = await startStack(servers, withoutLimits);
  mongo = await new MongoClient(servers.mongodbUri).connect();
  db = mongo.db(`${servers.database}_orders`);
});
afterAll(async () => {
  for (const client of clients) client.close();
  await stack.close();
  await mongo.close();
});

async function signInManager(more: { fetch?: typeof fetch } = {}): Promise<Client> {
  const client = createClient({ url: stack.gatewayUrl, feedUrls: [stack.notifierUrl], ...more });
  clients.push(client);
  await client.signIn(managerCredentials);
  return client;
}
/** Runs `npm run after-restore` on the stack's databases. `databases` replaces some of their names. */
async function afterRestore(databases: { auth?: string } = {}): Promise<{ code: number; out: string }> {
  const { auth = `${servers.database}_auth` } = databases;
  const env = {
    PATH: process.env['PATH'],
    MONGODB_URI: servers.mongodbUri,
    RABBITMQ_URL: servers.rabbitmqUrl,
    DATABASES: `${servers.database}_orders,${auth},${servers.database}_transfers`,
  };
  const args = [
    '--conditions=source',
    'scripts/after-restore.ts',
    '--jwks',
    `${stack.gatewayUrl}/.well-known/jwks.json`,
  ];
  const ran = promisify(execFile)(process.execPath, args, { cwd: root, env });
  return ran.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, out: stdout + stderr }),
  );
}

describe('a database restored from a backup', () => {
  test('has the same epoch in feed and list after the command after-restore', async () => {
    const manager = await signInManager();
    const dish = await manager.calls.createMenuItem({ name: 'Moqueca', price: '48.00' });
    const order = await manager.calls.placeOrder({ items: [{ item_id: dish.id, quantity: 1 }], table: '9' });
    await manager.calls.updateOrder({ id: order.id, status: 'cancelled' });
    const addGroup = () =>
      manager.calls.createOptionGroup({ name: 'Ponto', min: 0, max: 1, options: [{ name: 'Ao ponto', price: '0' }] });
    const group = await addGroup();
    const before = await db.collection<Document & { _id: string }>('restaurant').findOne({ _id: 'orders' });

    const ran = await afterRestore({ auth: `${servers.database}_none` });

    const feed = openFeedClient(stack.notifierUrl, { token: stack.managerToken });
    const stored = await db.collection<Document & { _id: string }>('restaurant').findOne({ _id: 'orders' });
    const epoch = stored?.['database_epoch'] as string;
    await until(() => feed.notices.at(-1)?.database_epoch === epoch, {
      what: 'the epoch in the feed',
      timeoutMs: 30_000,
    });
    const listed = await stack.call('GET', '/orders', { token: stack.managerToken });
    feed.close();
    expect(epoch).not.toBe(before?.['database_epoch']);
    expect(listed.headers.get('database-epoch')).toBe(epoch);
    // Groups and options that were added after the backup had the ids in between.
    const next = await addGroup();
    const idsOf = ({ id, options: [option] }: typeof group): number[] => [id, option?.id ?? 0];
    expect(idsOf(next)).toEqual(idsOf(group).map((id) => id + 1_000_001));
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/There are orders of \d users? who (is|are) not in /);
  });
});

describe('a list that the feed keeps up to date', () => {
  test('is fetched again only if a change was never published', async () => {
    let reads = 0;
    const countReads: typeof fetch = (url, options) => {
      if (options?.method === 'GET') reads++;
      return fetch(url, options);
    };
    const screen = await signInManager({ fetch: countReads });
    const dish = await screen.calls.createMenuItem({ name: 'Vatapá', price: '39.00' });
    const place = () => screen.calls.placeOrder({ items: [{ item_id: dish.id, quantity: 1 }], table: '31' });
    const { id: first } = await place();
    const reported: number[] = [];
    const orders = screen.liveOrders({
      statuses: open,
      compareEveryMs: 50,
      onChange: () => undefined,
      onDrift: (ids) => reported.push(...ids),
    });
    const menu = screen.liveMenu({ compareEveryMs: 50, onChange: () => undefined });
    const { checksums } = orders.feed;
    const isReported = () =>
      checksums()?.open_orders === checksumOf(orders.all()) && checksums()?.menu === checksumOf(menu.all());
    const isShown = (id: number, table: string): boolean =>
      orders.all().some((order) => order.id === id && order.table === table);
    await until(() => orders.isComplete() && menu.isComplete() && isShown(first, '31') && isReported(), {
      what: 'checksums that are equal',
      timeoutMs: 40_000,
    });
    const before = reads;
    const { id: second } = await place();
    await until(() => isShown(second, '31'), { what: 'the second order', timeoutMs: 20_000 });
    const whileNothingIsLost = reads - before;
    await db
      .collection<Document & { _id: number }>('pedidos')
      .updateOne({ _id: second }, { $set: { table: '32' }, $inc: { version: 1 } });
    await until(() => isShown(second, '32'), { what: 'the change that was lost', timeoutMs: 40_000 });
    await until(() => reported.length > 0, { what: 'the report' });

    expect([whileNothingIsLost, reported]).toEqual([0, [second]]);
    for (const list of [orders, menu]) list.close();
    for (const id of [first, second]) await screen.calls.updateOrder({ id, status: 'cancelled' });
  });
});
