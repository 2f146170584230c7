import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectErrors } from '@comanda/testing/browser';
import { dishCard, guestOn, holdFeed, scan, seatGuest, type Guest } from './support/guest.ts';
import { startTableApp, type Order, type TableApp } from './support/table-app.ts';

let app: TableApp;
beforeAll(async () => {
  app = await startTableApp('table-choose');
}, 300_000);
afterEach(() => app?.closeScreens());
afterAll(() => app?.close());

/** Somebody who reads the menu and has scanned no code. */
async function newReader(): Promise<Guest> {
  const phone = await app.phone();
  await phone.page.goto(app.url);
  await dishCard(phone.page, 'Feijoada').waitFor();
  return guestOn(app, phone, { table: '', scanned: '' });
}
async function newDish(name: string, more: Record<string, unknown> = {}): Promise<Order> {
  const body = { name, price: '10.00', category: 'Testes', position: 900, ...more };
  return (await app.manager('POST', '/menu', { body })).body;
}

describe('the seat', () => {
  const sessionOf = ({ page }: Guest): Promise<string> =>
    page.evaluate(
      () => localStorage.getItem(Object.keys(localStorage).find((key) => key.includes('session@')) ?? '') ?? '',
    );
  async function userOf(guest: Guest): Promise<unknown> {
    const [, payload = ''] = JSON.parse(await sessionOf(guest)).access.split('.');
    return JSON.parse(Buffer.from(payload, 'base64url').toString()).sub;
  }
  test("when the code is scanned again, then it is the same guest, and the table's orders are there", async () => {
    const guest = await seatGuest(app);
    await guest.order('Feijoada');
    await guest.sees('Table total R$ 62.00');
    const before = await userOf(guest);
    await scan(app, guest.page, guest.seat);
    await guest.page.getByRole('link', { name: /^Orders · R\$ 62\.00/ }).click();
    await guest.sees('Table total R$ 62.00');
    expect(await userOf(guest)).toBe(before);

    const { page: other } = await app.phone();
    await scan(app, other, guest.seat);
    await other.getByRole('link', { name: /^Orders · R\$ 62\.00/ }).waitFor();
  });
  test('when the page is reloaded, then the basket is still there', async () => {
    const guest = await seatGuest(app);
    await guest.add('Feijoada');
    await guest.page.reload();
    await guest.seesBasket('1 item, R$ 62.00');
  });
  test('when the table is closed while a guest chooses, then the page says so, and a new scan finds the basket', async () => {
    const guest = await seatGuest(app);
    expectErrors(guest.page, /status of 401 /);
    await guest.add('Feijoada');
    await guest.openReview();
    await app.manager('POST', `/tables/${guest.seat.table}/close`);
    await guest.sees('Your time at this table has ended');
    expect(await app.ordersOf(guest.seat)).toEqual([]);
    await scan(app, guest.page, guest.seat);
    await guest.seesBasket('1 item, R$ 62.00');
  });
  test('when no code was scanned, then the menu can be read, and nothing can be added', async () => {
    const reader = await newReader();
    await reader.sees('Scan the code on your table');
    expect(await reader.button(/^Add /).count()).toBe(0);
  });
  test('when the code is not valid any more, then the page says what to do', async () => {
    const { page } = await app.phone();
    expectErrors(page, /status of 401 .*\/auth\/guest$/);
    await page.goto(`${app.url}/?t=bm9uc2Vuc2U`);
    await page.getByText('This code is not valid any more').waitFor();
    await dishCard(page, 'Feijoada').waitFor();
    expect(page.url()).not.toContain('t=');
  });
  test('when somebody registers with a common password, then the form says why and keeps what was typed', async () => {
    const { page } = await app.phone();
    expectErrors(page, /status of 422 .*\/auth\/register$/);
    await page.goto(`${app.url}/#/account`);
    await page.getByRole('button', { name: 'I am new here' }).click();
    const email = `lia-${Date.now()}@comanda.test`;
    for (const [name, value] of Object.entries({ Name: 'Lia', 'E-mail': email, Password: 'password' }))
      await page.getByRole('textbox', { name }).fill(value);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('alert').getByText('This password is too easy to guess.').waitFor();
    await page.getByRole('alert').getByText('Request id').waitFor();
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(email);
    await page.getByRole('textbox', { name: 'Password' }).fill('farofa-com-violao-9');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { level: 1, name: /^(Your accounts|Account \d)/ }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('heading', { level: 1, name: 'Menu' }).waitFor();
  });
});

describe('what is said before an order is placed', () => {
  test('when a price changes after the dish was chosen, then the review says both prices', async () => {
    const dish = await newDish('Bolo de preço');
    const guest = await seatGuest(app);
    await guest.add(dish.name);
    await guest.openReview();
    await app.manager('PUT', `/menu/${dish.id}`, { body: { price: '12.00' } });
    await guest.sees('The price changed: it was R$ 10.00, now it is R$ 12.00.');
    await guest.send();
    await guest.sees('Table total R$ 12.00');
  });
  test('when few portions are left, and then none, then the menu and the review say so', async () => {
    const dish = await newDish('Torta contada', { portions_left: 2 });
    const guest = await seatGuest(app);
    await dishCard(guest.page, dish.name).getByText('2 left').waitFor();
    await guest.add(dish.name);
    await guest.add(dish.name);
    await guest.button(`Add ${dish.name}`).click({ force: true });
    await guest.hears(`There is no more ${dish.name}.`);
    await guest.add('Feijoada');
    await guest.seesBasket('3 items, R$ 82.00');
    await guest.openReview();
    await app.manager('PUT', `/menu/${dish.id}/availability`, { body: { available: false } });
    await guest.sees('Sold out. Take it out to send the rest.');
    // What cannot be ordered is not in the sum.
    await guest.page.locator('.slip-sum').getByText('R$ 62.00').waitFor();
    await guest.button('Send to kitchen').click({ force: true });
    await guest.hears('Not sent. First take out what is sold out.');
    expect(await app.ordersOf(guest.seat)).toEqual([]);
    await guest.button('Take out what is sold out').click();
    await guest.send();
    await guest.sees('Table total R$ 62.00');
  });
  test('when ordering is paused before the feed of the page is live, then the page says so once it is', async () => {
    const [seat, phone] = await Promise.all([app.newSeat(), app.phone()]);
    const release = await holdFeed(phone.context);
    await scan(app, phone.page, seat);
    const guest = guestOn(app, phone, seat);
    await guest.add('Feijoada');
    await guest.openReview();
    const pausedUntil = new Date(Date.now() + 3600_000).toISOString();
    await app.manager('PUT', '/ordering', { body: { paused_until: pausedUntil, reason: 'The oven is cold' } });
    try {
      release();
      await guest.sees('The oven is cold');
    } finally {
      await app.manager('PUT', '/ordering', { body: {} });
    }
  });
  test('when ordering is paused, then the page says until when, and keeps the basket', async () => {
    const guest = await seatGuest(app);
    await guest.add('Feijoada');
    await guest.openReview();
    const pausedUntil = new Date(Date.now() + 3600_000).toISOString();
    await app.manager('PUT', '/ordering', { body: { paused_until: pausedUntil, reason: 'The oven is cold' } });
    try {
      await guest.sees(/The kitchen takes no orders until \d\d:\d\d/);
      await guest.sees('The oven is cold');
      await guest.button('Send to kitchen').click({ force: true });
      expect(await app.ordersOf(guest.seat)).toEqual([]);
    } finally {
      await app.manager('PUT', '/ordering', { body: {} });
    }
    await guest.page.getByText('The oven is cold').waitFor({ state: 'detached' });
    await guest.send();
    await guest.sees('Table total R$ 62.00');
  });
});

describe('what a guest cannot eat', () => {
  test('when a guest cannot eat something, then dishes with it are hidden, and how many is said', async () => {
    const reader = await newReader();
    await reader.avoid('fish');
    await reader.sees('2 dishes are hidden: with fish.');
    expect(await dishCard(reader.page, 'Fish moqueca').count()).toBe(0);
    await reader.page.reload();
    await reader.sees('2 dishes are hidden: with fish.');
  });
  test('when a guest cannot eat something, then a dish that states no allergens says so, on its card and page', async () => {
    const dish = await newDish('Tapioca sem dados');
    const unstated = 'Allergens not stated: ask';
    const { page, avoid } = await newReader();
    await dishCard(page, dish.name).waitFor();
    expect(await page.getByText(unstated).count()).toBe(0);
    await avoid('gluten');
    await dishCard(page, dish.name).getByText(unstated).waitFor();
    expect(await dishCard(page, 'Cheese bread').getByText(unstated).count()).toBe(0);
    await page.getByRole('link', { name: dish.name }).click();
    await page.getByRole('heading', { name: unstated }).waitFor();
  });
  test.each(['Alergia a glúten!'])(
    'when a guest writes "%s" for a dish with it, then the dish and the review warn, and it can be sent',
    async (written) => {
      const { page, ...guest } = await seatGuest(app);
      await page.getByRole('link', { name: 'Feijoada' }).click();
      await guest.allergies.fill('peanuts');
      expect(await page.getByText('Feijoada contains').count()).toBe(0);
      await guest.allergies.fill(written);
      await guest.sees('Feijoada contains gluten.');
      await guest.button(/^Add Feijoada/).click();
      await guest.add('Caipirinha');
      await guest.openReview();
      await page.getByRole('listitem').filter({ hasText: 'Feijoada' }).getByText('Feijoada contains gluten.').waitFor();
      await guest.sees('Feijoada contains gluten. Remove it, or send anyway.');
      expect(await page.getByText('Caipirinha contains').count()).toBe(0);
      await guest.send();
      await guest.sees(`Allergy told to the kitchen: ${written}`);
    },
  );
  test("when a dish was chosen before its allergen, then the review warns of the filter's choice", async () => {
    const guest = await seatGuest(app);
    await guest.add('Feijoada');
    await guest.add('Draught lager 300 ml');
    await guest.avoid('gluten');
    await guest.openReview();
    await guest.sees('2 dishes contain what you cannot eat. Remove them, or send anyway.');
  });
  test('when something was chosen on the menu, then it is written for the kitchen, and again in the next order', async () => {
    const guest = await seatGuest(app);
    await guest.avoid('fish');
    await guest.add('Feijoada');
    await guest.openReview();
    expect(await guest.allergies.inputValue()).toBe('fish');
    await guest.allergies.fill('fish, kiwi');
    await guest.send();
    await guest.sees('Allergy told to the kitchen: fish, kiwi');
    await guest.button('Order more').click();
    await guest.add('Caipirinha');
    await guest.openReview();
    expect(await guest.allergies.inputValue()).toBe('fish, kiwi');
    // What the guest takes out stays out.
    await guest.allergies.fill('');
    await guest.page.reload();
    await guest.button('Send to kitchen').waitFor();
    expect(await guest.allergies.inputValue()).toBe('');
    await guest.send();
    await guest.sees('Table total R$ 86.00');
    expect((await app.ordersOf(guest.seat)).map(({ allergies }) => allergies)).toEqual(['fish, kiwi', null]);
  });
  test('when a guest searches without accents, then the dish is found; when nothing fits, then the page says so', async () => {
    const { page, button, sees } = await newReader();
    const searchbox = page.getByRole('searchbox', { name: 'Search dishes' });
    await button('Search dishes').click();
    await searchbox.fill('pao');
    await dishCard(page, 'Feijoada').waitFor({ state: 'detached' });
    expect(await page.getByRole('article').count()).toBe(1);
    await searchbox.fill('sushi');
    await sees('No dish with “sushi”');
  });
});

test('who chooses by keyboard keeps the focus at the least quantity and after a line was removed, and hears of which dish a number is', async () => {
  const guest = await seatGuest(app);
  const { page, button } = guest;
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName ?? '');
  await page.getByRole('link', { name: 'Feijoada', exact: true }).click();
  await button('One more').press('Enter');
  await page.getByRole('status', { name: 'Feijoada', exact: true }).getByText('2').waitFor();
  await button('One less').press('Enter');
  await page.getByRole('status', { name: 'Feijoada', exact: true }).getByText('1').waitFor();
  expect(await focused()).toBe('One less');
  await button('Add Feijoada').click();
  await guest.add('Cheese bread');
  await guest.openReview();
  await button('Remove Feijoada').press('Enter');
  await page.locator('.line').nth(1).waitFor({ state: 'detached' });
  expect(await focused()).toBe('Remove Cheese bread');
  await button('Remove Cheese bread').press('Enter');
  await page.getByText('Nothing chosen yet').waitFor();
  expect(await focused()).toBe('H1');
});
