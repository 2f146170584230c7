import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, type Answer, type Client } from '@comanda/client';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { root } from '@comanda/local-stack/root';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { startSimulation } from './simulation.ts';

const isLong = process.env['COMANDA_LONG'] === '1';
const [guests, pace] = isLong ? [200, 100] : [10, 1000];
const patienceMs = isLong ? 900_000 : 120_000;

let stack: Stack;
let manager: Client;
const evening = new AbortController();
beforeAll(async () => {
  stack = await startRestaurant('simulation-evening');
  manager = createClient({ url: stack.gatewayUrl });
  await manager.signIn(publicSignIns.manager);
});
afterAll(async () => {
  evening.abort();
  manager?.close();
  await stack?.close();
});

/** Lists everything that a call returns in pages. */
async function all<T extends { id: number }>(list: (cursor: object) => Promise<T[]>): Promise<T[]> {
  const found = new Map<number, T>();
  for (let cursor: object = {}; ; cursor = { cursor: String(Math.min(...found.keys())) }) {
    const page = await list({ limit: 200, ...cursor });
    for (const row of page) found.set(row.id, row);
    if (page.length < 200) return [...found.values()];
  }
}

test(
  `the day of an evening with ${guests} guests adds up to the cent, by a program that shares no code with the services`,
  async () => {
    const lines: string[] = [];
    const isClosed = new Promise<void>((resolve) => {
      const log = (line: string): void => {
        lines.push(line);
        // The second evening would go on. It ends before anyone sits down.
        if (!line.includes(' is closed after ')) return;
        evening.abort();
        resolve();
      };
      const signIns = publicSignIns;
      const options = { gatewayUrl: stack.gatewayUrl, signIns, pace, bank: null, log, seed: 5, guests };
      void startSimulation({ ...options, signal: evening.signal });
    });
    await isClosed;

    const { calls } = manager;
    const [report] = (await calls.listDays({ limit: 1 })) as [Answer<'getDayReport'>];
    const { number } = report;
    const before = number === 1 ? null : await calls.getDayReport({ number: number - 1 });
    const bills = await all((page) => calls.listBills(page));
    const ofDay = { from: number, to: number };
    const drawers = await calls.listCashDrawers();
    const counts = await Promise.all(drawers.map(({ name }) => all((page) => calls.listCounts({ name, ...page }))));
    const given = {
      report,
      before,
      last_number_before: before?.bills.last_number ?? 0,
      bills: bills.filter(({ status, day }) => status === 'closed' && day === number),
      closed_before: bills.filter(({ status, day }) => status === 'closed' && day !== number),
      open: bills.filter(({ status }) => status === 'open'),
      movements: await all((page) => calls.getReport({ report: 'movements', ...ofDay, ...page }) as never),
      exceptions: await all((page) => calls.getReport({ report: 'exceptions', ...ofDay, ...page }) as never),
      counts: counts.flat().filter(({ day }) => day === number),
    };
    const program = join(root, 'test', 'evenings', 'recount.py');
    const differences = execFileSync('python3', [program], { input: JSON.stringify(given), encoding: 'utf8' });

    expect(differences).toBe('');
    expect(report.bills.count).toBeGreaterThan(guests / 10);
    expect(report.payments.length).toBeGreaterThan(1);
    expect(report.cash_drawers).toMatchObject([{ name: 'main', opening: '200.00' }]);
  },
  patienceMs,
);
