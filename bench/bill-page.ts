// npm run bench -- bill-page: the work of a phone's page until a bill of 60 lines stands there, in Chromium.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBrowser } from '@comanda/testing/browser';
import { caller, created } from '@comanda/testing/call';
import { appFolders, buildApps } from '@comanda/local-stack/build-apps';
import { buildServices, startBenchStack } from './stack.ts';
import { limit } from './support.ts';

const lines = 60;
const linesOfAnOrder = 30;

buildServices();
const folder = mkdtempSync(join(tmpdir(), 'bench-apps-'));
await buildApps(folder);
const stack = await startBenchStack(appFolders(folder));
const browser = await startBrowser();
const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } }));

const { body: table } = await manager('PUT', '/tables/12');
const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
await page.goto(`${stack.gatewayUrl}/${new URL(table.url).search}`);
await page.getByRole('heading', { level: 1, name: '12' }).waitFor();
const { seating } = (await manager('GET', '/tables')).body.find((each: { table: string }) => each.table === '12');
for (let first = 0; first < lines; first += linesOfAnOrder) {
  const remarks = Array.from({ length: linesOfAnOrder }, (_each, index) => `sem sal ${first + index}`);
  const items = remarks.map((text) => ({ name: 'Feijoada', quantity: 1, remarks: text }));
  created(await manager('POST', '/orders', { body: { table: '12', seating, items } }));
}
const devtools = await page.context().newCDPSession(page);
await devtools.send('Performance.enable');

/** How long the page's main thread has worked so far, in milliseconds. */
async function workedMs(): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
}
/** Goes to another page of the app, and waits until as many of these elements stand there and nothing moves any more. */
async function show(hash: string, { selector, count }: { selector: string; count: number }): Promise<void> {
  await page.evaluate((to) => void (location.hash = to), hash);
  await page
    .locator(selector)
    .nth(count - 1)
    .waitFor({ state: 'attached' });
  await pause(500);
}

await limit({
  name: 'bill-page',
  what: `work of a phone's page until a bill of ${lines} lines stands there: one frame of 60 a second`,
  unit: 'ms',
  atMost: 1_000 / 60,
  ours: async () => {
    await show('#/', { selector: 'article', count: 1 });
    const before = await workedMs();
    await show('#/bill', { selector: '.bill-line', count: lines });
    return (await workedMs()) - before;
  },
});
await browser.close();
await stack.close();
