import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { caller } from '@comanda/testing/call';
import { checkScreens } from '@comanda/testing/page-checks';
import { until } from '@comanda/testing/until';
import { startKitchenApp, waiter, type KitchenApp, type Order } from './support/kitchen-app.ts';
import { openManager, pin } from './support/manager-page.ts';
import { holdList, phone, press, says, tablet, tapTwice } from './support/page.ts';

let app: KitchenApp;
// The first run on a machine without a browser fetches one.
beforeAll(async () => {
  app = await startKitchenApp('manager-pages');
}, 300_000);
afterEach(() => app?.clear());
afterAll(() => app?.close());

const menu = async (): Promise<Order[]> => (await app.stack.call('GET', '/menu')).body as Order[];
const dishOf = async (name: string): Promise<Order> => (await menu()).find((dish) => dish.name === name);
const tables = async (): Promise<Order[]> => (await app.manager('GET', '/tables')).body as Order[];

describe('the menu', () => {
  test('when a manager adds a dish, then the menu of the guests shows it; a change and the end as well', async () => {
    const { page } = await openManager(app, 'menu');
    await page.getByRole('link', { name: 'Add dish' }).click();
    const form = page.getByRole('form', { name: 'New dish' });
    await press(form, 'Add to the menu');
    await says(form, 'Give it a name.');
    await says(form, 'An amount, for example 74.00');
    await form.getByLabel('Name', { exact: true }).fill('Vatapá');
    await form.getByLabel('Price, R$').fill('58,5');
    await form.getByLabel('Category', { exact: true }).fill('Pratos');
    await form.getByLabel('Address of the picture').fill('/dishes/moqueca-de-peixe.svg');
    await says(form, 'No allergens stated.');
    await press(form, 'crustaceans');
    await press(form, 'Add to the menu');
    await says(page, 'Vatapá is saved.');
    await page.getByRole('link', { name: 'Edit Vatapá' }).waitFor();
    const mains = (await menu()).filter(({ category, name }) => category === 'Pratos' && name !== 'Vatapá');
    expect((await dishOf('Vatapá')).position).toBe(Math.max(...mains.map(({ position }) => position)) + 1);

    const guest = await page.context().newPage();
    await guest.goto(app.url);
    const card = guest.getByRole('article', { name: 'Vatapá', exact: true });
    await says(card, 'R$ 58.50');
    await says(card, 'Contains crustaceans');

    await page.getByRole('link', { name: 'Edit Vatapá' }).click();
    const edit = page.getByRole('form', { name: 'Vatapá' });
    await edit.getByLabel('Portions left').fill('2');
    await press(edit, 'Save');
    await until(async () => (await dishOf('Vatapá')).portions_left === 2, { what: 'the portions' });
    await guest.reload(); // nobody is signed in there, so it has no live feed
    await says(card, '2 left');
    await page.getByRole('switch', { name: 'On sale: Vatapá' }).click();
    await until(async () => (await dishOf('Vatapá'))?.available === false, { what: 'the end of the sale' });
    await guest.reload();
    await says(card, 'Sold out');
    expect(await dishOf('Vatapá')).toMatchObject({ available: false, portions_left: 2, allergens: ['crustaceans'] });

    await page.getByRole('link', { name: 'Edit Vatapá' }).click();
    await press(edit, 'Remove from the menu');
    await press(page.getByRole('group', { name: 'Remove Vatapá?' }), 'Yes, remove');
    await until(async () => (await dishOf('Vatapá')) === undefined, { what: 'its end' });
    await guest.reload();
    await guest.getByRole('article').first().waitFor();
    await card.waitFor({ state: 'detached' });
  });

  test('when orders take portions while a dish is being changed, then saving does not put them back', async () => {
    const { body: dish } = await app.manager('POST', '/menu', {
      body: { name: 'Acarajé', price: '20.00', portions_left: 5 },
    });
    const { page } = await openManager(app, `menu/${dish.id}`);
    const form = page.getByRole('form', { name: 'Acarajé' });
    await form.getByLabel('Description', { exact: true }).fill('Com vatapá');
    await app.place('9', [{ name: 'Acarajé', quantity: 2 }]);
    await press(form, 'Save');
    await says(page, 'Choose a dish to change it.');
    expect(await dishOf('Acarajé')).toMatchObject({ description: 'Com vatapá', portions_left: 3 });
  });

  test('when another manager adds an allergen while one is being added, then saving keeps both', async () => {
    const { body: dish } = await app.manager('POST', '/menu', {
      body: { name: 'Bobó', price: '20.00', allergens: ['gluten'] },
    });
    const { page } = await openManager(app, `menu/${dish.id}`);
    const form = page.getByRole('form', { name: 'Bobó' });
    await press(form, 'sesame');
    await press(form, 'fish');
    await press(form, 'fish');
    await app.manager('PUT', `/menu/${dish.id}`, { body: { allergens: ['gluten', 'milk', 'fish'] } });
    for (const name of ['milk', 'fish']) await form.getByRole('button', { name, exact: true, pressed: true }).waitFor();
    await press(form, 'Save');
    await says(page, 'Choose a dish to change it.');
    expect((await dishOf('Bobó')).allergens.toSorted()).toEqual(['fish', 'gluten', 'milk', 'sesame']);
  });

  test('when a dish has no portions left, then its form says that it is not on sale, and one tap puts it back', async () => {
    const { body: dish } = await app.manager('POST', '/menu', {
      body: { name: 'Cocada', price: '20.00', portions_left: 0 },
    });
    const { page } = await openManager(app, `menu/${dish.id}`);
    const form = page.getByRole('form', { name: 'Cocada' });
    const onSale = form.getByRole('switch', { name: 'On sale' });
    expect(await onSale.getAttribute('aria-checked')).toBe('false');
    await onSale.click();
    await press(form, 'Save');
    await says(page, 'Choose a dish to change it.');
    expect(await dishOf('Cocada')).toMatchObject({ available: true, portions_left: null });
  });

  test('when the name is taken or the network is down, then the form says so and keeps what was typed, on other pages too', async () => {
    const { page, context } = await openManager(app, 'menu/new');
    const form = page.getByRole('form', { name: 'New dish' });
    expectErrors(page, /(status of 409|net::ERR_FAILED) .*\/menu$/);
    await form.getByLabel('Name', { exact: true }).fill('feijoada');
    await form.getByLabel('Price, R$').fill('10');
    await press(form, 'Add to the menu');
    await says(form, 'There is another dish with this name.');
    await form.getByLabel('Name', { exact: true }).fill('Caruru');
    await context.route('**/menu', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await press(form, 'Add to the menu');
    await form.getByRole('alert').getByText('There is no connection.').waitFor();
    await page.getByRole('link', { name: 'Tables' }).click();
    await page.getByRole('link', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name: 'Add dish' }).click();
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Caruru');
  });
});

describe('tables and ordering', () => {
  test('when the code is replaced, then the printed one is dead and the new one works', async () => {
    const tokenOf = async (name: string): Promise<string> =>
      (await tables()).find(({ table }) => table === name).table_token;
    const scan = async (token: string) =>
      (await app.stack.call('POST', '/auth/guest', { body: { table_token: token } })).status;
    const { page } = await openManager(app, 'tables');
    await press(page, 'Add table');
    await page.getByLabel('Name of the new table').fill('Varanda 1');
    await press(page.getByRole('form'), 'Add table');
    await says(page, 'Letters, digits and - only, at most 16');
    await page.getByLabel('Name of the new table').fill('Varanda-1');
    await press(page.getByRole('form'), 'Add table');
    const card = page.getByRole('article', { name: 'Table Varanda-1' });
    await card.getByRole('img', { name: 'QR code of table Varanda-1' }).waitFor();
    const old = await tokenOf('Varanda-1');
    expect(await scan(old)).toBe(200);

    const path = await card.locator('path').first().getAttribute('d');
    await press(card, 'New code for table Varanda-1');
    await says(card, 'The printed one stops working');
    expect(await scan(old)).toBe(200);
    await press(card, 'Replace');
    await says(card, /^New code since \d\d:\d\d, print it$/);
    expect(await card.locator('path').first().getAttribute('d')).not.toBe(path);
    expect(await scan(old)).toBe(401);
    expect(await scan(await tokenOf('Varanda-1'))).toBe(200);
    await tapTwice(card.getByRole('button', { name: 'Remove table Varanda-1' }));
    await press(card, 'Keep');
    expect(await scan(await tokenOf('Varanda-1'))).toBe(200);
    await press(page, 'Add table');
    await page.getByLabel('Name of the new table').fill('Varanda-77');
    await app.manager('PUT', '/tables/Varanda-77');
    const printed = await tokenOf('Varanda-77');
    await press(page.getByRole('form'), 'Add table');
    await says(page, 'There is a table Varanda-77 already.');
    expect(await scan(printed)).toBe(200);
  });

  test('when the tables are still being read, then none can be added that may exist already', async () => {
    await app.manager('PUT', '/tables/Jardim');
    const { page, goTo } = await openManager(app, 'menu');
    const release = await holdList(page, '/tables');
    await goTo('tables');
    await press(page, 'Add table');
    await page.getByRole('button', { name: 'Add table', expanded: true }).waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
    release();
    await page.getByLabel('Name of the new table').fill('Jardim');
    await press(page.getByRole('form'), 'Add table');
    await says(page, 'There is a table Jardim already.');
  });

  test('when a table has an open order and no seating, then it is not said to be free', async () => {
    await app.manager('PUT', '/tables/Balcao');
    await app.place('Balcao', ['Feijoada']);
    const { page } = await openManager(app, 'tables');
    const card = page.getByRole('article', { name: 'Table Balcao' });
    await says(card, '1 open order');
    expect(await card.getByText('Free', { exact: true }).count()).toBe(0);
  });

  test('when the codes are printed, then the sheet has a card for each table and nothing else', async () => {
    const { page } = await openManager(app, 'tables');
    await page.evaluate(() => {
      (globalThis as unknown as { print: () => void }).print = () => document.body.classList.add('was-printed');
    });
    // The addresses of this stack lead to the machine that runs the test.
    await says(page, /^Phones of guests cannot open these codes/);
    await page.getByLabel('Wi-Fi of the guests, on the printed cards').fill('Comanda, password feijoada');
    await app.manager('PUT', '/tables/Varanda-do-norte');
    await page.reload();
    await page.evaluate(() => {
      (globalThis as unknown as { print: () => void }).print = () => document.body.classList.add('was-printed');
    });
    await page.getByRole('article', { name: 'Table Varanda-do-norte' }).waitFor();
    await press(page, /^Print all \d+ codes$/);
    await page.locator('.was-printed').waitFor();
    await page.emulateMedia({ media: 'print' });
    const count = (await tables()).length;
    expect(await page.locator('.qr-card:visible').count()).toBe(count);
    expect(await page.locator('.qr-card').first().textContent()).toContain('Or open in a browser: http');
    expect(await page.locator('.manager').isVisible()).toBe(false);
    expect(await page.locator('.qr-card').first().textContent()).toContain('Wi-Fi: Comanda, password feijoada');
    expect(await page.locator('.qr-card').first().textContent()).toMatch(/^Comanda/);
    await app.shoot(page, 'manager-printed-codes');
    const cut = await page
      .locator('.qr-card')
      .evaluateAll((all) => all.filter((card) => card.scrollHeight > card.clientHeight + 1).length);
    expect(cut).toBe(0);
    // Six of them on a sheet, and all whole.
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g);
    expect(sheets).toHaveLength(Math.ceil(count / 6));
  });

  test('when one of two orders of a table is paid, then its card says what is left to pay', async () => {
    await app.manager('PUT', '/tables/Varanda-77');
    const { bill_id: id } = await app.place('Varanda-77', ['Feijoada']);
    await app.place('Varanda-77', ['Pudim de leite']);
    const { remaining } = (await app.manager('GET', `/bills/${id}`)).body;
    const body = { method: 'card', part: { rest: true }, expected_amount: remaining };
    expect((await app.manager('POST', `/bills/${id}/payments`, { body })).status).toBe(201);
    const { page } = await openManager(app, 'tables');
    const card = page.getByRole('article', { name: 'Table Varanda-77' });
    await says(card, '2 open orders');
    await says(card, 'R$ 18.00');
  });

  test('when ordering is paused and resumed, then guests are refused with the reason, and served again', async () => {
    const guest = await app.stack.customer('Bia');
    const order = () =>
      caller(app.stack.gatewayUrl, { token: guest.token })('POST', '/orders', {
        body: { items: [{ name: 'Feijoada', quantity: 1 }], table: '1' },
      });
    const { page } = await openManager(app, 'ordering');
    await says(page, 'Guests can order.');
    await press(page, '15 min');
    await page.getByLabel('Reason', { exact: true }).fill('A cozinha está cheia');
    await press(page, 'Pause orders');
    await says(page, /^Paused until (.+, )?\d\d:\d\d\.$/);
    expect(await order()).toMatchObject({ status: 503, body: { reason: 'A cozinha está cheia' } });
    await press(page, 'Resume now');
    await says(page, 'Guests can order.');
    expect((await order()).status).toBe(201);
    await page.getByLabel('Or until').fill('0:00');
    await press(page, /^Pause orders: .+, 00:00$/);
    await says(page, /^Paused until .+, 00:00\.$/);
    await press(page, 'Resume now');
    await says(page, 'Guests can order.');
  });

  test('when screens have shown orders first, then the page of screens names them, also those of before it was opened', async () => {
    const show = async (device: string): Promise<void> => {
      const order = await app.place('4', ['Feijoada']);
      await app.manager('POST', '/orders/seen', { body: { order_ids: [order.id], device } });
    };
    await show('kitchen-wall');
    const { page } = await openManager(app, 'screens');
    await page.getByRole('row', { name: /^kitchen-wall 1 \d\d:\d\d:\d\d$/ }).waitFor();
    await page.getByRole('status', { name: 'Live feed' }).getByText('Live', { exact: true }).waitFor();
    await show('bar-tablet');
    await page.getByRole('rowheader', { name: 'bar-tablet' }).waitFor();
  });

  test('when a board is at work, then the page of screens says that it is on, with its station, and what is wrong', async () => {
    const { page: board } = await app.startShift();
    const { page } = await openManager(app, 'screens');
    const name = await board.evaluate(() => localStorage.getItem('comanda.kitchen.device') ?? '');
    const card = page.getByRole('article', { name, exact: true });
    await says(card, /^On$/);
    await says(card, 'All stations, Wagner');

    await board.getByRole('button', { name: /^Sound/ }).click();
    await says(card, 'Its sounds are off');
    await app.shoot(page, 'manager-screens-now');
  });

  test.each(['__proto__'])(
    'when a screen reports a station that is called %s, then its card says so, and the page goes on',
    async (station) => {
      const body = { shows: 'station', station, build: null, sound: 'on', display: 'stays_on', live: true };
      await app.manager('PUT', '/screens/kitchen-odd', { body });
      const { page, goTo } = await openManager(app, 'screens');
      await says(page.getByRole('article', { name: 'kitchen-odd' }), new RegExp(`^${station}, `));
      await goTo('people');
      await page.getByRole('heading', { name: 'People' }).waitFor();
    },
  );
});

test('when a manager goes from page to page, then every heading begins at the same edge, and nothing stands between it and the navigation', async () => {
  const { page, goTo } = await openManager(app, 'evening', { viewport: { width: 1920, height: 1080 } });
  const edges: number[] = [];
  for (const each of ['evening', 'menu', 'tables', 'people', 'deposits', 'ordering', 'screens', 'audit']) {
    await goTo(each);
    await page.locator(`.manager-side [aria-current][href="#/manager/${each}"]`).waitFor();
    const heading = page.locator('.manager-main h1');
    await heading.waitFor();
    edges.push(await heading.evaluate((title) => title.getBoundingClientRect().left));
    await app.shoot(page, `manager-edge-${each}`);
  }
  expect(new Set(edges)).toEqual(new Set([224]));
});

test('when a waiter opens a page of the managers, then it says whom it is for', async () => {
  const { page } = await openManager(app, 'people', { user: waiter, ...phone });
  await says(page, 'These pages are for managers.');
});

test('when every page is visited, then axe finds nothing, and all of it fits', async () => {
  const looks = { dark: { ...phone, colorScheme: 'dark' }, light: { ...tablet, colorScheme: 'light' } } as const;
  const { page, padIsReady, goTo } = await openManager(app, 'menu', { ...looks.dark, locale: 'pt-BR' });
  const { check, found } = checkScreens(page, { looks, shoot: app.shoot, name: 'manager' });
  await page.locator('.menu-row').first().waitFor();
  await check('menu');
  await page.locator('.menu-row-link').first().click();
  await page.locator('.dish-form').waitFor();
  await check('dish');
  await goTo('tables');
  await page.locator('.table-card').first().waitFor();
  await page.locator('.table-card-buttons button').nth(1).click();
  await check('tables');
  await goTo('deposits');
  await page.locator('.manager-form input').fill('customer@comanda.test');
  await page.locator('.deposit-choice').first().click();
  await page.locator('.deposit-choice').first().click();
  await page.locator('.deposit-whose').waitFor();
  await check('deposit');
  await page.locator('.manager-form input').fill('1248,30');
  await page.locator('.manager-form .button-primary').click();
  await page.locator('.pin-pad').waitFor();
  await check('deposit-pin');
  await padIsReady();
  await page.keyboard.type(pin);
  await page.keyboard.press('Enter');
  await page.locator('.deposit-receipt').waitFor();
  await check('deposited');
  await goTo('ordering');
  await page.locator('.going-on').first().waitFor();
  await check('ordering');
  await goTo('screens');
  await page.locator('.manager-figures').waitFor();
  await check('screens');
  await goTo('audit');
  await page.locator('.manager-table').waitFor();
  await check('audit');
  await goTo('people');
  // Another test may have disabled other people.
  const wagner = page.locator('.person', { hasText: 'waiter@comanda.test' });
  await wagner.locator('.button').first().click();
  await check('people');
  await wagner.locator('.person-actions .button-danger').first().click();
  await page.locator('.pin-pad').waitFor();
  await check('pin');
  expect(found).toEqual([]);
});
