// npm run bench -- bill: the bill through HTTP.
// - a payment by cash against an order, by 16 waiters
// - 50 payers of one bill at once
// - the page of a bill of 60 lines in Chromium: its longest task when a line is paid
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { appFolders, buildApps } from '@comanda/local-stack/build-apps';
import { startBrowser } from '@comanda/testing/browser';
import { caller, created } from '@comanda/testing/call';
import { perSecond } from './orders/order-writer.ts';
import { buildServices, startBenchStack } from './stack.ts';
import { compare, limit } from './support.ts';

const waiters = 16;
const payers = 50;
const billLines = 60;

buildServices();
const folder = mkdtempSync(join(tmpdir(), 'bench-apps-'));
await buildApps(folder);
const stack = await startBenchStack(appFolders(folder));
const manager = caller(stack.services.orders.url, { token: stack.managerToken });
created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } }));

/** A bill of its own with this many portions. */
async function newBill(quantity = 1): Promise<number> {
  const items = Array.from({ length: Math.ceil(quantity / 50) }, () => ({ name: 'Feijoada', quantity: 50 }));
  if (quantity < 50) items.splice(0, 1, { name: 'Feijoada', quantity });
  return created(await manager('POST', '/orders', { body: { items } })).bill_id;
}
async function payOne(bill: number): Promise<void> {
  const body = { method: 'cash', part: { amount: '1.00' } };
  created(await manager('POST', `/bills/${bill}/payments`, { body }));
}

await compare({
  name: 'bill-payment-cash',
  what: `payments by cash recorded by ${waiters} waiters, each on bills of their own`,
  unit: 'payments/s',
  ours: async () => {
    const bills = await Promise.all(Array.from({ length: waiters }, () => newBill(50)));
    let next = 0;
    return perSecond(() => payOne(bills[next++ % waiters] ?? 0), { clients: waiters });
  },
  peers: {
    'orders placed by the same': { run: () => perSecond(() => newBill(), { clients: waiters }), atLeast: 1 / 1.3 },
  },
});

await limit({
  name: 'bill-payers',
  what: `until ${payers} payers of one bill, at once, have their answers (400 answers a second are 125 ms)`,
  unit: 'ms',
  atMost: (payers / 400) * 1_000,
  ours: async () => {
    const bill = await newBill(50);
    const begun = performance.now();
    await Promise.all(Array.from({ length: payers }, () => payOne(bill)));
    return performance.now() - begun;
  },
});

const browser = await startBrowser();
const auth = caller(stack.services['auth-stepup'].url, { token: stack.managerToken });
const { body: seat } = await auth('PUT', '/tables/12');
const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
await page.goto(`${stack.gatewayUrl}/${new URL(seat.url).search}`);
await page.getByRole('heading', { level: 1, name: '12' }).waitFor();
for (let first = 1; first <= billLines; first += 30) {
  const items = Array.from({ length: 30 }, (_each, index) => ({
    name: 'Feijoada',
    quantity: 1,
    remarks: `sem sal ${first + index}`,
  }));
  created(await manager('POST', '/orders', { body: { table: '12', items } }));
}
const devtools = await page.context().newCDPSession(page);
await devtools.send('Performance.enable');
/** How long the page's main thread has worked so far, in milliseconds. */
async function workedMs(): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
}
async function show(hash: string, selector: string): Promise<void> {
  await page.evaluate((to) => void (location.hash = to), hash);
  await page
    .locator(selector)
    .nth(hash === '#/bill' ? billLines - 1 : 0)
    .waitFor();
  await pause(300);
}
await limit({
  name: 'bill-page',
  what: `work of a phone's page until a bill of ${billLines} lines stands there: one frame of 60 a second`,
  unit: 'ms',
  atMost: 1_000 / 60,
  ours: async () => {
    await show('#/', 'article');
    const before = await workedMs();
    await show('#/bill', '.bill-card li');
    return (await workedMs()) - before;
  },
});
await browser.close();
await stack.close();
