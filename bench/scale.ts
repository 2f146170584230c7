// npm run bench -- scale: what one order, one screen and one idle restaurant cost: processor time, memory and bytes, of each
// process. It compares with nothing; docs/scale.md quotes what it prints.
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { caller, created, type Call } from '@comanda/testing/call';
import { openFeedClient } from '@comanda/testing/feed-client';
import { startOwnServer } from '@comanda/testing/own-server';
import type { ServiceProcess } from '@comanda/testing/service-process';
import { startProductionStack } from '@comanda/testing/stack';
import { MongoClient } from 'mongodb';
import { startClients } from './feed/processes.ts';
import { buildServices, unlimited } from './stack.ts';
import { cpuSeconds } from './support.ts';

const idleS = 60;
const sockets = 500;
const tables = 40;
const ordersOfTable = 25;
const orders = tables * ordersOfTable;

buildServices();
const [mongodb, redis, rabbitmq] = await Promise.all([
  startOwnServer('mongodb'),
  startOwnServer('redis'),
  startOwnServer('rabbitmq'),
]);
const stack = await startProductionStack(
  {
    mongodbUri: mongodb.url,
    database: 'scale',
    redisUrl: redis.url,
    redisPrefix: 'scale:',
    rabbitmqUrl: rabbitmq.url,
  },
  { ...unlimited, LOG_LEVEL: 'info', SOCKETS_PER_USER: '10000', FEED_LIMIT_ADDRESS: '100000' },
);
const pids = new Map<string, number>([
  ...serviceNames.map((name) => [name, (stack.services[name] as ServiceProcess).pid()] as const),
  ['mongod', mongodb.pid],
  ['redis', redis.pid],
  ['rabbitmq', rabbitmq.pid],
]);
const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
const mongo = await new MongoClient(mongodb.url).connect();

const cpuOfEach = (): Map<string, number> => new Map([...pids].map(([name, pid]) => [name, cpuSeconds([pid])]));
const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1e3;

type Used = ReadonlyMap<string, number>;
/** Seconds of each process, a second, while nobody does anything. */
let idle: Used = new Map();

/** Prints what each process has used since `before` beyond what it uses idle, divided by `by`, and the sum. */
function printCpu(before: Used, { since, by, unit }: { since: number; by: number; unit: string }): void {
  const elapsedS = (performance.now() - since) / 1_000;
  const used = [...cpuOfEach()].map(([name, seconds]) => {
    const spent = seconds - (before.get(name) ?? 0) - (idle.get(name) ?? 0) * elapsedS;
    return [name, (1_000 * Math.max(0, spent)) / by] as const;
  });
  const sum = used.reduce((total, [, value]) => total + value, 0);
  for (const [name, value] of [...used, ['sum', sum] as const])
    console.log(`  ${name.padEnd(12)} ${value.toFixed(2)} ${unit}`);
}

/** Bytes of documents and of indexes in the database of orders. */
async function storedBytes(): Promise<{ data: number; indexes: number }> {
  const { dataSize, indexSize } = await mongo.db('scale_orders').stats();
  return { data: Number(dataSize), indexes: Number(indexSize) };
}

async function measureIdle(): Promise<void> {
  await pause(10_000);
  console.log(`\nIdle, over ${idleS} s: processor time`);
  const [before, since] = [cpuOfEach(), performance.now()];
  await pause(idleS * 1_000);
  printCpu(before, { since, by: idleS, unit: 'ms a second' });
  idle = new Map([...cpuOfEach()].map(([name, seconds]) => [name, (seconds - (before.get(name) ?? 0)) / idleS]));
  console.log('Idle: resident memory');
  const memory = [...pids].map(([name, pid]) => [name, rssOf(pid)] as const);
  for (const [name, mb] of memory) console.log(`  ${name.padEnd(12)} ${mb.toFixed(0)} MB`);
  console.log(`  ${'sum'.padEnd(12)} ${memory.reduce((sum, [, mb]) => sum + mb, 0).toFixed(0)} MB`);
}

type Guest = { call: Call; table: string };
async function seat(table: string): Promise<Guest> {
  const { body } = await manager('PUT', `/tables/${table}`);
  const scanned = await stack.call('POST', '/auth/guest', { body: { table_token: body.table_token } });
  return { call: caller(stack.gatewayUrl, { token: scanned.body.access_token }), table };
}

/** A guest orders; the kitchen cooks, and a waiter serves. */
async function serve(guest: Guest): Promise<void> {
  const items = ['Feijoada', 'Moqueca', 'Pudim'].map((name) => ({ name, quantity: 1 }));
  const { id } = created(await guest.call('POST', '/orders', { body: { items } }));
  for (const status of ['preparing', 'ready', 'delivered']) await manager('PUT', `/orders/${id}`, { body: { status } });
}

async function measureOrders(): Promise<void> {
  for (const name of ['Feijoada', 'Moqueca', 'Pudim'])
    created(await manager('POST', '/menu', { body: { name, price: '32.50' } }));
  const guests: Guest[] = [];
  while (guests.length < tables) guests.push(await seat(`T-${guests.length}`));
  const screen = openFeedClient(stack.notifierUrl, { token: stack.managerToken });
  await screen.untilStatus('live', 20_000);
  await Promise.all(guests.slice(0, 8).map(serve));
  await pause(3_000);
  const [before, stored, seen, since] = [cpuOfEach(), await storedBytes(), screen.events.length, performance.now()];
  const queue = Array.from({ length: ordersOfTable }, () => guests)
    .flat()
    .values();
  const work = async (): Promise<void> => {
    for (const guest of queue) await serve(guest);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  await pause(3_000);
  console.log(
    `\nLoad of the machine ${loadavg()[0]?.toFixed(0)}; the orders took ${((performance.now() - since) / 1_000).toFixed(0)} s`,
  );
  console.log(
    `\nOne order of three dishes, placed, cooked and served (4 calls through the gateway, 1 screen), of ${orders}: processor time beyond idle`,
  );
  printCpu(before, { since, by: orders, unit: 'ms' });
  const now = await storedBytes();
  const events = screen.events.slice(seen);
  const bytes = events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
  console.log(
    `One order: stored by orders, before compression ${((now.data - stored.data) / orders).toFixed(0)} bytes of documents, ${((now.indexes - stored.indexes) / orders).toFixed(0)} of indexes`,
  );
  console.log(
    `One order: ${(events.length / orders).toFixed(2)} events, ${(bytes / orders).toFixed(0)} bytes in the stream and to each screen`,
  );
  screen.close();
}

async function measureScreens(): Promise<void> {
  const notifier = pids.get('notifier') ?? 0;
  const before = rssOf(notifier);
  const begun = cpuSeconds([notifier]);
  await pause(30_000);
  const without = cpuSeconds([notifier]) - begun;
  const clients = await startClients({ url: stack.notifierUrl, token: stack.managerToken, sockets, events: 1_000_000 });
  clients.done.catch(() => undefined);
  await pause(20_000);
  const open = cpuSeconds([notifier]);
  await pause(30_000);
  const spent = cpuSeconds([notifier]) - open - without;
  console.log(`\nOne screen, connected and idle, of ${sockets}`);
  console.log(`  memory of the notifier ${((1e3 * (rssOf(notifier) - before)) / sockets).toFixed(1)} KB`);
  console.log(`  processor time of the notifier ${((1_000 * spent) / 30 / sockets).toFixed(4)} ms a second`);
  const guest = await seat('T-0');
  const live = cpuSeconds([notifier]);
  const placed = 50;
  for (let count = 0; count < placed; count++) await serve(guest);
  await pause(3_000);
  console.log(
    `One event to one screen: ${((1e6 * (cpuSeconds([notifier]) - live)) / placed / 4 / sockets).toFixed(1)} µs of the notifier (4 events an order, to ${sockets} screens)`,
  );
  clients.stop();
}

try {
  await measureIdle();
  await measureOrders();
  await measureScreens();
} finally {
  await mongo.close();
  await stack.close();
}
process.exit(0); // the reaper ends the servers
