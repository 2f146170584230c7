/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, misfitsOf } from '@comanda/testing/page-checks';
import { minutesAgo, newBill, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { longName, longWord, looks, withoutAxe } from '../support/looks.ts';
import { press, says, tablet } from '../support/page.ts';
import { managing, newException, newPayment, newUser } from './manager-states.ts';

// The pages on which managers find bills, and what was removed from them.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const wagner = newUser(2, { name: 'Wagner' });
const order = newOrder({ id: 50, items: ['Feijoada'] });
const closed = newBill([order], {
  status: 'closed',
  number: 87,
  payments: [
    newPayment(),
    newPayment({ id: 78, method: 'card' }),
    newPayment({ id: 79, method: 'pix', pix: { confirmed_by: 'staff', end_to_end_id: null } }),
  ],
  paid: '68.20',
  remaining: '0.00',
  closed_at: minutesAgo(1),
});
const open = newBill([order], { id: 313, table: null });
const measure = async (page: Page): Promise<string[]> => [
  ...(await withoutAxe.measure(page)),
  ...((page.viewportSize()?.width ?? 0) < 320 ? [] : await misfitsOf(page)),
];

describe('the bills', () => {
  const state = (answers: State['answers'] = {}): State =>
    managing({ users: [wagner], bills: [open, closed], answers: { getBill: closed, ...answers } });

  test('are found by day, table, number, amount, method and person, and the filter stays', async () => {
    const page = await stand.show(state(), '#/manager/bills', tablet);
    await page.getByRole('link', { name: 'No. 87 · Table 12' }).waitFor();
    await says(page, 'Cash, Card, Pix (staff)');
    const form = page.getByRole('form', { name: 'Find bills' });
    await form.getByLabel('Day').fill('2026-11-20');
    await form.getByLabel('Table').fill('12');
    await form.getByLabel('Bill number').fill('87');
    await form.getByLabel('Amount paid').fill('62');
    await form.getByLabel('Paid by').selectOption('Card');
    await form.getByLabel('Recorded by').selectOption('Wagner');
    await press(form, 'Find bills');
    await form.getByRole('button', { name: 'Show all' }).waitFor();
    expect(await form.getByLabel('Bill number').inputValue()).toBe('87');
    const inputs = async () => (await stand.calls('listBills')).map(({ input }) => input);
    await until(async () => (await inputs()).some(({ number }) => number === 87), { what: 'the call for the filter' });
    const found = (await inputs()).find(({ number }) => number === 87);
    expect(found).toMatchObject({ table: '12', number: 87, amount: '62', method: 'card', person: 2 });
    expect(Date.parse(String(found?.['until'])) - Date.parse(String(found?.['since']))).toBe(86_400_000);
  });

  test('are opened with one tap, and the filter is there again afterwards', async () => {
    const page = await stand.show(state(), '#/manager/bills/table=12', tablet);
    await page.getByRole('link', { name: 'No. 87 · Table 12' }).click();
    await page.getByRole('heading', { name: /Table 12/ }).waitFor();
    await page.goBack();
    expect(await page.getByRole('textbox', { name: 'Table' }).inputValue()).toBe('12');
  });

  test('say which field is wrong, and what to do if none match or they fail to load', async () => {
    const page = await stand.show(state({ listBills: [] }), '#/manager/bills', tablet);
    const form = page.getByRole('form', { name: 'Find bills' });
    await form.getByLabel('Amount paid').fill('1.234');
    await press(form, 'Find bills');
    await says(form, 'Enter an amount, such as 74.00');
    await form.getByLabel('Amount paid').fill('12');
    await press(form, 'Find bills');
    await says(page, 'No bill matches. Change a field, or show all.');
    await stand.answer({ listBills: fails('service_unavailable') });
    await press(page, 'Show all');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });
});

describe('a bill’s row', () => {
  const state = (answers: State['answers'] = {}): State => managing({ bills: [open, closed], answers });
  const rowOf = async (answers?: State['answers']) => {
    const page = await stand.show(state(answers), '#/manager/bills', tablet);
    await press(page, 'More for No. 87 · Table 12');
    return page;
  };

  test('saves and prints the receipt', async () => {
    const page = await rowOf();
    const download = page.waitForEvent('download');
    await press(page, 'Save receipt');
    const file = await download;
    expect(file.suggestedFilename()).toBe('receipt-87.txt');
    expect(await readFile(await file.path(), 'utf8')).toContain('Receipt no. 87 · Table 12');
    await page.evaluate(() => {
      globalThis.print = () => document.body.classList.add('was-printed');
    });
    await press(page, 'Print receipt');
    await page.locator('.was-printed').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.receipt-sheet').innerText()).toContain('Receipt no. 87');
    expect(await page.getByRole('heading', { name: 'Bills' }).isVisible()).toBe(false);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.locator('.receipt-sheet').waitFor({ state: 'detached' });
  });

  test('reopens a closed bill only with a reason', async () => {
    const page = await rowOf({ reopenBill: { ...closed, status: 'open', number: null, version: 2 } });
    await press(page, 'Reopen bill');
    await page.getByRole('button', { name: 'Reopen bill', disabled: true }).click({ force: true });
    expect(await stand.calls('reopenBill')).toEqual([]);
    await page.getByLabel('Why do you reopen it?').fill('Charged twice');
    await press(page, 'Reopen bill');
    await page.getByRole('link', { name: 'Open · Table 12' }).waitFor();
    expect(await stand.calls('reopenBill')).toMatchObject([{ input: { id: 312, reason: 'Charged twice' } }]);
    expect(await page.getByRole('button', { name: 'Reopen bill' }).count()).toBe(0);
  });

  test('says why a bill can no longer be reopened', async () => {
    const page = await rowOf({ reopenBill: fails('bill_not_open') });
    await press(page, 'Reopen bill');
    await page.getByLabel('Why do you reopen it?').fill('Charged twice');
    await press(page, 'Reopen bill');
    await says(page, 'This bill can’t be reopened.');
  });
});

describe('the list of cancellations, discounts and refunds', () => {
  test('says who, how much and why, and can be limited to a kind and a person', async () => {
    const listExceptions = [
      newException('discount', { id: 1, reason: 'Waited too long' }),
      newException('item_cancelled', { id: 2, name: 'Feijoada', by: null }),
    ];
    const page = await stand.show(
      managing({ users: [wagner], answers: { listExceptions } }),
      '#/manager/audit',
      tablet,
    );
    await page.getByRole('link', { name: 'Cancellations, discounts and refunds' }).click();
    const rows = page.getByRole('table').getByRole('row');
    await says(rows.nth(1), 'Waited too long');
    await says(rows.nth(1), 'R$ 62.00');
    await says(rows.nth(2), 'a guest');
    await says(rows.nth(2), 'no reason given');
    await press(page, 'Refunds');
    await page.getByLabel('By', { exact: true }).selectOption('Wagner');
    await rows.nth(1).waitFor();
    const inputs = (await stand.calls('listExceptions')).map(({ input }) => input);
    expect(inputs.at(-1)).toEqual({ kind: 'refunded', by: 2, limit: 50 });
  });

  test('looks for a kind on all pages of a closed day', async () => {
    const discounts = Array.from({ length: 60 }, (_each, id) => newException('discount', { id }));
    const getReport = [...discounts, newException('refunded', { id: 60, reason: 'Cold soup' })];
    const page = await stand.show(managing({ answers: { getReport } }), '#/manager/audit/exceptions/day=7', tablet);
    await page.getByRole('row').nth(50).waitFor();
    await press(page, 'Refunds');
    await says(page.getByRole('table'), 'Cold soup');
  });
});

test('both pages show the longest values in full in Portuguese', async () => {
  const table = 'Varanda-Norte-12';
  const long = newBill([order], { table, total: '9999999.99', remaining: '9999999.99' });
  const reason = 'sem cebola, sem coentro; molho à parte, '.repeat(5);
  const state = managing({
    users: [newUser(2, { name: longName })],
    bills: [{ ...long, payments: [newPayment(), newPayment({ id: 78, method: 'account' })] }, closed],
    answers: {
      listExceptions: [
        newException('item_cancelled', { id: 1, name: longWord, amount: '9899999.01', reason }),
        newException('order_moved', { id: 2, by: { id: 2, name: longName } }),
      ],
    },
  });
  const page = await stand.show(state, '#/manager/bills', { ...looks['at-195'], language: 'pt-BR' });
  await page.locator('.bill-list td').first().waitFor();
  await page.locator('.bill-list .icon-button').last().click();
  await press(page, 'Reabrir conta');
  const { check, found } = checkScreens(page, { looks, shoot: stand.shoot, name: 'manager-bills', measure });
  await check('bills');
  await page.evaluate(() => (location.hash = '#/manager/audit/exceptions'));
  await page.locator('.exception-filter').waitFor();
  await page.locator('.bill-list td').first().waitFor();
  await check('exceptions');
  expect(found).toEqual([]);
});
