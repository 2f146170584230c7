/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Screen } from '@comanda/contracts/screens';
import { deviceZone, minutesAgo, newBill, newOrder, restaurant } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, type State } from '@comanda/testing/stand/state';
import { longWord } from '../support/looks.ts';
import { press, says, smallPhone, tablet, tapTwice } from '../support/page.ts';
import { managing, newAccount, newTable, newUser } from './manager-states.ts';

// The managers' pages for tables, ordering, screens and deposits, in particular states.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const show = (at: string, state: State = managing()) => stand.show(state, `#/manager/${at}`, tablet);

describe('the Tables page', () => {
  test('accepts no new table until the list is loaded', async () => {
    const page = await show('tables', managing({ answers: { listTables: never } }));
    await press(page, 'Add tables');
    await page.getByRole('button', { name: 'Add tables', expanded: true }).waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
  });

  test('keeps the question about a code open until it is replaced, and then offers to print', async () => {
    const table = newTable('3');
    const page = await show('tables', managing({ tables: [table], answers: { putTable: never } }));
    await press(page, 'More for table 3');
    await press(page, 'New code for table 3');
    const asked = page.getByRole('group', { name: 'Replace the code?' });
    await press(asked, 'Replace');
    await asked.getByRole('button', { name: 'Keep', disabled: true }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await stand.answer({ putTable: fails('service_unavailable') });
    await asked.getByRole('alert').waitFor();
    await stand.answer({ putTable: { ...table, version: 2 } });
    await press(asked, 'Replace');
    await page.getByRole('button', { name: 'Print the code of table 3' }).and(page.locator(':focus')).waitFor();
  });

  test('rejects a new table if its name is taken or contains a space', async () => {
    const answers = { addTables: { added: [], existing: [newTable('Varanda-77')] } };
    const page = await show('tables', managing({ tables: [newTable('Jardim')], answers }));
    const form = page.getByRole('form');
    await press(page, 'Add tables');
    for (const [name, said] of [
      ['Varanda 1', 'Use only letters, digits and hyphens, up to 16'],
      ['jardim', 'Table Jardim already exists.'],
      // Another manager has added this table since the list was loaded.
      ['Varanda-77', 'Table Varanda-77 already exists.'],
    ] as const) {
      await page.getByLabel('Name of the new table').fill(name);
      await press(form, 'Add table');
      await says(page, said);
    }
    expect(await stand.calls('addTables')).toHaveLength(1);
  });

  test('adds several tables at once, and offers to print the new ones', async () => {
    const answers = { addTables: { added: [newTable('2'), newTable('3')], existing: [newTable('1')] } };
    const page = await show('tables', managing({ answers }));
    await press(page, 'Add tables');
    await page.getByLabel('To', { exact: true }).fill('0');
    await press(page.getByRole('form'), 'Add table');
    await says(page, /Enter two numbers/);
    await page.getByLabel('To', { exact: true }).fill('3');
    await press(page, 'Add 3 tables');
    await says(page, '2 tables added. These existed and keep their codes: 1.');
    await page.getByRole('button', { name: 'Print the 2 new codes' }).waitFor();
    const [call] = await stand.calls('addTables');
    expect(call?.input).toEqual({ tables: ['1', '2', '3'] });
  });

  test('prints no Wi-Fi if a manager switches it off', async () => {
    const getWifi = { wifi: { ssid: 'Comanda', password: null }, version: 1 };
    const page = await show('tables', managing({ tables: [newTable('1')], answers: { getWifi } }));
    await page.getByRole('switch', { name: 'Print the Wi-Fi on the cards' }).click();
    await page.evaluate(() => {
      globalThis.print = () => document.body.classList.add('was-printed');
    });
    await press(page, 'Print the code');
    await page.locator('.was-printed').waitFor();
    expect(await page.locator('.qr-card').textContent()).not.toContain('Wi-Fi');
  });

  test('removes only one table after a double tap', async () => {
    const page = await show('tables', managing({ tables: [newTable('Jardim')] }));
    const card = page.getByRole('article', { name: 'Table Jardim' });
    await press(card, 'More for table Jardim');
    await tapTwice(card.getByRole('button', { name: 'Remove table Jardim' }));
    await card.getByRole('button', { name: 'Remove', exact: true, disabled: false }).waitFor();
    await press(card, 'Keep');
    expect(await stand.calls('deleteTable')).toEqual([]);
  });

  test('does not show a table with an open order as free', async () => {
    const orders = [newOrder({ table: 'Balcao', seating: null, items: ['Feijoada'] })];
    const state = managing({ orders, bills: [newBill(orders, { table: 'Balcao' })], tables: [newTable('Balcao')] });
    const page = await show('tables', state);
    const card = page.getByRole('article', { name: 'Table Balcao' });
    await says(card, '1 open order');
    expect(await card.getByText('Free', { exact: true }).count()).toBe(0);
  });

  test('shows the amount left to pay when one of two orders is paid', async () => {
    const at = { table: '7', seating: null } as const;
    const paid = newOrder({ id: 1, bill_id: 311, items: ['Feijoada'], ...at });
    const other = newOrder({ id: 2, bill_id: 312, items: ['Pudim de leite'], ...at });
    const bills = [newBill([paid], { id: 311, remaining: '0.00', ...at }), newBill([other], at)];
    const page = await show('tables', managing({ orders: [paid, other], bills, tables: [newTable('7')] }));
    const card = page.getByRole('article', { name: 'Table 7' });
    await says(card, '2 open orders');
    await card.getByText(bills[1]?.remaining ?? '').waitFor();
  });

  test('prints only whole cards, six per sheet', async () => {
    const tables = ['1', '2', '3', '4', '5', 'Varanda-do-norte', 'Varanda-Norte-12'].map((name) =>
      newTable(name, { url: `http://localhost:3000/?table=${'t'.repeat(60)}` }),
    );
    const wifi = { ssid: 'W'.repeat(32), password: 'boa-comida-2026' };
    const getRestaurant = { ...restaurant, name: longWord.slice(0, 60), logo: '/dishes/feijoada.svg' };
    const page = await show('tables', managing({ tables, answers: { getWifi: { wifi, version: 1 }, getRestaurant } }));
    await says(page, /^Guests’ phones can’t open these codes/);
    await says(page, /^W+, password boa-comida-2026$/);
    await page.evaluate(() => {
      globalThis.print = () => document.body.classList.add('was-printed');
    });
    await press(page, 'Print all 7 codes');
    await page.locator('.was-printed').waitFor();
    await page.emulateMedia({ media: 'print' });
    const cards = page.locator('.qr-card');
    expect(await page.locator('.qr-card:visible').count()).toBe(7);
    expect(await page.locator('.manager').isVisible()).toBe(false);
    const text = await cards.first().textContent();
    for (const part of [/^Rind/, /Wi-Fi: W+, password boa-comida-2026/, /Or open in a browser: http/])
      expect(text).toMatch(part);
    expect(await cards.locator('.qr-restaurant img').count()).toBe(7);
    await stand.shoot(page, 'manager-printed-codes');
    const cut = await cards.evaluateAll(
      (all) => all.filter((card) => card.scrollHeight > card.clientHeight + 1).length,
    );
    expect(cut).toBe(0);
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g);
    expect(sheets).toHaveLength(2);
  });
});

describe('the page to pause orders', () => {
  test("uses the restaurant's clock for a time of day", async () => {
    const device = await stand.page.context().newCDPSession(stand.page);
    await device.send('Emulation.setTimezoneOverride', { timezoneId: deviceZone });
    const paused = { paused_until: minutesAgo(-30), reason: null, version: 2 };
    const page = await show('ordering', managing({ answers: { putOrdering: paused } }));
    await page.getByLabel('Or until').fill('0:00');
    await press(page, /^Pause orders: .+, 00:00$/);
    await says(page, /^Paused until (.+, )?\d\d:\d\d\.$/);
    const [call] = await stand.calls('putOrdering');
    const until = new Date(String(call?.input['paused_until']));
    const clock = { timeZone: restaurant.time_zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    expect(new Intl.DateTimeFormat('en-GB', clock).format(until)).toBe('00:00');
    expect(until.getTime() - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
    await device.detach();
  });
});

test('the page to pause orders shows no status for stops until they are loaded', async () => {
  const stopped = { transfers: null, sign_ups: { since: minutesAgo(5), reason: null }, version: 3 };
  const page = await show('ordering', managing({ answers: { getStops: fails('service_unavailable') } }));
  await says(page, 'We don’t know whether guests can create an account.');
  expect(await page.getByText('Guests can create an account.', { exact: true }).count()).toBe(0);
  await page.evaluate(() => (location.hash = '#/manager/menu'));
  await page.getByRole('link', { name: 'Add dish' }).waitFor();
  await stand.answer({ getStops: stopped });
  await page.evaluate(() => (location.hash = '#/manager/ordering'));
  await says(page, 'No new accounts for now');
});

describe('the Screens page', () => {
  const newScreen = (differs: Partial<Screen> = {}): Screen => ({
    screen: 'kitchen-1',
    shows: 'all_stations',
    station: null,
    build: null,
    sound: 'on',
    display: 'stays_on',
    live: true,
    on: true,
    reported_by: { id: 2, name: 'Wagner' },
    reported_at: minutesAgo(0),
    ...differs,
  });

  test("shows each screen's station and faults", async () => {
    const listScreens = [
      newScreen({ sound: 'off' }),
      newScreen({ screen: 'kitchen-odd', shows: 'station', station: '__proto__' }),
    ];
    const page = await show('screens', managing({ answers: { listScreens } }));
    const card = page.getByRole('article', { name: 'kitchen-1', exact: true });
    await says(card, /^On$/);
    await says(card, 'All stations, Wagner');
    await says(card, 'Its sounds are off');
    await says(page.getByRole('article', { name: 'kitchen-odd' }), /^__proto__, /);
  });

  test('lists each screen that was the first to show an order, even after the page was opened', async () => {
    const seenBy = (device: string, id: number) => {
      const seen = { seen_at: minutesAgo(0), seen_on: device };
      const order = newOrder({ id, items: ['Feijoada'], ...seen });
      return { ...order, stations: (order.stations ?? []).map((each) => ({ ...each, ...seen })) };
    };
    const wall = seenBy('kitchen-wall', 40);
    const page = await show('screens', managing({ orders: [wall] }));
    await page.getByRole('row', { name: /^kitchen-wall 1 \d\d:\d\d:\d\d$/ }).waitFor();
    const bar = seenBy('bar-tablet', 41);
    await stand.answer({ listOrders: [wall, bar] });
    await stand.emit('order.seen', { order: bar, device: 'bar-tablet' });
    await page.getByRole('rowheader', { name: 'bar-tablet' }).waitFor();
  });
});

describe('the search for an account', () => {
  test('lists matching names before matching emails', async () => {
    const customer = { role: 'customer' } as const;
    const users = [
      newUser(5, { name: 'Casa', email: 'ira@example.test', ...customer }),
      newUser(6, { name: 'Iracema', email: 'i@example.test', ...customer }),
    ];
    const answers = { getAccount: fails('not_found'), listAccounts: [newAccount()] };
    const page = await show('deposits', managing({ users, answers }));
    const search = page.getByRole('textbox', { name: 'Account number, name or e-mail' });
    await search.fill('ira');
    await page.getByRole('button', { name: /^Casa/ }).waitFor();
    expect(await page.locator('.deposit-choice strong').allTextContents()).toEqual(['Iracema', 'Casa']);
    await search.fill('999999');
    await press(page, 'Account 999999');
    await says(page, 'There is no account with this number.');
    await search.fill('nobody has this name');
    await says(page, /^No match among the \d+ newest people/);
    await search.fill('iracema');
    await press(page, /^Iracema/);
    await press(page, /^Account 21/);
    await page.getByRole('textbox', { name: 'Amount (BRL)' }).fill('1.234');
    await press(page, 'Review deposit');
    await says(page, 'Enter an amount such as 50.00');
  });
});

test('a phone has links to four pages, and to the others behind "More"', async () => {
  const page = await stand.show(managing(), '#/manager/today', smallPhone);
  const links = page.getByRole('navigation', { name: 'Manager' }).getByRole('link');
  await links.first().waitFor();
  expect(await links.filter({ visible: true }).allTextContents()).toEqual(['Today', 'Bills', 'Cash', 'Menu']);
  await press(page, 'More');
  expect(await links.filter({ visible: true }).count()).toBe(11);
  await links.filter({ hasText: 'People' }).click();
  await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
  await links.filter({ hasText: 'People' }).waitFor({ state: 'hidden' });
});
