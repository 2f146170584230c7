import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { brokenWordsOf, checkScreens, misfitsOf, textsOutsideOf } from '@comanda/testing/page-checks';
import { toItemOption } from '@comanda/contracts/chosen-options';
import type { Option, OptionGroup } from '@comanda/contracts/option-groups';
import { chooseOptions } from '@comanda/contracts/options';
import { menu, newBill, newDish, newOption, newOptionGroup, newOrder, restaurant } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import type { Page } from 'playwright-core';
import type { ShownScreen } from './screens.ts';
import {
  afterPin,
  customer,
  deposit,
  newPayment,
  newPix,
  newPixCharge,
  newTransfer,
  paying,
  seated,
  signedIn,
} from './states.ts';

// Checks that no page is wider than its screen, even with the longest names, texts and amounts that the API allows.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const longWord = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzesschnitzel';
const tableName = 'Varanda-Norte-12';
const restaurantName = 'Cantina da Praça Conselheiro Lafaiete e Irmãos Albuquerque';
const looks = {
  'at-195': { viewport: { width: 195, height: 422 } },
  small: { viewport: { width: 320, height: 640 } },
  phone: { viewport: { width: 390, height: 844 } },
  tablet: { viewport: { width: 768, height: 1024 } },
  desk: { viewport: { width: 1280, height: 800 } },
} as const;
const measure = async (page: Page): Promise<string[]> => [
  ...(await misfitsOf(page)),
  ...(await textsOutsideOf(page)),
  ...(await brokenWordsOf(page)).filter((word) => /\d/.test(word)), // This includes amounts on buttons.
];

const dish = newDish({
  name: longWord,
  description: `${longWord}.`,
  price: '99999.99',
  position: 0,
  category: longWord.slice(0, 64),
  allergens: ['peanuts'],
});
const remarks = longWord.repeat(2).slice(0, 140);
const longName = longWord.slice(0, 60);
const groups = [1, 2].map((id) =>
  newOptionGroup(id, longName, {
    max: 2,
    price_method: 'average',
    options: [1, 2, 3].map((at) =>
      newOption(id * 10 + at, longName, {
        price: id === 1 ? '99999.99' : '0.00',
        max_each: 2,
        allergens: ['peanuts', 'crustaceans'],
        option_group_ids: id === 1 ? [2] : [],
      }),
    ),
  }),
);
const asked = [
  { id: 11, options: [{ id: 21 }, { id: 22 }] },
  { id: 12, options: [{ id: 21 }] },
];
const { options: chosenOptions } = chooseOptions<Option, OptionGroup>(
  { groupIds: [1], asked },
  new Map(groups.map((group) => [group.id, group])),
);
const options = chosenOptions.map(toItemOption);
const withOptions = newDish({ ...dish, id: 91, price: '0.00', option_group_ids: [1] });
const line = {
  id: 1,
  dishId: withOptions.id,
  name: longWord,
  quantity: 1,
  remarks,
  options,
  seenPrice: '99999.99',
};
const basket = {
  lines: [line],
  allergies: 'peanuts, and milk',
  of: `${tableName}/seating 88`,
  savedAt: Date.now(),
};
const order = newOrder({
  table: tableName,
  items: [
    { dish, remarks },
    { dish: withOptions, options, unit_price: '99999.99' },
  ],
  allergies: remarks,
});
const bill = newBill([order], { table: tableName });
const guest = { userId: 7, role: 'customer', name: 'Guest', table: tableName, seating: 88, isGuest: true } as const;
const state = seated({
  who: guest,
  orders: [order],
  bills: [bill],
  answers: {
    listMenu: [dish, withOptions, ...menu],
    listOptionGroups: groups,
    getRestaurant: { ...restaurant, name: restaurantName },
  },
});
const chosen = {
  ...state,
  answers: { ...state.answers, listOrders: [] },
  device: { 'comanda.basket': JSON.stringify(basket) },
};
const click = (page: Page, selector: string): Promise<void> => page.locator(selector).first().click();
const large = { balance: '1234567.89' };
const transfer = newTransfer({ amount: '999999.99', description: remarks });
const payment = newPayment({ amount: '99999.99', total: '99999.99' });
const plan = { billId: 312, table: tableName, currency: 'BRL', part: { rest: true }, amount: '99999.99', tip: null };
const saved = {
  plan,
  payerId: 5,
  reserveKey: 'r',
  accountId: 21,
  payment,
  payKey: null,
  isSent: false,
  at: Date.now(),
};

const pix = newPix({
  payer: { id: 8, name: longWord },
  part: { lines: [{ line_id: order.items[0]?.id ?? 0, quantity: 1 }] },
  amount: '99999.99',
  tip: '9999.99',
  total: '109999.98',
});

const screens: Readonly<Record<string, ShownScreen>> = {
  'the menu': { state, ready: '.dish' },
  'the menu with a basket': { state: chosen, ready: '.basket-button' },
  'a call': {
    state,
    open: async (page) => {
      await click(page, '.top-tools button');
      await click(page, '.call-row >> nth=2');
    },
    ready: '.call-note',
  },
  'a search without a result': {
    state,
    open: async (page) => {
      await click(page, '.chips .icon-button');
      await page.getByRole('searchbox').fill('q'.repeat(60));
    },
    ready: '.empty',
  },
  'a dish': {
    state,
    path: `#/dish/${dish.id}`,
    open: (page) => page.locator('textarea').first().fill(remarks),
    ready: 'textarea',
  },
  'the options of a dish': {
    state,
    path: `#/dish/${withOptions.id}`,
    open: async (page) => {
      await page.locator('.option-main').first().click();
      await page.locator('.dish-dock .button-primary').click();
    },
    ready: '.option-group-wrong',
  },
  'the order before it is sent': { state: chosen, path: '#/review', ready: '.line' },
  'the orders': { state, path: '#/orders', ready: '.progress' },
  'the bill': { state, path: '#/bill', ready: '.bill-line' },
  'equal shares': {
    state,
    path: '#/pay',
    open: (page) => click(page, '.pay-ways button >> nth=1'),
    ready: '.pay-total',
  },
  'dishes to pay': {
    state,
    path: '#/pay',
    open: (page) => click(page, '.pay-ways button >> nth=2'),
    ready: '.pay-total',
  },
  'a Pix code': {
    state: {
      ...state,
      answers: {
        ...state.answers,
        getPix: { mode: 'staff' },
        listBills: [newBill([order], { table: tableName, payments: [pix] })],
        createPixCharge: newPixCharge({ mode: 'staff', code: 'A'.repeat(512), amount: '99999.99' }),
      },
    },
    path: '#/pay/pix/77',
    ready: '.pix-scan',
  },
  'the payments on a bill': {
    state: {
      ...state,
      answers: { ...state.answers, listBills: [newBill([order], { table: tableName, payments: [pix] })] },
    },
    path: '#/bill',
    ready: '.payment-list-row',
  },
  'the PIN pad of a payment': {
    state: {
      ...paying({
        who: { ...customer, table: tableName },
        orders: [order],
        bills: [bill],
        device: { 'comanda.bill-payment': JSON.stringify(saved) },
        answers: { getBillPayment: payment, getRestaurant: { ...restaurant, name: restaurantName } },
      }),
    },
    path: '#/pay/pin',
    ready: '.pin-pad',
  },
  'the account': { state: signedIn({ account: large }), path: '#/account', ready: '.entry-amount' },
  'the PIN pad of a transfer': {
    state: signedIn({ account: large, answers: afterPin(transfer) }),
    path: '#/account/transfer',
    open: async (page) => {
      await page.locator('[name=to]').fill('22');
      await page.locator('[name=amount]').fill('999999.99');
      await page.locator('input[name=description]').fill(remarks);
      await click(page, '[type=submit]');
    },
    ready: '.pin-pad',
  },
  'a receipt': {
    state: signedIn({ account: large, answers: { getTransfer: { ...transfer, id: deposit.id } } }),
    path: `#/account/receipt/${deposit.id}`,
    ready: '.receipt',
  },
};

/** Lists amounts that a button covers. */
const coveredAmountsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const range = document.createRange();
    return [...document.querySelectorAll('.balance-amount')]
      .filter((amount) => {
        range.selectNodeContents(amount);
        const text = range.getBoundingClientRect();
        const button = document.querySelector('.balance .icon-button')?.getBoundingClientRect() ?? new DOMRect();
        return text.right > button.left && text.bottom > button.top && text.top < button.bottom;
      })
      .map((amount) => `covered: ${amount.textContent}`);
  });

test.each(Object.entries(screens))(
  '%s shows everything at every width, even with the longest values',
  async (name, { state: shown, path, open, ready }) => {
    const page = await stand.show(shown, path, looks['at-195']);
    await open?.(page);
    await page.locator(ready).first().waitFor();
    const all = async (): Promise<string[]> => [...(await measure(page)), ...(await coveredAmountsOf(page))];
    const screen = { looks, shoot: stand.shoot, name: 'longest', measure: all, examine: async () => [] };
    const { check, found } = checkScreens(page, screen);
    await check(name.replaceAll(' ', '-'));
    expect(found).toEqual([]);
  },
);

test.each([
  ['the table', '#/', 'h1'],
  ['a remark', `#/dish/${dish.id}`, 'textarea'],
])('%s is fully visible on every phone', async (_name, path, selector) => {
  const page = await stand.show(state, path);
  const element = page.locator(selector).first();
  await page.locator('.dish, textarea').first().waitFor();
  if (selector === 'textarea') await element.fill(remarks);
  for (const { viewport } of [looks.small, looks.phone, ...(selector === 'h1' ? [looks['at-195']] : [])]) {
    await page.setViewportSize(viewport);
    expect(await element.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2);
  }
});

test('a line break in allergies becomes a space', async () => {
  const page = await stand.show(state, `#/dish/${dish.id}`);
  const allergies = page.getByRole('textbox', { name: 'Your allergies' });
  await allergies.fill('peanuts,\nand milk');
  expect(await allergies.inputValue()).toBe('peanuts, and milk');
});
