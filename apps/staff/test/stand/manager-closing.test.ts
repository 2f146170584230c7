/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, unreachable, type State } from '@comanda/testing/stand/state';
import { tapInView } from '@comanda/testing/tap-in-view';
import type { Page } from 'playwright-core';
import { phone, press, says, tablet } from '../support/page.ts';
import { newCount, newDay, newDrawer, newFigures, newReport } from './day-states.ts';
import { afterPin, managing } from './manager-states.ts';

// Closing the day: open bills, blind counts, the PIN, and everything that can come in between.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const uncounted = newDrawer('main', { moved: true });
const count = newCount();
const counted = newDrawer('main', { counted_at: count.at });
const { turns, stepUp } = afterPin(newReport());
const running: State['answers'] = {
  getDay: newDay(),
  getDayFigures: newFigures(),
  listCashDrawers: [uncounted],
  listCounts: [],
  countCashDrawer: newCount(),
  getDayReport: fails('not_found'),
  getReport: newFigures().waiters,
  stepUp,
  closeDay: { turns },
};
const ready: State['answers'] = { ...running, listCashDrawers: [counted], listCounts: [count] };
const show = (answers: State['answers'], look = tablet): Promise<Page> =>
  stand.show(managing({ answers }), '#/manager/today/close', look);

async function enterPin(page: Page): Promise<void> {
  await page.locator('.pin-pad[aria-busy=false]').waitFor();
  await page.keyboard.type('739152');
  await press(page, 'Confirm');
}
/** Closes the day, after which the server rejects the closing for this reason. */
async function closeRefused(
  page: Page,
  closeDay: ReturnType<typeof fails>,
  more: State['answers'] = {},
): Promise<void> {
  await page.getByLabel('Note').fill('Sem luz das 20h às 21h');
  await stand.answer({ closeDay: { turns: [fails('step_up_required'), closeDay] } });
  await press(page, 'Close the day, carry over 2 bills');
  await page.locator('.pin-pad[aria-busy=false]').waitFor();
  await stand.answer(more);
  await enterPin(page);
}

test('a manager closes the day in six taps, from Today to the report', async () => {
  const page = await stand.show(managing({ answers: running }), '#/manager/today', phone);
  const close = page.getByRole('button', { name: 'Close the day, carry over 2 bills' });
  let taps = await tapInView(page.getByRole('link', { name: 'Close the day' }));
  await says(page, 'These bills are still open.');
  const total = page.getByLabel('Counted (R$)');
  await total.scrollIntoViewIfNeeded();
  taps += await tapInView(total);
  await total.fill('860');
  await stand.answer({ listCashDrawers: [counted], listCounts: [count] });
  await page.getByRole('button', { name: 'Save count: R$ 860.00' }).scrollIntoViewIfNeeded();
  taps += await tapInView(page.getByRole('button', { name: 'Save count: R$ 860.00' }));
  await says(page, 'R$ 2.00 missing');
  const left = page.getByLabel('Left in it (R$)');
  await left.scrollIntoViewIfNeeded();
  taps += await tapInView(left);
  await left.fill('200');
  await stand.answer({ listCounts: [newCount({ id: 5022, difference: '0.00', left: '200.00' })] });
  await page.getByRole('button', { name: 'Take out R$ 660.00' }).scrollIntoViewIfNeeded();
  taps += await tapInView(page.getByRole('button', { name: 'Take out R$ 660.00' }));
  await says(page, 'R$ 200.00 left in it.');
  await close.scrollIntoViewIfNeeded();
  taps += await tapInView(close);
  await says(page.getByRole('dialog'), 'You’re closing day 214. Its report can’t be changed afterwards.');
  await says(page.getByRole('dialog'), '2 open bills are carried over to the next day.');
  await stand.answer({ getDayReport: newReport(), getDay: newDay({ number: 215 }) });
  await enterPin(page);
  await says(page.getByRole('region', { name: 'Sales' }), 'R$ 9,790.01');
  expect(taps).toBe(6);
  const calls = await stand.calls('closeDay');
  expect(calls.at(-1)).toMatchObject({
    input: { number: 214, previous_hash: 'b'.repeat(64), carry_over: [312, 313] },
    key: expect.any(String),
  });
});

describe('the page', () => {
  test('keeps what the day’s counts have found once cash has moved again', async () => {
    const yesterday = newCount({ id: 4000, day: 213, difference: '-9.00' });
    const moved = newDrawer('main', { counted_at: count.at, moved: true });
    const page = await show({ ...ready, listCashDrawers: [moved], listCounts: [count, yesterday] });
    await says(page, 'Cash has moved since the last count.');
    const found = page.getByRole('region', { name: 'Main drawer' }).getByRole('listitem');
    await says(found, 'R$ 2.00 missing');
    expect(await found.count()).toBe(1);
    await page.getByLabel('Counted (R$)').waitFor();
  });

  test('says that a paid bill is only to be closed', async () => {
    const { open_bills: bills } = newDay();
    const page = await show({ ...ready, getDay: newDay({ open_bills: bills.slice(1), open_bill_count: 1 }) });
    await says(page, 'This bill is paid but still open. Close it, or it’s carried over to the next day.');
    await show({ ...ready, getDay: newDay({ open_bills: bills.slice(0, 1), open_bill_count: 1 }) });
    await says(page, 'This bill is still open. Take its payment and close it, or it’s carried over to the next day.');
  });
});

describe('a closing', () => {
  test('waits until every drawer in which cash has moved is counted', async () => {
    const page = await show({
      ...running,
      listCashDrawers: [newDrawer('bar', { label: 'Bar', moved: true }), counted],
    });
    await says(page, 'Count first: Bar');
    await page.getByRole('button', { name: 'Close the day, carry over 2 bills' }).press('Enter');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('inputmode'))).toBe('decimal');
    expect(await stand.calls('closeDay')).toEqual([]);
  });

  test('waits until the rest is taken out if the manager has typed what stays', async () => {
    const page = await show(ready);
    const left = page.getByLabel('Left in it (R$)');
    await left.fill('200');
    await says(page, 'Take out the rest first, or clear the amount that stays: Main drawer');
    await page.getByRole('button', { name: 'Close the day, carry over 2 bills' }).press('Enter');
    expect(await stand.calls('closeDay')).toEqual([]);
    for (const all of ['860', '']) {
      await left.fill(all);
      await page.getByText('Take out the rest first').waitFor({ state: 'detached' });
      await left.fill('200');
      await page.getByText('Take out the rest first').waitFor();
    }
  });

  test('says that another manager was faster, and leads to that report', async () => {
    const page = await show(ready);
    const theirs = newReport({ closed_by: { id: 9, name: 'Ana' } });
    await closeRefused(page, fails('day_changed', { members: { number: 215, previous_hash: 'c'.repeat(64) } }), {
      getDayReport: theirs,
      getDay: newDay({ number: 215 }),
    });
    await says(page, /^Ana already closed this day at \d\d:\d\d\.$/);
    await page.getByRole('link', { name: 'Open the report' }).click();
    await says(page.getByRole('region', { name: 'Sales' }), 'R$ 9,790.01');
  });

  test('lists what came in between, and loses nothing that was typed', async () => {
    const page = await show(ready);
    const members = { bills: [314], bill_count: 1, cash_drawers: ['main'] };
    const day = newDay({
      open_bills: [...newDay().open_bills, { id: 314, table: '7', created_at: newCount().at, remaining: '50.00' }],
      open_bill_count: 3,
    });
    await closeRefused(page, fails('day_not_closable', { members }), { getDay: day, listCashDrawers: [uncounted] });
    await says(page, '1 more bill was opened. Cash has moved since the count: Main drawer.');
    await page.getByRole('link', { name: 'Table 7' }).waitFor();
    await page.getByRole('button', { name: 'Close the day, carry over 3 bills' }).waitFor();
    await says(page, 'Count first: Main drawer');
    await page.reload();
    expect(await page.getByLabel('Note').inputValue()).toBe('Sem luz das 20h às 21h');
  });

  test('that the counters are too busy for can be tried again', async () => {
    const page = await show(ready);
    await closeRefused(page, fails('service_unavailable'));
    await says(page, 'The restaurant is too busy to close right now.');
    expect(await page.getByLabel('Note').inputValue()).toBe('Sem luz das 20h às 21h');
    await stand.answer({ closeDay: { turns: [fails('step_up_required'), newReport()] } });
    await press(page, 'Close the day, carry over 2 bills');
    await page.locator('.pin-pad[aria-busy=false]').waitFor();
    await stand.answer({ getDayReport: newReport() });
    await enterPin(page);
    await says(page.getByRole('region', { name: 'Sales' }), 'R$ 9,790.01');
    const keys = (await stand.calls('closeDay')).map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
  });

  test('whose response was lost leads to its report', async () => {
    const page = await show(ready);
    await closeRefused(page, fails('unreachable', { outcome: 'unknown' }), { getDayReport: newReport() });
    await says(page.getByRole('region', { name: 'Sales' }), 'R$ 9,790.01');
  });

  test('that may have succeeded says that it can be repeated', async () => {
    const page = await show(ready);
    await closeRefused(page, fails('unreachable', { outcome: 'unknown' }));
    await says(page, 'We don’t know yet whether the day is closed.');
    await says(page, 'Press “Close the day” again: it closes only once.');
  });

  test('without open bills carries nothing over', async () => {
    const page = await show({ ...ready, getDay: newDay({ open_bills: [], open_bill_count: 0 }) });
    await says(page, 'Every bill is closed.');
    await press(page, 'Close the day');
    await page.locator('.pin-pad[aria-busy=false]').waitFor();
    expect((await stand.calls('closeDay'))[0]?.input).toEqual({ number: 214, previous_hash: 'b'.repeat(64) });
  });
});

test('the report of the first count says what was paid before it', async () => {
  const first = newCount({ expected: null, difference: null, left: '200.00' });
  const main = { name: 'main', opening: '200.00', sums: { payment: '6402.09' }, left: '6602.09', counts: [first] };
  const getDayReport = newReport({ cash_drawers: [main] });
  const page = await stand.show(managing({ answers: { ...running, getDayReport } }), '#/manager/today/214', tablet);
  const drawer = page.getByRole('region', { name: 'Cash: Main drawer' });
  await says(drawer, 'Left at the first count');
  await says(drawer, 'Cash payments before it, not in these sums');
  await says(drawer, 'R$ 340.00');
  expect(await drawer.getByText('At the start').count()).toBe(0);
});

describe('a report on paper', () => {
  const closed = { getDayReport: newReport(), getDay: newDay({ number: 215 }) };

  test('is not printed before the waiters are loaded', async () => {
    const page = await stand.show(
      managing({ answers: { ...closed, getReport: never } }),
      '#/manager/today/214',
      tablet,
    );
    await says(page.getByRole('region', { name: 'Sales' }), 'R$ 9,790.01');
    await page.getByRole('button', { name: 'Print A4', disabled: true }).waitFor();
    await stand.answer({ getReport: newFigures().waiters });
    await page.getByRole('button', { name: 'Print A4', disabled: false }).waitFor();
  });

  test('says that the waiters are missing if they can’t be loaded', async () => {
    const answers = { ...closed, getReport: unreachable };
    const page = await stand.show(managing({ answers }), '#/manager/today/214', tablet);
    await says(page.getByRole('region', { name: 'Waiters' }), 'Couldn’t be loaded. Print again later.');
    await page.getByRole('button', { name: 'Print A4', disabled: false }).waitFor();
  });

  test.each([
    ['Print A4', 'a4', 'en'],
    ['Imprimir em 80 mm', 'roll', 'pt-BR'],
  ] as const)('“%s” shows the report and nothing else, in full', async (button, size, language) => {
    const answers = { getDayReport: newReport(), getReport: newFigures().waiters, getDay: newDay({ number: 215 }) };
    const page = await stand.show(managing({ answers }), '#/manager/today/214', { ...tablet, language });
    await page.evaluate(() => {
      globalThis.print = () => document.body.classList.add('was-printed');
    });
    await press(page, button);
    await page.locator('.was-printed').waitFor();
    await page.emulateMedia({ media: 'print' });
    // As wide as the paper within its margins.
    await page.setViewportSize({ width: size === 'a4' ? 703 : 280, height: 1_000 });
    const paper = page.locator(`.paper-${size}`);
    expect(await paper.isVisible()).toBe(true);
    expect(await page.locator('.manager').isVisible()).toBe(false);
    expect(await paper.textContent()).toContain(newReport().hash);
    expect(await paper.textContent()).toContain('Wagner');
    await stand.shoot(page, `report-${size}`);
    const cut = await paper.evaluate((each) => each.scrollWidth > each.clientWidth + 1);
    expect(cut).toBe(false);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf).toMatch(size === 'a4' ? /\/MediaBox \[0 0 59\d(\.\d+)? 84\d/ : /\/MediaBox \[0 0 22\d(\.\d+)? /);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await paper.waitFor({ state: 'detached' });
  });
});

test('the guide names what the screens show', async () => {
  const guide = readFileSync(`${root}/docs/guides/close-the-day.md`, 'utf8');
  const [, onScreens = ''] = guide.split('## On the screens');
  const names = [...(onScreens.split('\n## ')[0] ?? '').matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(5);
  const safe = newDrawer('safe', { label: 'Cofre' });
  const state = managing({
    answers: {
      ...ready,
      listCashDrawers: [counted, safe],
      listMovements: [],
      listDays: [newReport()],
      getDayReport: newReport(),
    },
  });
  const seen: string[] = [];
  for (const [at, text] of [
    ['today', 'Past days'],
    ['cash', 'Enter cash'],
    ['today/close', 'Note'],
    ['today/214', 'Print A4'],
    ['today/days', 'Download'],
  ] as const) {
    const page = await stand.show(state, `#/manager/${at}`, tablet);
    await page.locator('main').getByText(text, { exact: true }).first().waitFor();
    seen.push((await page.locator('body').textContent()) ?? '');
  }
  const page = await stand.show(managing({ answers: { ...running, listMovements: [] } }), '#/manager/cash', tablet);
  await says(page, 'Count notes and coins');
  seen.push((await page.locator('body').textContent()) ?? '');
  expect(names.filter((name) => !seen.some((text) => text.includes(name)))).toEqual([]);
});
