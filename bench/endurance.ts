// npm run bench -- endurance [minutes]: places orders for 45 minutes at half of the machine's capacity, which it measures first.
// Afterwards, three figures must hardly have grown: resident memory, the p99 from an order to the kitchen's feed, and the age of
// the oldest event in the outbox.
import { setTimeout as pause } from 'node:timers/promises';
import { caller } from '@comanda/testing/call';
import { managerCredentials } from '@comanda/testing/credentials';
import { openFeedClient } from '@comanda/testing/feed-client';
import type { ServiceProcess } from '@comanda/testing/service-process';
import { Pool } from 'undici';
import { startBenchStack } from './stack.ts';
import { limit, median, percentile, residentMb } from './support.ts';

const minutes = Number(process.argv[3] ?? 45);
const clients = 64;
const warmUpMinutes = 1;
/** Access tokens last 15 minutes, so 5 minutes leave a large margin. */
const newTokenEveryMinutes = 5;

const stack = await startBenchStack();
const pool = new Pool(stack.gatewayUrl, { connections: clients });
let token = stack.managerToken;
await caller(stack.gatewayUrl, { token })('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } });

/** The start times of orders that are not in the kitchen's feed yet, by the mark in the order's remarks. */
const started = new Map<string, number>();
let took: number[] = [];
type Event = { type: string; data: { order?: { items: { remarks: string }[] } } };
async function openKitchen() {
  const opened = openFeedClient(stack.notifierUrl, { token, retryRefused: true });
  opened.socket.on('event', ({ type, data }: Event) => {
    const mark = data.order?.items[0]?.remarks ?? '';
    const at = started.get(mark);
    opened.events.length = 0;
    if (type !== 'order.created' || at === undefined) return;
    took.push(performance.now() - at);
    started.delete(mark);
  });
  await opened.untilStatus('live', 20_000);
  return opened;
}
let kitchen = await openKitchen();

let placed = 0;
async function place(): Promise<void> {
  const mark = String(++placed);
  started.set(mark, performance.now());
  const { statusCode, body } = await pool.request({
    path: '/orders',
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ items: [{ name: 'Feijoada', quantity: 2, remarks: mark }], table: '12' }),
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`refused: ${statusCode} ${text}`);
}
/** Measures orders per second with 64 callers. Each caller waits for a response before the next order. */
async function saturate(seconds: number): Promise<number> {
  const start = performance.now();
  const before = placed;
  const call = async (): Promise<void> => {
    while (performance.now() - start < seconds * 1000) await place();
  };
  await Promise.all(Array.from({ length: clients }, call));
  return (placed - before) / ((performance.now() - start) / 1000);
}
async function untilAllArrived(): Promise<void> {
  for (let tries = 0; started.size > 0 && tries < 3000; tries++) await pause(10);
  if (started.size > 0) throw new Error(`lost: ${started.size} orders`);
}
async function newToken(): Promise<void> {
  const response = await caller(stack.gatewayUrl)('POST', '/auth/login', { body: managerCredentials });
  token = (response.body as { access_token: string }).access_token;
  const before = kitchen;
  kitchen = await openKitchen();
  before.close();
}
async function outboxAgeMs(): Promise<number> {
  const metrics = await (await fetch(`${stack.services.orders.url}/metrics`)).text();
  const ages = [...metrics.matchAll(/^comanda_outbox_oldest_seconds\{.*\} (\S+)$/gm)].map(([, seconds]) =>
    Number(seconds),
  );
  if (ages.length === 0) throw new Error('orders has no metric of the age of its outbox');
  return 1000 * Math.max(...ages);
}

const memory: number[] = [];
const p99: number[] = [];
const age: number[] = [];
/** Places orders at a constant rate for a minute, and stores that minute's measurements. */
async function runMinute(perSecond: number): Promise<void> {
  took = [];
  const start = performance.now();
  const sent: Promise<void>[] = [];
  let oldest = 0;
  const watch = setInterval(() => void outboxAgeMs().then((ms) => (oldest = Math.max(oldest, ms))), 2_000);
  for (let index = 0; performance.now() - start < 60_000; index++) {
    const waitMs = start + (index * 1000) / perSecond - performance.now();
    if (waitMs > 1) await pause(waitMs);
    sent.push(place());
    if (sent.length > 1000) await Promise.all(sent.splice(0, 500));
  }
  await Promise.all(sent);
  clearInterval(watch);
  const sizes = Object.values(stack.services).map((service) => residentMb((service as ServiceProcess).pid()));
  memory.push(sizes.reduce((sum, size) => sum + size));
  p99.push(percentile(took, 0.99));
  age.push(oldest);
}

try {
  await saturate(10);
  const perSecond = Math.round((await saturate(15)) / 2);
  await untilAllArrived();
  for (let minute = 1 - warmUpMinutes; minute <= minutes; minute++) {
    if (minute > 0 && minute % newTokenEveryMinutes === 0) await newToken();
    await runMinute(perSecond);
    const [megabytes = 0, ms = 0, oldestMs = 0] = [memory.at(-1), p99.at(-1), age.at(-1)];
    process.stderr.write(
      `  minute ${minute} of ${minutes}: ${placed} orders, ${megabytes.toFixed(0)} MB, p99 ${ms.toFixed(1)} ms, outbox ${oldestMs.toFixed(0)} ms\n`,
    );
  }
  await untilAllArrived();
  for (const curve of [memory, p99, age]) curve.splice(0, warmUpMinutes);

  const load = `${minutes} minutes at ${perSecond} orders a second, half of saturation, ${placed} orders, none lost`;
  const beginning = (curve: readonly number[]): number => median(curve.slice(0, 5));
  /** Returns a function that computes the growth from the median of the first five minutes to the median of the last five. */
  const growth = (curve: readonly number[]) => (): Promise<number> =>
    Promise.resolve(median(curve.slice(-5)) - beginning(curve));
  await limit({
    name: 'endurance-memory',
    what: `${load}: growth of the memory of all services`,
    unit: 'MB',
    ours: growth(memory),
    atMost: 0.1 * beginning(memory),
    rounds: 1,
  });
  await limit({
    name: 'endurance-p99',
    what: `${load}: growth of the p99 of an order on its way to the kitchen`,
    unit: 'ms',
    ours: growth(p99),
    atMost: 0.5 * beginning(p99),
    rounds: 1,
  });
  await limit({
    name: 'endurance-outbox',
    what: `${load}: the oldest event that waited in the outbox`,
    unit: 'ms',
    ours: () => Promise.resolve(Math.max(...age)),
    atMost: 4_000,
    rounds: 1,
  });
} finally {
  kitchen.close();
  await pool.close();
  await stack.close();
}
