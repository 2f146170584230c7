// The longest task of the kitchen's board in Chromium: 200 open tickets on a wall screen, while 20 dishes a second change
// their status. A task over 50 ms is felt as a delay.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startBrowser } from '@comanda/testing/browser';
import { caller } from '@comanda/testing/call';
import { managerCredentials, password } from '@comanda/testing/credentials';
import { appFolders, buildApps } from '@comanda/local-stack/build-apps';
import { startBenchStack } from './stack.ts';
import { limit } from './support.ts';

const tickets = 200;
const perSecond = 20;
const seconds = 20;

type OpenOrder = { id: number; items: { id: number }[] };

const folder = mkdtempSync(join(tmpdir(), 'bench-apps-'));
await buildApps(folder);
const stack = await startBenchStack(appFolders(folder));
const browser = await startBrowser();
const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
for (const name of ['Feijoada', 'Moqueca de peixe', 'Pudim de leite'])
  await manager('POST', '/menu', { body: { name, price: '32.50' } });
const orders: OpenOrder[] = [];
while (orders.length < tickets) orders.push(await placeOrder(orders.length));

async function placeOrder(index: number): Promise<OpenOrder> {
  const items = [
    { name: 'Feijoada', quantity: 2, remarks: `sem sal ${index}` },
    { name: 'Moqueca de peixe', quantity: 1 },
    { name: 'Pudim de leite', quantity: 1 },
  ];
  return (await manager('POST', '/orders', { body: { table: String((index % 40) + 1), items } })).body as OpenOrder;
}

/** Changes the first dish of each order in turn, forward and back again. */
function changeDish(index: number): Promise<unknown> {
  const order = orders[index % tickets];
  const status = index % (2 * tickets) < tickets ? 'preparing' : 'received';
  return manager('PUT', `/orders/${order?.id}/items/${order?.items[0]?.id}`, { body: { status } });
}
async function changeStatuses(): Promise<void> {
  const begun = performance.now();
  for (let index = 0; index < perSecond * seconds; index++) {
    void changeDish(index);
    await pause(Math.max(0, begun + (index * 1_000) / perSecond - performance.now()));
  }
  await pause(1_000);
}
const openBoard = async (): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await startShift(page, stack.gatewayUrl);
  await pause(2_000); // the first paint, with the font, is not what is measured
  return page;
};

await limit({
  name: 'kitchen-board',
  what: `longest task of a board with ${tickets} open tickets and ${perSecond} changes a second`,
  unit: 'ms',
  atMost: 50,
  rounds: 3,
  ours: async () => {
    const page = await openBoard();
    await page.evaluate(recordTasks);
    await changeStatuses();
    const longest = await page.evaluate(() => Math.max(0, ...(globalThis as unknown as { tasks: number[] }).tasks));
    await page.close();
    return longest;
  },
});
await browser.close();
await stack.close();

async function startShift(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/kitchen`);
  await page.locator('input[type=email]').fill(managerCredentials.email);
  await page.locator('input[type=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('button.shift-start').click();
  await page.locator('.ticket').first().waitFor();
}

/** Runs in the page: keeps the lengths of its long tasks, in milliseconds. */
function recordTasks(): void {
  const tasks: number[] = [];
  Object.assign(globalThis, { tasks });
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ['longtask'], // a type of browsers
  });
}
