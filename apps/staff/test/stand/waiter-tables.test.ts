import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Bill } from '@comanda/contracts/bills';
import { checkScreens } from '@comanda/testing/page-checks';
import { minutesAgo, newBill, newOrder, nextOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, unreachable, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { phone, press, says, smallPhone, tablet } from '../support/page.ts';
import { pressMore } from '../support/waiter-page.ts';
import { newCall, newTable, onDuty } from './states.ts';

// The waiters' list of tables, and the page for one table.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

type Order = ReturnType<typeof newOrder>;
type Party = { order: Order; bill: Bill; table: ReturnType<typeof newTable> };
/** Creates a table whose guests have ordered a Feijoada, for R$ 68.20 including the service charge. */
function newParty(name: string, seating: number, differs: Partial<Bill> = {}): Party {
  const bill_id = 300 + seating;
  const order = newOrder({ id: 1_000 + seating, table: name, seating, bill_id, items: ['Feijoada'] });
  const bill = newBill([order], { id: bill_id, table: name, seating, ...differs });
  return { order, bill, table: newTable(name, seating) };
}
const [party, other] = [newParty('12', 88), newParty('14', 89)];
const payments = [{ settled_at: minutesAgo(0) }] as never;
const paid = newParty('15', 90, { paid: '68.20', payments });
const free = newTable('7');

type More = Partial<State> & { parties?: readonly Party[]; tables?: readonly ReturnType<typeof newTable>[] };
function atTables({ parties = [party], tables = [free], ...more }: More = {}): State {
  const [orders, bills] = [parties.map(({ order }) => order), parties.map(({ bill }) => bill)];
  return onDuty({ orders, bills, tables: [...parties.map(({ table }) => table), ...tables], ...more });
}
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

describe('a page that is still loading', () => {
  test('shows no total and does not look empty', async () => {
    const page = await stand.show(atTables({ answers: { listOrders: never } }), '#/waiter/tables', phone);
    await link(page, '12').waitFor();
    expect(await page.getByText('Nothing ordered yet').count()).toBe(0);
    await says(page.locator('.waiter-me'), 'My tables …');
    await link(page, '12').click();
    await says(page, 'Loading orders…');
    await stand.answer({ listOrders: [party.order] });
    await orderOf(page, party.order).waitFor();
  });

  test('shows no total that leaves out served dishes', async () => {
    const served = nextOrder(party.order, 'delivered');
    const page = await showTable('12', atTables({ answers: { listOrders: { turns: [[], never] } } }));
    await says(page, 'Open total …');
    await says(page.locator('.waiter-me'), 'My tables …');
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
  await press(orderOf(page, order), 'Table 7');
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
    await says(link(page, '15'), /Paid \d min ago/);
    expect([await link(page, '12').count(), await link(page, '14').count()]).toEqual([0, 0]);
    await filters.nth(1).click();
    await link(page, '14').waitFor();
  });
});

describe('the tiles of the floor', () => {
  const ready = newParty('2', 82);
  const state = atTables({
    parties: [party, paid, { ...ready, order: nextOrder(ready.order, 'ready') }],
    tables: [free, newTable('Varanda-do-norte'), newTable('9', 93), newTable('10', null, { status: 'to_clean' })],
    answers: { listCalls: [newCall({ kind: 'bill', method: 'card' })], getOrderHistory: [] },
  });
  const tiles = (page: Page) => page.locator('.floor-tile');

  test.each([smallPhone, phone, { viewport: { width: 768, height: 1_024 } }])(
    'have one size and no broken line at $viewport.width px',
    async (look) => {
      const page = await stand.show(state, '#/waiter/tables', { ...look, language: 'pt-BR' });
      await tiles(page).nth(6).waitFor();
      const sizes = await tiles(page).evaluateAll((all) =>
        all.map((each) => `${each.clientWidth} ${each.clientHeight}`),
      );
      expect(new Set(sizes).size).toBe(1);
      const { width = 0, height } = (await tiles(page).first().boundingBox()) ?? {};
      expect(width).toBeGreaterThanOrEqual(104);
      expect(height).toBe(88);
      const heights = await page
        .locator('.floor-stay, .floor-tile > b')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
      expect(Math.max(...heights)).toBeLessThanOrEqual(24);
    },
  );

  test('show the state of each table', async () => {
    const page = await stand.show(state, '#/waiter/tables', phone);
    await says(link(page, '2'), /Dishes are ready/);
    const stateOf = (table: string): Promise<string | null> => link(page, table).getAttribute('class');
    for (const [table, is] of [
      ['12', 'wants'],
      ['15', 'paid'],
      ['2', 'ready'],
      ['7', 'free'],
      ['9', 'ordering'],
      ['10', 'to_clean'],
    ] as const)
      expect(await stateOf(table)).toBe(`floor-tile floor-${is}`);
  });

  test('can be sorted by need, which this device remembers', async () => {
    const page = await stand.show(state, '#/waiter/tables', phone);
    const names = (): Promise<string[]> => page.locator('.floor-name strong').allTextContents();
    await tiles(page).nth(6).waitFor();
    expect(await names()).toEqual(['2', '7', '9', '10', '12', '15', 'Varanda-do-norte']);
    await press(page, 'By need');
    const byNeed = ['12', '2', '9', '15', '10', '7', 'Varanda-do-norte'];
    expect(await names()).toEqual(byNeed);
    await page.reload();
    await tiles(page).nth(6).waitFor();
    expect(await names()).toEqual(byNeed);
  });
});

describe('the red button of a table', () => {
  const red = (page: Page) => page.locator('.waiter-actions .button-primary');

  test('takes an order if the guests want nothing else', async () => {
    const page = await showTable('12', atTables());
    await says(page, 'Open total R$ 68.20');
    expect(await red(page).textContent()).toBe('New order');
  });

  test('takes the payment that the guests ask for, by their method', async () => {
    const listCalls = [newCall({ kind: 'bill', method: 'cash' })];
    const page = await showTable('12', atTables({ answers: { listCalls, getRestaurant: never } }));
    await says(red(page), 'Take payment R$ 68.20');
    await red(page).click();
    await page.getByRole('button', { name: 'Cash', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Record cash R$ 68.20' }).waitFor();
    // A dish is still to be served, so the payment doesn't close the bill.
    expect(await page.getByRole('button', { name: /close bill$/ }).count()).toBe(0);
  });

  test('closes the bill that is paid', async () => {
    const served = { ...paid, order: nextOrder(paid.order, 'delivered') };
    const closed = { ...paid.bill, status: 'closed', number: 9 } as const;
    const answers = { closeBill: closed, closeTable: null as never, listOrders: { turns: [[], [served.order]] } };
    const page = await showTable('15', atTables({ parties: [served], answers }));
    await says(red(page), 'Close bill and free table 15');
    await red(page).click();
    await says(page, /^Bill 9 is closed\./);
    expect(await callsOf('closeTable')).toEqual([{ table: '15' }]);
  });

  test('marks a table as clean', async () => {
    const toClean = newTable('7', null, { status: 'to_clean' });
    const page = await showTable('7', atTables({ tables: [toClean] }));
    await red(page).waitFor();
    expect(await red(page).getAttribute('aria-label')).toBe('Table 7 is clean');
  });
});

test('guests who cannot move are offered to join a table', async () => {
  const page = await showTable('12', atTables({ parties: [party, other], tables: [] }));
  await pressMore(page, 'Move to');
  await says(page, 'All tables are taken. Join with another table instead?');
  await press(page.getByRole('group', { name: /^Move/ }), 'Join with');
  await page.getByRole('button', { name: 'Table 14, seated' }).waitFor();
});

test('the header shows who is signed in, and the tables of this waiter', async () => {
  const mine = { ...party, order: { ...party.order, placed_by: { id: 2, name: 'Wagner' } } };
  const page = await stand.show(atTables({ parties: [mine, other] }), '#/waiter/tables', phone);
  await says(page.locator('.waiter-me'), 'Wagner');
  await says(page.locator('.waiter-me'), '1 open table');
});

test('a call names the table where its guests sit now', async () => {
  const answers = { listCalls: [newCall({ table: '5' })] };
  const page = await stand.show(atTables({ answers }), '#/waiter/ready', phone);
  await page.getByRole('article', { name: 'Call, table 12, waiter', exact: true }).waitFor();
});

test.each([
  ['en', { phone, tablet: { ...tablet, colorScheme: 'dark' } }],
  ['pt-BR', { small: { ...smallPhone, colorScheme: 'dark' }, phone }],
] as const)('the pages for tables fit and have no axe violation (%s)', async (language, looks) => {
  const long = newTable('Varanda-do-norte', null, { status: 'to_clean' });
  const listCalls = [
    newCall({ kind: 'bill', method: 'account' }),
    newCall({ id: 52, kind: 'other', note: 'n'.repeat(100) }),
  ];
  const state = atTables({ parties: [party, paid], tables: [long, free], answers: { listCalls } });
  const look = { ...Object.values(looks)[0], language };
  const page = await stand.show(state, '#/waiter/tables', look);
  const { check, found } = checkScreens(page, { looks, shoot: stand.shoot, name: 'tables' });
  await page.locator('.floor-wants').first().waitFor();
  await check('list');
  await page.locator('.waiter-filters .chip').nth(2).click();
  await check('to-clean');
  await stand.show(state, `#/waiter/tables/${long.table}`, look);
  await page.locator('.waiter-page-head').waitFor();
  await check('clean');
  await stand.show(state, '#/waiter/tables/12', look);
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
