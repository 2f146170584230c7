import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, type Client } from '@comanda/client';
import { root } from '@comanda/local-stack/root';
import { budget } from '@comanda/testing/budget';
import { caller, codeOf } from '@comanda/testing/call';
import { managerCredentials } from '@comanda/testing/credentials';
import { openFeedClient } from '@comanda/testing/feed-client';
import { isolatedServers, type IsolatedServers } from '@comanda/testing/isolated-servers';
import { patient } from '@comanda/testing/patient';
import { startRestorableMongodb, type RestorableMongodb } from '@comanda/testing/restorable-mongodb';
import { startStack, type Stack } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';
import { openDinner, type Party } from './restored-dinner/dinner.ts';
import { kindsOfIds, readAll, type Ids } from './restored-dinner/facts.ts';

// Backs up all three databases while guests are ordering, serves more guests, and then restores the backup.

const restored = ['orders', 'auth-stepup', 'transfers'] as const;
const open = ['received', 'preparing', 'ready'] as const;
/** How many parties are served before the backup, and again after it. */
const rounds = budget(1, 8);
let servers: IsolatedServers;
let mongodb: RestorableMongodb;
let stack: Stack;
const clients: Client[] = [];
beforeAll(async () => {
  const [own, shared] = await Promise.all([startRestorableMongodb(), isolatedServers('restored-dinner')]);
  mongodb = own;
  servers = { ...shared, mongodbUri: mongodb.url };
  stack = await startStack(servers, { ...withoutLimits, CHECKPOINT_EVERY_S: '1' }, restored);
});
afterAll(async () => {
  for (const client of clients) client.close();
  await stack?.close();
  await mongodb?.discard();
  rmSync(folder, { recursive: true });
});

const folder = mkdtempSync(join(tmpdir(), 'restored-dinner-'));
/** Restores the backup as an operator does, while the services are stopped. Returns the output of the after-restore command. */
async function restore(): Promise<string> {
  const keys = join(folder, 'jwks.json');
  writeFileSync(keys, await (await fetch(stack.auth.jwksUrl)).text());
  await Promise.all(restored.map((name) => stack.processOf(name).end('SIGTERM')));
  await mongodb.restore();
  const { database, mongodbUri: MONGODB_URI, rabbitmqUrl: RABBITMQ_URL } = servers;
  const DATABASES = ['orders', 'auth', 'transfers'].map((name) => `${database}_${name}`).join();
  const env = { PATH: process.env['PATH'], MONGODB_URI, RABBITMQ_URL, DATABASES };
  const args = ['--conditions=source', 'scripts/after-restore.ts', '--jwks', keys];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env }).catch(
    (error: Error & { stdout: string }) => Promise.reject(new Error(`${error.message}\n${error.stdout}`)),
  );
  await Promise.all(restored.map((name) => stack.processOf(name).start()));
  await Promise.all(restored.map((name) => stack.processOf(name).ready()));
  return stdout;
}

async function openScreen() {
  const client = createClient({ url: stack.gatewayUrl, feedUrls: [stack.notifierUrl] });
  clients.push(client);
  await client.signIn(managerCredentials);
  // These screens almost never compare their lists, so their content comes from the feed.
  const orders = client.liveOrders({ statuses: open, compareEveryMs: 3_600_000, onChange: () => undefined });
  const menu = client.liveMenu({ compareEveryMs: 3_600_000, onChange: () => undefined });
  await until(() => orders.isComplete() && menu.isComplete(), { what: 'complete lists', timeoutMs: 20_000 });
  const orderLines = (all: readonly { id: number; status: string; version: number }[]): string[] =>
    all.map(({ id, status, version }) => `order ${id} ${status} v${version}`);
  const dishLines = (all: readonly { id: number; price: string }[]): string[] =>
    all.map(({ id, price }) => `dish ${id} ${price}`);
  const shown = (): string[] => [...orderLines(orders.all()), ...dishLines(menu.all())].toSorted();
  const stored = async (): Promise<string[]> => {
    const all = await client.calls.listOrders({ status: open.join(), limit: 200 });
    return [...orderLines(all), ...dishLines(await client.calls.listMenu())].toSorted();
  };
  const showsWhatIsStored = async (): Promise<void> => {
    const isSame = async (): Promise<boolean> => isDeepStrictEqual(shown(), await stored());
    const waiting = until(isSame, { what: 'a screen that shows what is stored', timeoutMs: 30_000 });
    await waiting.catch(async (error: unknown) => {
      throw new Error(`shown: ${shown().join('; ')}\nstored: ${(await stored()).join('; ')}`, { cause: error });
    });
  };
  return { showsWhatIsStored };
}

/** Runs verify-ledger as an operator would who has found this checkpoint in the logs. */
const verifyLedger = (checkpoint: string): Promise<string> =>
  stack
    .runServiceCommand('transfers', 'src/verify-ledger.ts', { args: ['--checkpoint', checkpoint], env: {} })
    .catch(({ stdout }: { stdout: string }) => stdout);

const idsOf = (parties: readonly Party[]): Ids => kindsOfIds((kind) => parties.flatMap(({ ids }) => ids[kind]));

test("no number is issued twice after a busy evening's backup is restored", async () => {
  const dinner = await openDinner(stack);
  const screen = await openScreen();
  const feed = openFeedClient(stack.notifierUrl, { token: stack.managerToken, retryRefused: true });
  const before = await dinner.serveAll(rounds);
  const facts = await readAll(stack, before);

  const ordering = dinner.orderMeanwhile();
  await mongodb.backUp();
  const meanwhile = await ordering.end();
  // During the backup, no write was confirmed, so the services have reported that they aren't ready.
  await Promise.all(restored.map((name) => stack.processOf(name).ready()));
  const nextCheckpoint = dinner.watchCheckpoints();
  const lost = await dinner.serveAll(rounds);
  await dinner.change(before);
  const checkpoint = await nextCheckpoint();
  const reported = await restore();
  await until(() => feed.received.includes('gap'), { what: 'the gap of the deleted stream', timeoutMs: 30_000 });
  await feed.untilStatus('live', 30_000);

  expect(await readAll(stack, before)).toEqual(facts);
  const epochs = (): number => new Set(feed.notices.flatMap(({ database_epoch: epoch }) => epoch ?? [])).size;
  await until(() => epochs() > 1, { what: 'the epoch of the restored database' });
  expect(epochs()).toBe(2);
  await screen.showsWhatIsStored();
  const after = await dinner.serveAll(1);
  await screen.showsWhatIsStored();
  const given = idsOf([...before, ...lost, ...after]);
  given.order = [...given.order, ...meanwhile];
  for (const [kind, ids] of Object.entries(given)) expect([kind, ids.length]).toEqual([kind, new Set(ids).size]);
  // A customer who signed up after the backup still has a valid token for a few minutes. It must not give access to the orders
  // and money of other customers.
  for (const { customer } of lost) {
    const call = patient(caller(stack.gatewayUrl, { token: customer.token }));
    expect((await call('GET', '/orders')).body).toEqual([]);
    expect((await call('GET', '/accounts')).body).toEqual([]);
    const body = { refresh_token: customer.refreshToken };
    expect(codeOf(await patient(stack.call)('POST', '/auth/refresh', { body }))).toBe('401 invalid_refresh_token');
  }
  expect(reported).toContain('The ledger is intact');
  expect(reported).toContain('Day 1 is running again');
  expect(await verifyLedger(checkpoint)).toMatch(/checkpoint \d+: it is in the logs, but not in the database/);
  feed.close();
}, 180_000);
