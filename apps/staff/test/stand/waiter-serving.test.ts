import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens, misfitsOf, tabTo } from '@comanda/testing/page-checks';
import { dishNamed, minutesAgo, newOrder, nextOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import type { State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { bottomOf, goTo, phone, press, says, smallPhone, tapTwice } from '../support/page.ts';
import { card } from '../support/waiter-page.ts';
import { changesOf, newCall, newTable, onDuty, withSeen } from './states.ts';

// The waiters' page for ready dishes, its alarms, and the message at the bottom.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

type Order = ReturnType<typeof newOrder>;
type Line = { dish: string; quantity?: number; remarks?: string; isReady?: boolean };
let lastId = 0;
/** Creates an order that all its stations have shown. */
function newSeen(table: string, lines: readonly (Line | string)[], differs: Partial<Omit<Order, 'items'>> = {}): Order {
  const items = lines.map((line) => {
    const { dish, isReady = false, ...more } = typeof line === 'string' ? { dish: line, isReady: true } : line;
    return { ...more, dish: dishNamed(dish), status: isReady ? ('ready' as const) : ('received' as const) };
  });
  return { ...withSeen(newOrder({ id: ++lastId, table, items }), minutesAgo(1)), ...differs };
}
const showReady = (orders: readonly Order[], answers: State['answers'] = {}, look: object = phone): Promise<Page> =>
  stand.show(onDuty({ orders, answers: { getOrderHistory: [], ...answers } }), '#/waiter/ready', look);
const servedItems = async (): Promise<unknown[]> =>
  (await stand.calls('updateOrderItem')).map(({ input }) => [input['item_id'], input['status']]);
const doubleTapMs = 500;

describe('ready dishes', () => {
  test('are listed by waiting time, together with the dishes that are not ready yet', async () => {
    const first = newSeen(
      '8',
      [
        { dish: 'Feijoada', quantity: 2, isReady: true },
        { dish: 'Picanha na brasa', quantity: 7 },
      ],
      { updated_at: minutesAgo(2) },
    );
    const second = newSeen('9', ['Pudim de leite', { dish: 'Água com gás', remarks: 'sem gelo', isReady: true }]);
    const water = nextOrder(second, ['ready', 'delivered']);
    const page = await showReady([second, first], {
      updateOrderItem: { turns: [water, nextOrder(first, ['delivered'])] },
      updateOrder: nextOrder(water, 'delivered'),
      getOrder: water,
    });
    await says(card(page, '8'), /^Waiting \d:\d\d$/);
    await says(card(page, '8'), '7 waiting');
    await says(card(page, '9'), 'sem gelo');
    const names = await page.locator('.waiter-card').evaluateAll((all) => all.map((each) => each.ariaLabel));
    expect(names).toEqual(['Table 8', 'Table 9']);
    await press(card(page, '9'), 'Mark served: 1 Água com gás sem gelo');
    await page.waitForTimeout(doubleTapMs); // The next button is where the last tap was.
    await press(card(page, '9'), 'Mark 1 served, Table 9');
    await card(page, '9').waitFor({ state: 'detached' });
    await press(card(page, '8'), 'Mark 2 served, Table 8');
    await card(page, '8').waitFor({ state: 'detached' });
    await until(async () => (await servedItems()).length === 2, { what: 'both dishes to be served' });
    expect(await servedItems()).toEqual([
      [second.items[1]?.id, 'delivered'],
      [first.items[0]?.id, 'delivered'],
    ]);
    expect((await stand.calls('updateOrder')).map(({ input }) => input)).toMatchObject([
      { id: second.id, status: 'delivered' },
    ]);
  });

  test('are not served by the second tap of a double tap', async () => {
    const [first, second] = [
      newSeen('8', ['Feijoada', 'Pudim de leite']),
      newSeen('9', ['Feijoada', 'Pudim de leite']),
    ];
    const page = await showReady([first, second], {
      updateOrderItem: changesOf(first, ['delivered']),
      getOrder: nextOrder(first, ['delivered']),
      updateOrder: nextOrder(nextOrder(first, 'ready'), 'delivered'),
    });
    await card(page, '9').waitFor();
    await tapTwice(
      card(page, '8')
        .getByRole('button', { name: /^Mark served:/ })
        .first(),
    );
    await card(page, '8')
      .getByRole('button', { name: /^Mark 1 served/ })
      .waitFor();
    await tapTwice(card(page, '8').getByRole('button', { name: /^Mark 1 served/ }));
    await card(page, '8').waitFor({ state: 'detached' });
    await card(page, '9')
      .getByRole('button', { name: /^Mark 2 served/ })
      .waitFor();
  });

  test('turn amber after three minutes', async () => {
    const order = newSeen('8', ['Feijoada']);
    const ready = { what: 'status', actor: { id: 9, role: 'waiter', name: 'Rui' }, from: 'preparing', to: 'ready' };
    const getOrderHistory = [{ ...ready, at: minutesAgo(3.1) }] as never;
    const page = await showReady([order], { getOrderHistory });
    await says(card(page, '8'), /^Ready, waiting 3:\d\d$/);
  });

  test('are listed again after Undo', async () => {
    const order = newSeen('8', ['Feijoada']);
    const served = nextOrder(order, 'delivered');
    const page = await showReady([order], {
      updateOrder: served,
      getOrder: served,
      updateOrderItem: nextOrder(served, 'ready'),
    });
    await press(card(page, '8'), /^Mark 1 served/);
    await until(async () => (await stand.calls('updateOrder')).length === 1, { what: 'the dish to be served' });
    await press(page, 'Undo');
    await card(page, '8')
      .getByRole('button', { name: /^Mark 1 served/ })
      .waitFor();
    const isBack = async (): Promise<boolean> => (await servedItems()).length === 1;
    await until(isBack, { what: 'the dish to be ready again' });
    expect(await servedItems()).toEqual([[order.items[0]?.id, 'ready']]);
  });

  test('stay in view beside alarms and calls', async () => {
    const ready = newSeen('8', ['Feijoada', 'Risoto de cogumelos']);
    const others = ['9', '10', '11'].map((table, index) => ({ table, seating: 90 + index }));
    const orders = others.map(({ table, seating }, index) =>
      newOrder({
        id: 200 + index,
        table,
        seating,
        items: ['Picanha na brasa'],
        allergies: 'amendoim',
        created_at: minutesAgo(0.5),
      }),
    );
    const listCalls = others.map(({ table, seating }, index) =>
      newCall({
        id: 60 + index,
        kind: 'bill',
        method: 'card',
        table,
        seating,
        ...(index > 0 && { status: 'taken', taken_by: { id: 9, role: 'waiter' } }),
      }),
    );
    const looks = {
      light: { ...smallPhone, colorScheme: 'light', language: 'en' },
      dark: { ...smallPhone, colorScheme: 'dark', language: 'pt-BR' },
    } as const;
    const page = await showReady([ready, ...orders], { listCalls }, looks.light);
    await page.locator('.fold-strip-alarm').waitFor();
    await page.locator('.fold-strip-taken').waitFor();
    await page.locator('.waiter-card').waitFor();
    const bottoms: number[][] = [];
    const measure = async (): Promise<string[]> => {
      bottoms.push([
        await bottomOf(page.locator('.waiter-card .waiter-served').first()),
        await bottomOf(page.locator('.waiter-main')),
      ]);
      return misfitsOf(page);
    };
    const { check, found } = checkScreens(page, { looks, shoot: stand.shoot, name: 'waiter-busy', measure });
    await check('folded');
    expect(bottoms.filter(([served = 0, main = 0]) => served > main)).toEqual([]);
    for (const strip of ['.fold-strip-alarm', '.fold-strip-taken']) await page.locator(strip).click();
    expect(await page.locator('.waiter-call').count()).toBe(3);
    expect(await page.locator('.waiter-alarm').count()).toBe(3);
    await check('unfolded');
    expect(found).toEqual([]);
  });
});

test('calls that no waiter has taken come first and in full, the ones of the waiter in one line', async () => {
  const taken = (by: number) => ({ status: 'taken', taken_by: { id: by, role: 'waiter' } }) as const;
  const note = 'Uma cadeira de bebê, por favor';
  const own = newCall({ id: 61, table: '5', kind: 'other', note, ...taken(2) });
  const listCalls = [
    newCall({ id: 60, table: '4', ...taken(9), created_at: minutesAgo(9) }),
    own,
    newCall({ id: 62, table: '6', kind: 'bill', method: 'card', created_at: minutesAgo(3) }),
    newCall({ id: 63, table: '7', created_at: minutesAgo(1) }),
  ];
  const updateCall = { ...own, status: 'open', taken_by: null, version: 2 } as const;
  const page = await showReady([newSeen('8', ['Feijoada'])], { listCalls, updateCall }, smallPhone);
  const calls = page.locator('.waiter-call');
  await calls.nth(3).waitFor();
  const names = await calls.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')?.slice(0, 13)));
  expect(names).toEqual(['Call, table 6', 'Call, table 7', 'Call, table 5', 'Call, table 4']);
  expect(await page.getByRole('button', { name: 'I’ll go' }).count()).toBe(2);
  const mine = calls.nth(2);
  expect((await mine.boundingBox())?.height).toBeLessThanOrEqual(56);
  expect(await mine.getByText(note).count()).toBe(0);
  await mine.locator('.waiter-call-line').click();
  await says(mine, note);
  await tabTo(page, /^I can’t go$/);
  await page.keyboard.press('Enter');
  expect((await stand.calls('updateCall')).map(({ input }) => input)).toEqual([{ id: 61, status: 'open' }]);
});

test('an order that a station has not shown after 20 s raises an alarm', async () => {
  const created_at = minutesAgo(25 / 60);
  const drink = newOrder({
    id: 1,
    table: '8',
    items: [{ dish: dishNamed('Feijoada'), status: 'delivered' }, 'Caipirinha'],
    created_at,
  });
  // The kitchen has shown its part of the order, but the bar has not shown the drink.
  const order = withSeen(drink, created_at, 'kitchen');
  const shown = newOrder({ id: 2, table: '9', items: ['Feijoada'], created_at });
  const recent = newOrder({ id: 3, table: '10', items: ['Feijoada'], created_at: minutesAgo(0) });
  const page = await showReady([order, shown, recent]);
  const alarmOf = ({ ticket, table }: Order) =>
    page.getByRole('region', { name: `Table ${table}, order #${ticket}`, exact: true });
  await page.getByRole('button', { name: /^2 orders not .*, oldest 0:\d\d$/ }).click();
  await says(alarmOf(order), /^No bar screen .* 0:\d\d$/);
  await tapTwice(alarmOf(order).getByRole('button'));
  await alarmOf(order).waitFor({ state: 'detached' });
  await says(alarmOf(shown), /^No kitchen screen /);
  const seen = { ...withSeen(shown, minutesAgo(0)), version: 2 };
  await stand.emit('order.seen', { order: seen, device: 'kitchen-1' });
  await alarmOf(shown).waitFor({ state: 'detached' });
});

test('the focus moves to the heading when the keyboard opens a page', async () => {
  const page = await stand.show(onDuty({ tables: [newTable('8', 88)] }), '#/waiter/ready', phone);
  const heading = (name: string) =>
    page.getByRole('heading', { name, level: 1, exact: true }).and(page.locator(':focus'));
  await page.getByRole('link', { name: 'Tables' }).press('Enter');
  await heading('Tables').waitFor();
  await page.locator('a[href="#/waiter/order/8"]').press('Enter');
  await page.locator('.waiter-dish').first().waitFor();
  await heading('Table 8').waitFor();
  await page.getByRole('link', { name: 'Orders and bill' }).press('Enter');
  await page.getByRole('link', { name: 'New order' }).waitFor();
  await heading('Table 8').waitFor();
});

test("an order's allergies are shown everywhere it appears", async () => {
  const order = newSeen('8', [{ dish: 'Feijoada' }], { allergies: 'amendoim', seating: 88 });
  const state = onDuty({ orders: [order], tables: [newTable('8', 88)], answers: { getOrderHistory: [] } });
  const page = await stand.show(state, '#/waiter/ready', phone);
  const allergy = page.getByText(`ALLERGY, order #${order.ticket}: amendoim`);
  await says(page, 'In the kitchen');
  await allergy.waitFor();
  const ready = nextOrder(order, 'ready');
  const itemChange = { item_id: order.items[0]?.id ?? 0, from: 'preparing', to: 'ready' } as const;
  await stand.emit('order.item_status_changed', { order: ready, ...itemChange, actor: { id: 9, role: 'waiter' } });
  await card(page, '8').locator(allergy).waitFor();
  await stand.show(state, '#/waiter/tables/8', phone);
  await page
    .getByRole('article', { name: `Order #${order.ticket}` })
    .locator(allergy)
    .waitFor();
});

test('a notice covers no button and disappears by itself', async () => {
  const openTable = newTable('8', 88, { version: 2 });
  const state = onDuty({ tables: [newTable('8')], answers: { openTable } });
  const page = await stand.show(state, '#/waiter/tables/8', smallPhone);
  await press(page, 'Open table');
  const notice = page.getByText('Table 8 is open.');
  await notice.waitFor();
  const [main, bar] = [await page.locator('.waiter-main').boundingBox(), await notice.boundingBox()];
  expect((main?.y ?? 0) + (main?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  await notice.waitFor({ state: 'detached' });
});

test("every waiters' page fits and has no axe violation", async () => {
  const looks = { small: { ...smallPhone, colorScheme: 'light' }, dark: { ...phone, colorScheme: 'dark' } } as const;
  const lines = [
    { dish: 'Risoto de cogumelos', quantity: 2, remarks: 'um sem parmesão', isReady: true },
    { dish: 'Chope claro 300 ml' },
  ];
  const order = newSeen('8', lines, { allergies: 'amendoim, muito', seating: 88 });
  const state = onDuty({ orders: [order], tables: [newTable('8', 88)], answers: { getOrderHistory: [] } });
  const { check, found } = checkScreens(stand.page, { looks, shoot: stand.shoot, name: 'waiter' });
  const page = await stand.show(state, '#/waiter/ready', { ...smallPhone, language: 'pt-BR' });
  await page.locator('.waiter-card').first().waitFor();
  await check('ready');
  await goTo(page, 'waiter/tables');
  await page.locator('.waiter-tables a').first().waitFor();
  await check('tables');
  await goTo(page, 'waiter/tables/8');
  await page.locator('.waiter-order button').first().click();
  await check('move');
  await page.keyboard.press('Escape');
  await page.locator('.waiter-actions .icon-button').click();
  await page.locator('.waiter-seating > .button').last().click();
  await check('close');
  await goTo(page, 'waiter/order');
  await page.locator('.waiter-table-choice').waitFor();
  await check('which-table');
  await goTo(page, 'waiter/order/8');
  await page.locator('.waiter-dish-add').first().click();
  await check('dishes');
  await page.locator('.waiter-dish .icon-button').last().click();
  await page.locator('.waiter-remarks').waitFor();
  await check('remarks');
  await page.keyboard.press('Escape');
  await page.locator('.waiter-dock a').first().click();
  await page.locator('.waiter-ticket-line').waitFor();
  await page.locator('.waiter-main textarea').fill('gluten, leite, ovo');
  await check('review');
  expect(found).toEqual([]);
});
