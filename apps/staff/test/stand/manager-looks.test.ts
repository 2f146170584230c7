/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, misfitsOf } from '@comanda/testing/page-checks';
import { menu, minutesAgo, newBill, newDish, newOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import type { State } from '@comanda/testing/stand/state';
import type { Page } from 'playwright-core';
import { longName, longWord, looks, withoutAxe } from '../support/looks.ts';
import { goTo, phone, press } from '../support/page.ts';
import {
  afterPin,
  managing,
  newAccount,
  newCall,
  newDeposit,
  newException,
  newPayment,
  newTable,
  newUser,
} from './manager-states.ts';

// The managers' pages on all screen sizes.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const portuguese = { language: 'pt-BR' } as const;
const longTable = 'Varanda-Norte-12';
const longReason = 'sem cebola, sem coentro; molho à parte, '.repeat(5);
const longEmail = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(50)}.test`;
/** Opens another page of the app without a reload. */
async function openPage(page: Page, to: string, content: string): Promise<void> {
  await goTo(page, `manager/${to}`);
  await page.locator(`.manager-main ${content}`).first().waitFor();
}
/** Lists faulty texts, and on screens without zoom also targets that are too small. */
async function measure(page: Page): Promise<string[]> {
  const isEnlarged = (page.viewportSize()?.width ?? 0) < 320;
  return [...(await withoutAxe.measure(page)), ...(isEnlarged ? [] : await misfitsOf(page))];
}

/** Creates a restaurant with the longest possible values. */
function longest(): State {
  const dish = newDish({ id: 90, name: longWord, price: '99999.99', category: longWord.slice(0, 64) });
  const items = [{ dish, quantity: 99, remarks: 'sem cebola' }, 'Moqueca de peixe'];
  const open = newOrder({ id: 50, table: longTable, items });
  const seen = newOrder({ id: 51, table: '3', items: ['Feijoada'], bill_id: 313 });
  const orders = [open, { ...seen, seen_at: minutesAgo(0), seen_on: 'a'.repeat(64) }];
  const payment = newPayment({ amount: '1000000.00', tip: '99.90', total: '1000099.90' });
  const bills = [
    newBill([open], { table: longTable, payments: [payment] }),
    newBill([seen], { id: 313, table: '3', seating: 89, created_at: minutesAgo(300) }),
  ];
  const screen = {
    screen: 'a'.repeat(64),
    shows: 'station',
    station: longWord.slice(0, 30),
    build: 'another',
    sound: 'blocked',
    display: 'may_sleep',
    live: false,
    on: true,
    reported_by: { id: 2, name: longName },
    reported_at: minutesAgo(0),
  };
  const auditEntry = {
    id: 71,
    time: minutesAgo(3),
    type: 'transfers_stopped',
    actor: { id: 1, role: 'manager' },
    user_id: 1,
    details: { reason: 'The balances are being checked' },
    address: '203.0.113.7',
  };
  const { turns, stepUp } = afterPin(newDeposit({ amount: '1248.30' }));
  return managing({
    orders,
    bills,
    dishes: [...menu, dish],
    tables: [
      newTable(longTable, { status: 'seated', seating: 88, seated_at: minutesAgo(30) }),
      newTable('3', { status: 'to_clean' }),
    ],
    users: [
      newUser(2, { name: longName, email: longEmail }),
      newUser(3, { name: 'Rui', status: 'disabled', must_change_password: true, invited_until: minutesAgo(-600) }),
    ],
    answers: {
      getWifi: { wifi: { ssid: 'W'.repeat(32), password: 'w'.repeat(63) }, version: 1 },
      listCalls: [newCall({ note: 'W'.repeat(100), table: longTable, created_at: minutesAgo(9) })],
      getBill: bills[0],
      listScreens: [screen],
      auditTrail: [auditEntry],
      listTablets: [
        {
          id: 'dGFibGV0LW9mLWtpdGNoZQ',
          name: 'Kitchen pass '.repeat(4).trim(),
          registered_at: minutesAgo(900),
          registered_by: { id: 1, name: 'Marta' },
          last_used_at: minutesAgo(9),
          last_used_by: { id: 2, name: longName },
        },
      ],
      listExceptions: [
        newException('item_cancelled', { id: 1, name: longWord, amount: '9899999.01', reason: longReason }),
        newException('discount', { id: 2, by: { id: 2, name: longName }, reason: longReason }),
        newException('refunded', { id: 3, reason: longReason }),
        newException('item_cancelled', { id: 4, name: 'Feijoada', by: null }),
      ],
      listAccounts: [newAccount({ owner_name: longName })],
      deposit: { turns },
      stepUp,
      updateUser: { turns },
      putStop: { turns },
    } as unknown as State['answers'],
  });
}

test('every page shows the longest values in full in Portuguese', async () => {
  const page = await stand.show(longest(), '#/manager/menu', { ...looks['at-195'], ...portuguese });
  const { check, found } = checkScreens(page, { looks, shoot: stand.shoot, name: 'manager', measure });
  for (const [to, content] of [
    ['menu', '.menu-row'],
    ['menu/90', '.dish-form'],
    ['menu/new', '.dish-form'],
    ['ordering', '.going-on'],
    ['screens', '.screen-now'],
    ['restaurant', '.settings-form'],
    ['audit', 'tbody td'],
  ] as const) {
    await openPage(page, to, content);
    await check(to.replaceAll('/', '-'));
  }
  await openPage(page, 'tables', '.table-card');
  await page.locator('.table-card-buttons button').nth(1).click();
  await page.locator('.manager-head .button-primary').click();
  await page.locator('.manager-form .chip').first().click();
  await page.locator('.tables-range').waitFor();
  await check('tables');
  await openPage(page, 'people', '.person');
  for (const index of [1, 2]) {
    await page.locator('.person').nth(index).locator('.person-head .button').click();
    await page.locator('.person-actions').waitFor();
    await check(`people-${index}`);
  }
  await openPage(page, 'deposits', 'input');
  await page.locator('.manager-form input').fill('maria');
  await page.locator('.deposit-choice').first().click();
  await page.locator('.deposit-choice').first().click();
  await page.locator('.deposit-whose').waitFor();
  await check('deposit');
  await page.locator('.manager-form input').fill('1248,30');
  await page.locator('.manager-form .button-primary').click();
  await page.locator('.pin-pad[aria-busy=false]').waitFor();
  await check('deposit-pin');
  await page.keyboard.type('739152');
  await page.keyboard.press('Enter');
  await page.locator('.deposit-receipt').waitFor();
  await check('deposited');
  expect(found).toEqual([]);
});

test('all headings start at the same left edge on a large screen', async () => {
  const page = await stand.show(longest(), '#/manager/today', { viewport: { width: 1_920, height: 1_080 } });
  const edges: number[] = [];
  for (const each of [
    'today',
    'bills',
    'cash',
    'menu',
    'tables',
    'people',
    'restaurant',
    'deposits',
    'ordering',
    'screens',
    'audit',
  ]) {
    await openPage(page, each, 'h1');
    await page.locator(`.manager-side [aria-current][href="#/manager/${each}"]`).waitFor();
    edges.push(await page.locator('.manager-main h1').evaluate((title) => title.getBoundingClientRect().left));
  }
  expect(new Set(edges)).toEqual(new Set([224]));
});

test.each(['en', 'pt-BR'] as const)(
  'the search and the buttons above the menu (%s) are on one line on a tablet',
  async (language) => {
    const look = { viewport: { width: 1_024, height: 768 }, language };
    const page = await stand.show(managing(), '#/manager/menu', look);
    await page.locator('.menu-row').first().waitFor();
    const middles = await page
      .locator('.manager-head > :is(input, a)')
      .evaluateAll((all) =>
        all.map((each) => Math.round(each.getBoundingClientRect().top + each.getBoundingClientRect().height / 2)),
      );
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(1);
  },
);

test.each(['en', 'pt-BR'] as const)('the app menu is in view on a phone at 200%% zoom (%s)', async (language) => {
  for (const at of ['waiter/ready', 'manager/menu']) {
    const page = await stand.show(managing(), `#/${at}`, { ...looks['at-195'], language });
    await press(page, 'Menu');
    const { x, width } = (await page.locator('.app-menu-list').boundingBox()) ?? { x: -1, width: 0 };
    expect([x >= 0, x + width <= 195]).toEqual([true, true]);
  }
});

describe('“Pause orders” on a phone at 200% zoom', () => {
  const at195 = { ...looks['at-195'], ...portuguese };
  test('has no overlapping lines', async () => {
    const page = await stand.show(managing(), '#/manager/ordering', at195);
    const title = page.locator('.manager-head h2');
    await title.waitFor();
    const [size, line] = await title.evaluate((each) => {
      const { fontSize, lineHeight } = getComputedStyle(each);
      return [Number.parseFloat(fontSize), Number.parseFloat(lineHeight)];
    });
    expect(line).toBeGreaterThanOrEqual((size ?? 0) * 1.15);
    const stop = page.locator('.button-danger').first();
    const lines = await stop.evaluate((each) => {
      const text = document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode();
      const range = document.createRange();
      const words = (text?.nodeValue ?? '').matchAll(/\S+/g);
      return [...words].map(({ 0: word, index }) => {
        range.setStart(text as Node, index);
        range.setEnd(text as Node, index + word.length);
        return range.getClientRects().length;
      });
    });
    expect(new Set(lines)).toEqual(new Set([1]));
  });

  test('shows every key for the PIN', async () => {
    const state = managing({ answers: { putStop: afterPin({}).turns[0] } });
    const page = await stand.show(state, '#/manager/ordering', at195);
    await page.locator('.button-danger').first().click();
    const keys = page.locator('.pin-pad button');
    await keys.first().waitFor();
    const rights = await keys.evaluateAll((all) => all.map((key) => key.getBoundingClientRect().right));
    expect(Math.max(...rights)).toBeLessThanOrEqual(195);
  });
});

test("a waiter on a manager's page is told that only managers can open it", async () => {
  const who = { userId: 2, role: 'waiter', name: 'Wagner' } as const;
  const page = await stand.show(managing({ who }), '#/manager/people', phone);
  await page.getByText('Only managers can open these pages.').waitFor();
});
