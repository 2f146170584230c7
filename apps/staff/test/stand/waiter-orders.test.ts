import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { isInView, textFaultsOf } from '@comanda/testing/page-checks';
import { dishNamed, newDish, newOrder, nextOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { longWord, looks } from '../support/looks.ts';
import { phone, press, says, smallPhone } from '../support/page.ts';
import { addDish, openDish, pressMore, sendOrder } from '../support/waiter-page.ts';
import { newCall, newTable, onDuty } from './states.ts';

// The waiters' pages for taking orders and for changing a table's orders.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const tables = [newTable('12', 88), newTable('14', 89), newTable('T9')];
const showOrder = (table: string, answers: State['answers'] = {}, look: object = phone): Promise<Page> =>
  stand.show(onDuty({ tables, answers }), `#/waiter/order/${table}`, look);
const goToOrder = (page: Page, table: string): Promise<void> =>
  page.evaluate((name) => {
    location.hash = `#/waiter/order/${name}`;
  }, table);
const openReview = (page: Page): Promise<void> => page.getByRole('link', { name: /^Review · / }).click();
const allergies = (page: Page) => page.locator('.waiter-main textarea');
const typeRemarks = async (page: Page, dish: string, text: string): Promise<void> => {
  await press(page, `Remarks for ${dish}`);
  await page.getByRole('dialog').getByRole('textbox').fill(text);
  await press(page, 'Done');
};

describe('the review of an order', () => {
  test('warns about a selected dish with the allergen that the waiter types', async () => {
    const page = await showOrder('12');
    const row = page.getByRole('listitem').filter({ hasText: 'Pão de queijo' });
    await row.waitFor();
    // The list is short, so it shows allergens only when the waiter searches for a dish.
    expect(await row.getByText(/^Contains/).count()).toBe(0);
    await press(page, 'Search dishes');
    await page.getByRole('searchbox').fill('queijo');
    await says(row, /^Contains .*milk/);
    await addDish(page, 'Pão de queijo');
    await openReview(page);
    await allergies(page).fill('amendoim');
    expect(await page.getByText('Pão de queijo contains milk.').count()).toBe(0);
    await allergies(page).fill('Sem LACTOSE');
    await says(page, 'Pão de queijo contains milk.');
  });

  test('reports a table number that does not exist', async () => {
    const page = await showOrder('no-such');
    await addDish(page, 'Feijoada');
    await openReview(page);
    await says(page, /^There’s no table no-such in the list\./);
    expect(await page.getByText('The table is free').count()).toBe(0);
    await press(page, 'Discard order');
    await press(page, 'Yes, discard');
    await goToOrder(page, 't9');
    await addDish(page, 'Feijoada');
    await openReview(page);
    await says(page, 'Order for table T9');
  });

  test('has a button with space above and below its text on a phone at 200% zoom', async () => {
    const page = await showOrder('12', {}, { ...looks['at-195'], language: 'pt-BR' });
    await press(page, 'Adicionar Pão de queijo');
    const rest = await page.locator('.waiter-dock .button').evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element.firstChild ?? element);
      return element.getBoundingClientRect().height - range.getBoundingClientRect().height;
    });
    expect(rest).toBeGreaterThanOrEqual(12);
  });
});

describe('the page for taking an order', () => {
  const dock = (page: Page) => page.locator('.waiter-dock');

  test.each([smallPhone, phone])('keeps Send in view on a phone $viewport.width px wide', async (look) => {
    const page = await showOrder('12', {}, look);
    for (const name of ['Feijoada', 'Pudim de leite', 'Pudim de leite']) await addDish(page, name);
    await says(dock(page), /3 items · R\$.98$/);
    const send = page.getByRole('button', { name: 'Send to kitchen' });
    expect(await isInView(send)).toBe(true);
    await openReview(page);
    await page.getByRole('heading', { name: 'Order for table 12' }).waitFor();
    expect(await isInView(send)).toBe(true);
  });

  test('sends dishes with usual remarks, and shows the dishes first the next time', async () => {
    const items = [{ dish: dishNamed('Picanha na brasa'), remarks: 'mal passada' }];
    const placeOrder = newOrder({ items: ['Picanha na brasa'] });
    const state = onDuty({
      tables,
      orders: [newOrder({ id: 7, table: '14', seating: 89, items })],
      answers: { placeOrder },
    });
    const page = await stand.show(state, '#/waiter/order/12', phone);
    await addDish(page, 'Picanha na brasa');
    await press(page, 'Remarks for Picanha na brasa');
    await press(page, 'mal passada');
    await page.getByRole('dialog').getByRole('textbox').fill('mal passada, sem sal');
    await press(page, 'Done');
    await sendOrder(page);
    await until(async () => (await stand.calls('placeOrder')).length === 1, { what: 'the order, sent' });
    expect((await stand.calls('placeOrder'))[0]?.input['items']).toMatchObject([
      { item_id: dishNamed('Picanha na brasa').id, quantity: 1, remarks: 'mal passada, sem sal' },
    ]);
    await goToOrder(page, '12');
    const first = page.getByRole('region').first();
    await says(first, 'Last ordered');
    await first.getByRole('button', { name: 'Add Picanha na brasa' }).waitFor();
  });

  test('leads to the review instead of sending a dish that the guest must avoid', async () => {
    const page = await showOrder('12');
    await addDish(page, 'Feijoada');
    await openReview(page);
    await allergies(page).fill('Sem LACTOSE');
    await page.getByRole('link', { name: 'Add more' }).click();
    await page.getByRole('button', { name: 'Send to kitchen' }).waitFor();
    await addDish(page, 'Pão de queijo');
    await page.getByRole('link', { name: 'Review', exact: true }).click();
    await says(page, 'Pão de queijo contains milk.');
  });

  test('shows the ticket with Send beside the dishes on a tablet', async () => {
    const page = await showOrder(
      '12',
      { placeOrder: newOrder({ items: ['Feijoada'] }) },
      { viewport: { width: 1_024, height: 768 } },
    );
    await addDish(page, 'Feijoada');
    const ticket = page.getByRole('complementary', { name: 'Order for table 12' });
    expect((await ticket.boundingBox())?.width).toBe(340);
    const send = ticket.getByRole('button', { name: 'Send to kitchen' });
    expect(await isInView(send)).toBe(true);
    for (const name of ['Pudim de leite', 'Picanha na brasa', 'Caipirinha']) await addDish(page, name);
    expect(await isInView(send)).toBe(true);
    expect(await dock(page).count()).toBe(0);
    await press(ticket, 'Send to kitchen');
    await says(page, /^Order #\d+ for table 12 is sent\.$/);
  });
});

test("dishes selected for another table need the waiter's confirmation", async () => {
  const page = await showOrder('12');
  await addDish(page, 'Feijoada');
  await openReview(page);
  await allergies(page).fill('amendoim');
  await goToOrder(page, '14');
  await says(page, 'Unsent order for table 12:');
  await says(page, '1 Feijoada, amendoim');
  await page.getByRole('link', { name: 'Back to table 12' }).click();
  await page.getByRole('link', { name: /^Review · 1 item/ }).waitFor();
  await goToOrder(page, '14');
  await press(page, 'Use it for table 14');
  await page.getByRole('link', { name: /^Review · 1 item/ }).waitFor();
  await goToOrder(page, '12');
  await press(page, 'Start over');
  await page.locator('.waiter-dish').first().waitFor();
  expect(await page.getByRole('link', { name: /^Review · / }).count()).toBe(0);
});

test('a rejected order names the dish and keeps everything that was typed', async () => {
  const { id } = dishNamed('Prato do dia');
  const problem = { members: { items: [{ id, name: 'Prato do dia' }] } };
  const answers = { placeOrder: fails('menu_item_unavailable', problem) };
  const page = await showOrder('12', answers);
  await addDish(page, 'Prato do dia');
  await openReview(page);
  await typeRemarks(page, 'Prato do dia', 'pouco sal');
  await press(page, 'Send to kitchen');
  const refused = page.getByText(/^Prato do dia: sold out/);
  await refused.waitFor();
  await goToOrder(page, '14');
  await addDish(page, 'Feijoada');
  await page.reload();
  await refused.waitFor();
  expect(await page.getByRole('button', { name: 'Change it' }).count()).toBe(0);
  await stand.answer({ placeOrder: newOrder({ table: '14', items: ['Feijoada'] }) });
  await sendOrder(page);
  await press(page, 'Change it');
  await says(page, 'pouco sal');
  expect((await stand.calls('placeOrder')).map(({ input }) => input['table'])).toEqual(['14']);
});

test.each([
  { name: 'light', ...smallPhone },
  { name: 'dark', ...phone, colorScheme: 'dark', language: 'pt-BR' },
] as const)('a selected menu section is in view ($name)', async (look) => {
  const page = await showOrder('12', {}, look);
  const sections = page.locator('.waiter-categories');
  await sections.waitFor();
  const last = sections.getByRole('button').last();
  const title = await last.textContent();
  await last.click();
  const section = page.getByRole('region', { name: title ?? '', exact: true });
  const main = await page.locator('.waiter-main').boundingBox();
  const fits = async (): Promise<boolean> => {
    const [box, bar] = [await section.getByRole('heading').boundingBox(), await sections.boundingBox()];
    return box !== null && bar !== null && box.y >= bar.y + bar.height && box.y < (main?.y ?? 0) + (main?.height ?? 0);
  };
  await until(fits, { what: 'the section of the menu, in view' });
});

describe('a dish at a table', () => {
  test('is removed after one confirmation', async () => {
    const items = [
      { dish: dishNamed('Feijoada'), quantity: 2 },
      { dish: dishNamed('Pudim de leite'), status: 'delivered' as const },
    ];
    const order = newOrder({ seating: 88, items });
    const answers = { updateOrderItem: nextOrder(order, ['cancelled']) };
    const page = await stand.show(onDuty({ orders: [order], tables, answers }), '#/waiter/tables/12', smallPhone);
    await openDish(page, 'Feijoada');
    await press(page, 'All 2');
    expect(await stand.calls('updateOrderItem')).toEqual([]);
    await press(page, 'Take off 2 Feijoada');
    await says(page, /^2\sFeijoada removed from order #\d+\. The kitchen can see it\.$/);
    expect((await stand.calls('updateOrderItem')).map(({ input }) => input)).toMatchObject([
      { item_id: order.items[0]?.id, status: 'cancelled' },
    ]);
  });

  test.each([looks['at-195'], phone])(
    'keeps its “Take off” button in view on a phone $viewport.width px wide',
    async (look) => {
      const text = 'sem cebola, sem coentro; molho à parte, '.repeat(5);
      const dish = newDish({ name: longWord, price: '99999.99' });
      const items = [{ dish, remarks: text }, 'Feijoada'];
      const order = newOrder({ table: 'Varanda-Norte-12', seating: 88, allergies: text, items });
      const answers = { updateOrderItem: fails('version_mismatch'), getOrder: order };
      const state = onDuty({ orders: [order], tables: [newTable(order.table ?? '', 88)], answers });
      const page = await stand.show(state, `#/waiter/tables/${order.table}`, look);
      const ofOrder = page.getByRole('article', { name: `Order #${order.ticket}`, exact: true });
      await openDish(ofOrder, longWord);
      await press(page, `Take off ${longWord}`);
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await isInView(alert.locator('.error-panel-title'))).toBe(true);
      await stand.answer({ updateOrderItem: nextOrder(order, ['cancelled']) });
      expect(await isInView(page.getByRole('button', { name: `Take off ${longWord}` }))).toBe(true);
      await press(page, `Take off ${longWord}`);
      await says(page, new RegExp(`^${longWord} .* #`));
      expect(await isInView(page.locator('.waiter-notice').getByRole('button'))).toBe(true);
      expect(await textFaultsOf(page)).toEqual([]);
    },
  );
});

test('a table that cannot be closed without a network stays open', async () => {
  const answers = { closeTable: fails('unreachable', { outcome: 'unknown' }) };
  const page = await stand.show(onDuty({ tables, answers }), '#/waiter/tables/12', phone);
  await pressMore(page, 'Close table');
  await press(page, 'Yes, close it');
  await page.getByRole('alert').getByText('No connection.').waitFor();
  await page.getByRole('button', { name: 'Yes, close it' }).waitFor();
});

test('orders at an unopened table go on one bill when the waiter opens it', async () => {
  const order = newOrder({ table: 'T9', seating: null, items: ['Feijoada'] });
  const answers = { openTable: newTable('T9', 90, { version: 2 }), moveOrder: { ...order, seating: 90, version: 2 } };
  const page = await stand.show(onDuty({ orders: [order], tables, answers }), '#/waiter/tables/T9', phone);
  await press(page, 'Open with this order');
  await page.getByText(/^Table T9 is open/).waitFor();
  await until(async () => (await stand.calls('moveOrder')).length === 1, { what: 'the order on the bill' });
});

test('the longest reason for stopped transfers leaves ready dishes in view', async () => {
  const reason = 'sem cebola, sem coentro; molho à parte, '.repeat(5);
  const order = newOrder({ items: [{ dish: dishNamed('Feijoada'), status: 'ready' }] });
  const stop = { reason, stopped_at: '2026-11-20T21:00:00.000Z', stopped_by: { id: 1, role: 'manager' } } as never;
  const answers = { getStops: { transfers: stop, sign_ups: null, version: 2 }, getOrderHistory: [] };
  const look = { ...phone, forcedColors: 'active' } as const;
  const page = await stand.show(onDuty({ orders: [order], answers }), '#/waiter/ready', look);
  await page.locator('.waiter-card').waitFor();
  const strip = page.locator('.waiter-unsent');
  await strip.waitFor();
  expect(await isInView(page.locator('.waiter-card .waiter-line').first())).toBe(true);
  expect(await strip.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
  expect(await strip.getByText(reason.trim()).isVisible()).toBe(false);
  await strip.getByText('Reason', { exact: true }).click();
  await says(strip, reason.trim());
  const pausedUntil = new Date(Date.now() + 600_000).toISOString();
  await stand.emit('ordering.changed', { paused_until: pausedUntil, reason: null, version: 2 });
  await says(page, /^Guests can’t order until /);
  await stand.emit('ordering.changed', { paused_until: null, reason: null, version: 3 });
  await page.getByText(/^Guests can’t order until /).waitFor({ state: 'detached' });
});

test("a call that a colleague has already accepted is marked in the page's language", async () => {
  const taken = newCall({ status: 'taken', version: 2, taken_by: { id: 9, role: 'waiter' } });
  const answers = {
    listCalls: { turns: [[newCall()], [newCall()], [taken]] },
    updateCall: fails('illegal_transition', { members: { from: 'taken', to: 'taken', allowed: [] } }),
  };
  const page = await stand.show(onDuty({ tables, answers }), '#/waiter/ready', phone);
  const call = page.getByRole('article', { name: 'Call, table 12, waiter', exact: true });
  await call.getByRole('button').first().click();
  await page
    .getByText(/colleague/)
    .first()
    .waitFor();
  await press(page, 'Menu');
  await press(page, 'Português');
  await page
    .getByText(/colega/)
    .first()
    .waitFor();
});
