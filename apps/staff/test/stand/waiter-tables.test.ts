import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens } from '@comanda/testing/page-checks';
import { newOrder, nextOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, unreachable, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { goTo, phone, press, says, smallPhone, tablet } from '../support/page.ts';
import { pressMore } from '../support/waiter-page.ts';
import { atTables, free, newParty, other, paid, party } from './parties.ts';
import { newCall, newTable } from './states.ts';

// The waiters' list of tables, and the page for one table.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

type Order = (typeof party)['order'];
const showTable = (name: string, state: State): Promise<Page> => stand.show(state, `#/waiter/tables/${name}`, phone);
const heading = (page: Page, table: string) => page.getByRole('heading', { name: `Table ${table}`, exact: true });
const link = (page: Page, table: string) => page.getByRole('link', { name: new RegExp(`^Table ${table}\\b`) });
const orderOf = (page: Page, { ticket }: Order) => page.getByRole('article', { name: `Order #${ticket}`, exact: true });
const callsOf = async (name: Parameters<Stand['calls']>[0]) => (await stand.calls(name)).map(({ input }) => input);

/** Table 7, to which the guests from table 12 have moved. */
const movedTable = newTable('7', 88, { version: 2 });
const moveAnswers = { moveTable: movedTable, setBillTable: { ...party.bill, table: '7', version: 2 } };

describe('guests who move', () => {
  test('cannot move to a table that is taken', async () => {
    const page = await showTable('12', atTables({ parties: [party, other] }));
    await pressMore(page, 'Move to');
    const choice = page.getByRole('group', { name: /^Move the guests of table 12/ });
    await choice.getByRole('button', { name: 'Table 7' }).waitFor();
    expect(await choice.getByRole('button', { name: /^Table 14/ }).count()).toBe(0);
  });

  test('take their bill with them even if the page has not loaded the bills', async () => {
    const answers = { ...moveAnswers, listBills: { turns: [never, [party.bill]] } };
    const page = await showTable('12', atTables({ answers }));
    await pressMore(page, 'Move to');
    await press(page, 'Table 7');
    await heading(page, '7').waitFor();
    await until(async () => (await callsOf('setBillTable')).length > 0, { what: 'the bill to follow' });
    expect(await callsOf('setBillTable')).toEqual([{ id: party.bill.id, table: '7' }]);
  });

  test('take their bill with them later if the request gets no response', async () => {
    const answers = { ...moveAnswers, setBillTable: unreachable };
    const page = await showTable('12', atTables({ answers }));
    await pressMore(page, 'Move to');
    await press(page, 'Table 7');
    await heading(page, '7').waitFor();
    await until(async () => (await callsOf('setBillTable')).length > 0, { what: 'the first try' });
    await page.reload();
    await until(async () => (await callsOf('setBillTable')).length > 0, { what: 'a try after the reload' });
  });

  test('keep their bill if other guests sit down at the new table first', async () => {
    const page = await showTable('12', atTables({ answers: { moveTable: fails('table_seated') } }));
    await pressMore(page, 'Move to');
    await press(page, 'Table 7');
    await page.getByRole('alert').first().waitFor();
    expect(await callsOf('setBillTable')).toEqual([]);
  });
});

describe('tables that are joined', () => {
  const joined = { joinTables: newTable('14', 88, { version: 2 }) };

  test('keep both bills if both have payments', async () => {
    const answers = { ...joined, mergeBill: fails('bill_has_payments') };
    const page = await showTable('12', atTables({ parties: [party, other], answers }));
    await pressMore(page, 'Join with');
    await press(page, 'Table 14, seated');
    await press(page, 'Yes, join them');
    await says(page, /^The bill of table 1\d stays as it is\./);
  });

  test("add a free table to the guests' seating and bill", async () => {
    const answers = { joinTables: newTable('7', 88, { version: 2 }) };
    const page = await showTable('12', atTables({ answers }));
    await pressMore(page, 'Join with');
    await press(page, 'Table 7');
    await press(page, 'Yes, join them');
    await says(page, 'Tables 12 and 7 are joined.');
    expect(await callsOf('joinTables')).toEqual([{ table: '7', to: '12' }]);
    expect(await callsOf('mergeBill')).toEqual([]);
  });

  test('cannot move', async () => {
    const tables = [newTable('16', 88)];
    const page = await showTable('12', atTables({ tables }));
    await says(page, 'Joined with table 16');
    await press(page, /^More for table /);
    expect(await page.getByRole('button', { name: 'Move to' }).count()).toBe(0);
    await press(page, 'Close table');
    await says(page, 'Table 16 is closed too.');
  });
});

test('the question whether to close a table takes the focus, and Escape gives it back', async () => {
  const page = await showTable('12', atTables());
  await press(page, /^More for table /);
  const close = page.getByRole('button', { name: 'Close table', exact: true });
  await close.click();
  const asked = page.getByRole('group', { name: 'Close table 12?' });
  await asked.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
  await asked.getByRole('button', { name: 'Yes, close it', disabled: false }).waitFor();
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
  await close.and(page.locator(':focus')).waitFor();
  expect(await stand.calls('closeTable')).toEqual([]);
});

describe('a page that is still loading', () => {
  test('shows no total and does not look empty', async () => {
    const page = await stand.show(atTables({ answers: { listOrders: never } }), '#/waiter/tables', phone);
    await link(page, '12').waitFor();
    expect(await page.getByText('Nothing ordered yet').count()).toBe(0);
    await says(page.locator('.waiter-me'), 'My tables: …');
    await link(page, '12').click();
    await says(page, 'Loading orders…');
    await stand.answer({ listOrders: [party.order] });
    await orderOf(page, party.order).waitFor();
  });

  test('shows no total that leaves out served dishes', async () => {
    const served = nextOrder(party.order, 'delivered');
    const page = await showTable('12', atTables({ answers: { listOrders: { turns: [[], never] } } }));
    await says(page, 'Open total …');
    await says(page.locator('.waiter-me'), 'My tables: …');
    await stand.answer({ listOrders: [served] });
    await says(page, 'Open total R$ 68.20');
  });
});

test('an order for a table that does not exist can be moved', async () => {
  const order = newOrder({ table: 'Nowhere-9', seating: null, bill_id: 400, items: ['Feijoada'] });
  const answers = {
    openTable: newTable('7', 91, { version: 2 }),
    moveOrder: { ...order, table: '7', seating: 91, version: 2 },
  };
  const page = await stand.show(atTables({ answers: { ...answers, listOrders: [order] } }), '#/waiter/tables', phone);
  await page.getByRole('link', { name: /^Table Nowhere-9\b.*This table doesn’t exist/ }).click();
  await says(page, /Move its orders to a table that exists/);
  await press(orderOf(page, order), `Move order #${order.ticket}`);
  await press(page.getByRole('dialog'), 'Table 7');
  await says(page, `Order #${order.ticket} is now at table 7.`);
  await orderOf(page, order).waitFor({ state: 'detached' });
  expect(await callsOf('moveOrder')).toMatchObject([{ id: order.id, table: '7' }]);
});

describe('the list of tables', () => {
  test('has a button for each table that needs cleaning', async () => {
    const toClean = newTable('7', null, { status: 'to_clean' });
    const answers = { cleanTable: newTable('7', null, { version: 2 }) };
    const page = await stand.show(atTables({ tables: [toClean], answers }), '#/waiter/tables', phone);
    await press(page, /^To clean/);
    await press(page, 'Table 7 is clean');
    await says(page, 'Table 7 is clean.');
    await link(page, '7').waitFor({ state: 'detached' });
    expect(await callsOf('cleanTable')).toEqual([{ table: '7' }]);
  });

  test('filters tables by what they need', async () => {
    const calling = newParty('12', 88);
    const listCalls = [newCall({ kind: 'bill', method: 'card' })];
    const state = atTables({ parties: [calling, other, paid], answers: { listCalls } });
    const page = await stand.show(state, '#/waiter/tables', phone);
    await link(page, '14').waitFor();
    const filters = page.locator('.waiter-filters .chip');
    await filters.nth(0).click();
    await says(link(page, '12'), 'wants to pay by card');
    expect([await link(page, '14').count(), await link(page, '15').count()]).toEqual([0, 0]);
    await filters.nth(1).click();
    await says(link(page, '15'), /Paid \d\smin ago/);
    expect([await link(page, '12').count(), await link(page, '14').count()]).toEqual([0, 0]);
    await filters.nth(1).click();
    await link(page, '14').waitFor();
  });
});

test('a call names the table where its guests sit now', async () => {
  const answers = { listCalls: [newCall({ table: '5' })] };
  const page = await stand.show(atTables({ answers }), '#/waiter/ready', phone);
  await page.getByRole('article', { name: 'Call, table 12, waiter', exact: true }).waitFor();
});

test('the pages for tables fit and have no axe violation', async () => {
  const looks = {
    phone: { ...phone, language: 'en' },
    tablet: { ...tablet, colorScheme: 'dark', language: 'en' },
    small: { ...smallPhone, colorScheme: 'dark', language: 'pt-BR' },
    Portuguese: { ...phone, language: 'pt-BR' },
  } as const;
  const long = newTable('Varanda-do-norte', null, { status: 'to_clean' });
  const listCalls = [
    newCall({ kind: 'bill', method: 'account' }),
    newCall({ id: 52, kind: 'other', note: 'n'.repeat(100) }),
  ];
  const state = atTables({ parties: [party, paid], tables: [long, free], answers: { listCalls } });
  const page = await stand.show(state, '#/waiter/tables', phone);
  const { check, found } = checkScreens(page, { looks, shoot: stand.shoot, name: 'tables' });
  await page.locator('.floor-wants').first().waitFor();
  await check('list');
  await page.locator('.waiter-filters .chip').nth(2).click();
  await check('to-clean');
  await goTo(page, `waiter/tables/${long.table}`);
  await page.locator('.waiter-page-head').waitFor();
  await check('clean');
  await goTo(page, 'waiter/tables/12');
  await page.locator('.waiter-actions .icon-button').click();
  const actions = page.locator('.waiter-seating > .button');
  await actions.nth(0).click();
  await check('move');
  await actions.nth(1).click();
  await check('join');
  await page.locator('.waiter-table-choice .button').last().click();
  await check('join-sure');
  expect(found).toEqual([]);
});
