// npm run bench -- day: measures what an order, a screen and an idle restaurant cost, as CPU time, memory and bytes of each
// process. From these figures, it computes the CPU time for a day. There is no baseline. docs/cost-and-limits.md quotes the
// output.
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
import { cpuSeconds, limit, residentMb } from './support.ts';

const idleS = 60;
const sockets = 500;
const tables = 40;
const ordersOfTable = 25;
const orders = tables * ordersOfTable;
const eventsOfOrder = 4;
/** The computed day: 24 hours online, of which ten hours are service. */
const day = { orders: 500, screens: 20, serviceS: 10 * 3_600 };

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

type Used = ReadonlyMap<string, number>;
/** The CPU time of each idle process, in seconds per second. */
let idle: Used = new Map();

/** Prints each process's CPU time since `before` in milliseconds, minus its idle use and divided by `by`. Returns the total. */
function printCpu(before: Used, { since, by, unit }: { since: number; by: number; unit: string }): number {
  const elapsedS = (performance.now() - since) / 1_000;
  const used = [...cpuOfEach()].map(([name, seconds]) => {
    const spent = seconds - (before.get(name) ?? 0) - (idle.get(name) ?? 0) * elapsedS;
    return [name, (1_000 * Math.max(0, spent)) / by] as const;
  });
  const sum = used.reduce((total, [, value]) => total + value, 0);
  for (const [name, value] of [...used, ['sum', sum] as const])
    console.log(`  ${name.padEnd(12)} ${value.toFixed(2)} ${unit}`);
  return sum;
}

/** Returns the size of the documents and indexes in the orders database, in bytes. */
async function storedBytes(): Promise<{ data: number; indexes: number }> {
  const { dataSize, indexSize } = await mongo.db('scale_orders').stats();
  return { data: Number(dataSize), indexes: Number(indexSize) };
}

/** Measures the CPU time of the idle services in milliseconds per second. */
async function measureIdle(): Promise<number> {
  await pause(10_000);
  console.log(`\nIdle, over ${idleS} s: processor time`);
  const [before, since] = [cpuOfEach(), performance.now()];
  await pause(idleS * 1_000);
  const sum = printCpu(before, { since, by: idleS, unit: 'ms a second' });
  idle = new Map([...cpuOfEach()].map(([name, seconds]) => [name, (seconds - (before.get(name) ?? 0)) / idleS]));
  console.log('Idle: resident memory');
  const memory = [...pids].map(([name, pid]) => [name, residentMb(pid)] as const);
  for (const [name, mb] of memory) console.log(`  ${name.padEnd(12)} ${mb.toFixed(0)} MB`);
  console.log(`  ${'sum'.padEnd(12)} ${memory.reduce((all, [, mb]) => all + mb, 0).toFixed(0)} MB`);
  return sum;
}

type Guest = { call: Call; table: string };
async function seat(table: string): Promise<Guest> {
  const { body } = await manager('PUT', `/tables/${table}`);
  const scanned = await stack.call('POST', '/auth/guest', { body: { table_token: body.table_token } });
  return { call: caller(stack.gatewayUrl, { token: scanned.body.access_token }), table };
}

/** Serves an order: a guest places it, the kitchen cooks it, and a waiter serves it. */
async function serve(guest: Guest): Promise<void> {
  const items = ['Feijoada', 'Moqueca', 'Pudim'].map((name) => ({ name, quantity: 1 }));
  const { id } = created(await guest.call('POST', '/orders', { body: { items } }));
  for (const status of ['preparing', 'ready', 'delivered']) await manager('PUT', `/orders/${id}`, { body: { status } });
}

/** Measures the CPU time for an order, in milliseconds. */
async function measureOrders(): Promise<number> {
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
  const sum = printCpu(before, { since, by: orders, unit: 'ms' });
  const now = await storedBytes();
  const events = screen.events.slice(seen);
  const bytes = events.reduce((all, event) => all + JSON.stringify(event).length, 0);
  console.log(
    `One order: stored by orders, before compression ${((now.data - stored.data) / orders).toFixed(0)} bytes of documents, ${((now.indexes - stored.indexes) / orders).toFixed(0)} of indexes`,
  );
  console.log(
    `One order: ${(events.length / orders).toFixed(2)} events, ${(bytes / orders).toFixed(0)} bytes in the stream and to each screen`,
  );
  screen.close();
  return sum;
}

/** Measures the notifier's CPU time in milliseconds: per second for a connected screen, and per event sent to a screen. */
async function measureScreens(): Promise<{ connected: number; event: number }> {
  const notifier = pids.get('notifier') ?? 0;
  const before = residentMb(notifier);
  const started = cpuSeconds([notifier]);
  await pause(30_000);
  const without = cpuSeconds([notifier]) - started;
  const clients = await startClients({ url: stack.notifierUrl, token: stack.managerToken, sockets, events: 1_000_000 });
  clients.done.catch(() => undefined);
  await pause(20_000);
  const open = cpuSeconds([notifier]);
  await pause(30_000);
  const connected = (1_000 * (cpuSeconds([notifier]) - open - without)) / 30 / sockets;
  console.log(`\nOne screen, connected and idle, of ${sockets}`);
  console.log(`  memory of the notifier ${((1e3 * (residentMb(notifier) - before)) / sockets).toFixed(1)} KB`);
  console.log(`  processor time of the notifier ${connected.toFixed(4)} ms a second`);
  const guest = await seat('T-0');
  const live = cpuSeconds([notifier]);
  const placed = 50;
  for (let count = 0; count < placed; count++) await serve(guest);
  await pause(3_000);
  const event = (1_000 * (cpuSeconds([notifier]) - live)) / placed / eventsOfOrder / sockets;
  console.log(
    `One event to one screen: ${(1_000 * event).toFixed(1)} µs of the notifier (${eventsOfOrder} events an order, to ${sockets} screens)`,
  );
  clients.stop();
  return { connected, event };
}

/** Computes the CPU time for a day in seconds. It includes idle use, orders, screens, and the events for each screen. */
async function measureDay(): Promise<number> {
  const ms = {
    idle: 24 * 3_600 * (await measureIdle()),
    orders: day.orders * (await measureOrders()),
  };
  const screen = await measureScreens();
  const screens = day.screens * (day.serviceS * screen.connected + day.orders * eventsOfOrder * screen.event);
  return (ms.idle + ms.orders + screens) / 1_000;
}

try {
  await limit({
    name: 'day',
    what: `processor time of a day, all services and servers: 24 hours, ${day.orders} orders, ${day.screens} screens for ten hours`,
    unit: 's',
    rounds: 1,
    atMost: 0.1 * 24 * 3_600, // a tenth of a core
    ours: measureDay,
  });
} finally {
  await mongo.close();
  await stack.close();
}
process.exit(0); // the reaper process stops the servers
