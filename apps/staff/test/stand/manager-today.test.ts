/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { WaiterRow } from '@comanda/contracts/reports';
import type { Screen } from '@comanda/contracts/screens';
import { menu, minutesAgo, newOrder, restaurant } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { never, unreachable } from '@comanda/testing/stand/state';
import { phone, press, says, tablet } from '../support/page.ts';
import { newCount, newDay, newDrawer, newFigures, newReport } from './day-states.ts';
import { managing, newCall } from './manager-states.ts';

// Today's figures and charts, closed days, and the list of past days.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const screenOff: Screen = {
  screen: 'kitchen-1',
  on: false,
  shows: 'station',
  station: 'kitchen',
  build: null,
  sound: 'on',
  display: 'stays_on',
  live: true,
  reported_by: { id: 2, name: 'Wagner' },
  reported_at: minutesAgo(9),
};
const busy = { getDayFigures: newFigures(), getDay: newDay() };

describe('Today', () => {
  test('shows nothing until the figures are loaded', async () => {
    const page = await stand.show(managing({ answers: { getDayFigures: never } }), '#/manager/today', tablet);
    await says(page, 'Loading…');
    expect(await page.getByText(/Ordered|Nothing|No open bills/).count()).toBe(0);
  });

  test('adds up no methods until all cash is counted, and says so', async () => {
    const page = await stand.show(managing({ answers: busy }), '#/manager/today', tablet);
    const ways = page.getByRole('region', { name: 'Ways of paying' });
    await says(ways, 'Cash appears once it’s counted.');
    await ways.getByRole('row', { name: /^Card ?24 payments, tips R\$.48\.00 R\$.3,120\.40$/ }).waitFor();
    expect(await page.getByText(/4,751\.40/).count()).toBe(0);
    expect(await ways.getByText('Total').count()).toBe(0);

    const cash = { method: 'cash', confirmed_by: null, count: 9, amount: '860.00', tips: '0.00' } as const;
    const counted = newFigures({ payments: [...newFigures().payments, cash] });
    const day = newDay({ cash_drawers: [{ name: 'main', moved: false }] });
    await stand.show(managing({ answers: { getDayFigures: counted, getDay: day } }), '#/manager/today', tablet);
    await says(ways, /^Total.+5,611\.40$/);
    expect(await ways.getByText('Cash appears once').count()).toBe(0);
  });

  test('compares sales with the same weekday, up to the last full hour', async () => {
    // It is between 12:00 and 13:00 in the restaurant.
    const hours = [11, 12].map((hour) => ({ hour, orders: 5, items: 9, amount: '550.00' }));
    const then = { ...newFigures().before, hours: hours.map((each) => ({ ...each, amount: '500.00' })) } as never;
    const answers = { ...busy, getDayFigures: newFigures({ hours, before: then }) };
    const page = await stand.show(managing({ answers }), '#/manager/today', tablet);
    const ordered = page.locator('.figure-card').first();
    await says(ordered, 'R$ 1,100');
    await says(ordered, '10% more than last Friday, until 12:00');
  });

  test('lists the numbers of each hour beside the chart', async () => {
    const page = await stand.show(managing({ answers: busy }), '#/manager/today', tablet);
    const hours = page.getByRole('region', { name: 'Sales by hour' });
    await says(hours, 'Busiest hour so far: 20:00, R$ 2,871.00');
    await hours.getByText('Show numbers').click();
    await hours.getByRole('row', { name: /^20:00 12 R\$.2,871\.00 R\$.2,410\.50$/ }).waitFor();
    await hours.getByRole('row', { name: /^23:00 0 R\$.0\.00 R\$.210\.00$/ }).waitFor();
  });

  test('names a station that is over its limit', async () => {
    const listStations = [{ station: 'Bar', bumps: 2, amber_minutes: 3, late_minutes: 6, dishes: [] }];
    const page = await stand.show(managing({ answers: { ...busy, listStations } }), '#/manager/today', tablet);
    const times = page.getByRole('table', { name: 'Minutes until ready' });
    await times
      .getByRole('row', { name: /^Kitchen ?9 of 10 within 22 min, limit 8 min 10 min over the limit$/ })
      .waitFor();
    await times.getByRole('row', { name: /^Bar ?9 of 10 within 5 min, limit 6 min 2 min$/ }).waitFor();
  });

  test('shows who took off how much, and who got tips', async () => {
    const page = await stand.show(managing({ answers: busy }), '#/manager/today', tablet);
    const off = page.getByRole('table', { name: 'Discounts and cancellations by person' });
    await off.getByRole('row', { name: /^Wagner ?2 × cancelled, 1 × made again R\$.90\.50$/ }).waitFor();
    await off.getByRole('row', { name: /^Guests ?1 × no service charge/ }).waitFor();
    const tips = page.getByRole('table', { name: 'Tips by person' });
    expect(await tips.getByRole('rowheader').allTextContents()).toEqual(['Wagner', 'Ana', 'Paid by guests themselves']);
  });

  test('keeps its figures if they can no longer be loaded, and says so', async () => {
    const page = await stand.show(managing({ answers: busy }), '#/manager/today', tablet);
    await says(page, 'Busiest hour so far');
    await stand.answer({ getDayFigures: unreachable });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await says(page, 'No connection.');
    await says(page, 'Busiest hour so far');
    await stand.answer({ getDayFigures: newFigures({ guests: 97 }) });
    await press(page, 'Try again');
    await page.locator('.figure-cards').getByText('97', { exact: true }).waitFor();
    expect(await page.getByText('No connection.').count()).toBe(0);
  });

  test('warns only of what needs a manager', async () => {
    const page = await stand.show(managing({ answers: busy }), '#/manager/today', tablet);
    await says(page, 'Busiest hour so far');
    expect(await page.getByRole('list', { name: 'Needs attention' }).count()).toBe(0);

    const late = newOrder({ items: ['Feijoada'], created_at: minutesAgo(25) });
    const calls = [newCall(), newCall({ id: 52, table: '7', created_at: minutesAgo(1) })];
    const answers = {
      ...busy,
      getDay: newDay({ overdue: true }),
      getOrdering: { paused_until: minutesAgo(-10), reason: null, version: 2 },
      listCalls: calls,
      listScreens: [screenOff],
    };
    await stand.show(managing({ answers, orders: [late], dishes: menu }), '#/manager/today', tablet);
    const warnings = page.getByRole('list', { name: 'Needs attention' });
    await warnings.getByRole('link', { name: 'Friday, November 20 isn’t closed yet' }).waitFor();
    await says(warnings, /^Guests can’t order until \d\d:\d\d$/);
    await says(warnings, '1 order is late');
    await says(warnings, '1 order is on no kitchen screen');
    await warnings.getByRole('link', { name: '1 kitchen screen is off' }).waitFor();
    await says(warnings, /^kitchen-1 · kitchen · since \d\d:\d\d$/);
    await says(warnings, '1 unanswered call');
    await says(warnings, /^Table 12 · .+ · 4:0\d$/);
    const actor = { id: 2, role: 'waiter' } as const;
    await stand.emit('call.changed', { call: newCall({ status: 'taken', version: 2, taken_by: actor }), actor });
    await warnings.getByText('1 unanswered call').waitFor({ state: 'detached' });
  });

  test('of an empty first day says what will appear where', async () => {
    const page = await stand.show(managing(), '#/manager/today', phone);
    for (const text of [
      'Nothing ordered yet.',
      'Nothing taken yet.',
      'No dishes yet.',
      'No tips yet.',
      'No open bills.',
    ])
      await says(page, text);
    await press(page, 'Hide this list');
    await stand.shoot(page, 'today-empty');
  });
});

describe('a closed day', () => {
  const refundsOnly: WaiterRow = {
    by: { id: 1, name: 'Marta' },
    method: 'card',
    confirmed_by: null,
    count: 0,
    amount: '0.00',
    tips: '0.00',
    refunds: '12.00',
  };
  const answers = {
    getDayReport: newReport(),
    getDay: newDay({ number: 216 }),
    getReport: [...newFigures().waiters, refundsOnly],
    getDayFigures: newFigures({ before: null }),
  };

  test('shows its report, leads to the days around it, and to its charts', async () => {
    const page = await stand.show(managing({ answers }), '#/manager/today/214', tablet);
    await says(page.getByRole('region', { name: 'Sales' }), 'R$ 9,790.01');
    const main = page.getByRole('region', { name: 'Cash: Main drawer' });
    await main.getByText('Expected R$ 6,862.09, R$ 2.00 missing').waitFor();
    await says(page.getByRole('region', { name: 'How it adds up' }), 'R$ 9,842.09');
    const waiters = page.getByRole('region', { name: 'Waiters' });
    await says(waiters, 'Service charge of 20 bills');
    expect((await waiters.locator('.report-row').allTextContents()).at(-1)).toMatch(
      /^CardR\$.0\.00refunded R\$.12\.00$/,
    );
    expect(await page.getByRole('link', { name: 'See each one' }).getAttribute('href')).toBe(
      '#/manager/audit/exceptions/day=214',
    );
    await page.getByRole('link', { name: 'Day 215' }).waitFor();
    await page.getByRole('link', { name: 'Day 213' }).waitFor();
    await page.getByRole('link', { name: 'Charts' }).click();
    await says(page, 'Busiest hour: 20:00, R$ 2,871.00');
    await page.locator('.figure-cards').getByText('2 were carried over').waitFor();
    const [call] = await stand.calls('getDayFigures');
    expect(call?.input).toEqual({ number: 214 });
  });

  test.each(['en', 'pt-BR'] as const)(
    'downloads a report in the form that spreadsheets expect (%s)',
    async (language) => {
      const page = await stand.show(managing({ answers }), '#/manager/today/214', { ...tablet, language });
      const form = page.getByRole('form', { name: /^(Download|Baixar)$/ });
      await form.locator('select').selectOption('movements');
      const saved = page.waitForEvent('download');
      await form.getByRole('button').click();
      const name = { en: 'payments-and-cash-2026-11-20-day-214', 'pt-BR': 'pagamentos-e-caixa-2026-11-20-dia-214' };
      expect((await saved).suggestedFilename()).toBe(`${name[language]}.csv`);
      const call = (await stand.calls('getReport')).at(-1);
      const excel = language === 'pt-BR' ? { excel: 'true' } : {};
      expect(call?.input).toEqual({ report: 'movements', from: 214, to: 214, ...excel });
    },
  );
});

describe('past days', () => {
  const days = [newReport({ number: 215, business_date: '2026-11-21' }), newReport()];

  test('lists each day with its sales and what was missing', async () => {
    const page = await stand.show(managing({ answers: { listDays: days } }), '#/manager/today/days', tablet);
    const row = page.getByRole('row', { name: /^Friday, November 20 ?Day 214 .+R\$.9,790\.01 R\$.2\.00 missing$/ });
    await row.waitFor();
    expect(await row.getByRole('link').getAttribute('href')).toBe('#/manager/today/214');
  });

  test('add up no drawers: what is over in one is still missing in another', async () => {
    const drawer = { opening: '0.00', sums: {}, left: '0.00' };
    const day = newReport({
      cash_drawers: [
        { ...drawer, name: 'bar', counts: [newCount({ difference: '50.00' }), newCount({ difference: '0.00' })] },
        { ...drawer, name: 'main', counts: [newCount({ difference: '-50.00' })] },
      ],
    });
    const listCashDrawers = [newDrawer('main'), newDrawer('bar', { label: 'Bar' })];
    const answers = { listDays: [day], listCashDrawers };
    const page = await stand.show(managing({ answers }), '#/manager/today/days', tablet);
    await page.getByRole('row', { name: /Bar: R\$.50\.00 over ?Main drawer: R\$.50\.00 missing$/ }).waitFor();
  });

  test('say nothing of the cash of a day that compared no count', async () => {
    const main = { name: 'main', opening: '200.00', sums: {}, left: '200.00' };
    const day = newReport({ cash_drawers: [{ ...main, counts: [newCount({ expected: null, difference: null })] }] });
    const page = await stand.show(managing({ answers: { listDays: [day] } }), '#/manager/today/days', tablet);
    await page.getByRole('row', { name: /^Friday, November 20 ?Day 214 .+R\$.9,790\.01 –$/ }).waitFor();
  });

  test('finds a day by its date', async () => {
    const page = await stand.show(managing({ answers: { listDays: days } }), '#/manager/today/days', tablet);
    await says(page, 'Day 215');
    await stand.answer({ listDays: [] });
    await page.getByLabel('Date').fill('2026-11-02');
    await says(page, 'No day with this date is closed.');
    expect((await stand.calls('listDays')).at(-1)?.input).toMatchObject({ date: '2026-11-02' });
  });

  test('downloads the days between two dates', async () => {
    const answers = { listDays: days, getReport: [] };
    const page = await stand.show(managing({ answers }), '#/manager/today/days', tablet);
    const form = page.getByRole('form', { name: 'Download' });
    await form.getByLabel('From').fill('2026-12-01');
    await press(form, 'Download');
    await says(form, 'No day between these dates is closed.');
    await form.getByLabel('From').fill('2026-11-20');
    await form.getByLabel('To').fill('2026-11-21');
    const saved = page.waitForEvent('download');
    await press(form, 'Download');
    expect((await saved).suggestedFilename()).toBe('bills-2026-11-20-to-2026-11-21-days-214-to-215.csv');
    expect((await stand.calls('getReport')).at(-1)?.input).toEqual({ report: 'bills', from: 214, to: 215 });
  });

  test('says so before the first day is closed', async () => {
    const page = await stand.show(
      managing({ answers: { listDays: [], getRestaurant: restaurant } }),
      '#/manager/today/days',
      phone,
    );
    await says(page, 'No day is closed yet. Close today at the end of the evening.');
  });
});
