/// <reference lib="dom" />
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { brokenWordsOf, checkScreens, inBothLanguages, textsOutsideOf } from '@comanda/testing/page-checks';
import { dishNamed, minutesAgo, newDish, newItemOption, newOrder, nextOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand, type StandLook } from '@comanda/testing/stand/stand';
import { never, unreachable, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { isLaidOut, more, ticketOf } from '../support/board-page.ts';
import { longName } from '../support/looks.ts';
import { press, says, tablet } from '../support/page.ts';
import { manager, onShift } from './states.ts';

// What the kitchen reads of a dish: its options, its weight, and why it is cooked again.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

type Order = ReturnType<typeof newOrder>;
const showBoard = (orders: readonly Order[], look: StandLook = tablet, answers: State['answers'] = {}): Promise<Page> =>
  stand.show(onShift({ orders, answers }), '#/board', look);

const flavour = (name: string, kitchenName: string | null = null) =>
  newItemOption(name, { group: 'Sabores', of: 2, kitchen_name: kitchenName });
const pizza = newDish({ id: 91, name: 'Pizza', station: 'kitchen' });
const grande = newItemOption('Grande, 35 cm', {
  group: 'Tamanho',
  kitchen_name: 'G',
  options: [flavour('Calabresa', 'CALAB'), flavour('Portuguesa', 'PORT')],
});
const extras = ['Bacon', 'Azeitona preta sem caroço'].map((name, at) =>
  newItemOption(name, { group: 'Extras', quantity: 2 - at }),
);
const pizzaOrder = newOrder({
  id: 40,
  table: '4',
  items: [
    { dish: pizza, options: [grande, newItemOption('Borda de catupiry', { group: 'Borda' })] },
    {
      dish: dishNamed('Picanha na brasa'),
      quantity: 2,
      remarks: 'sem sal',
      options: [newItemOption('mal passada', { group: 'Ponto' }), ...extras],
    },
  ],
});
const burger = newDish({ id: 92, name: 'Combo X-Burger da casa com batata', station: 'kitchen' });
const coke = newDish({ id: 93, name: 'Coca-Cola 350 ml', station: 'bar' });
const comboOrder = newOrder({
  id: 41,
  table: '8',
  items: [
    {
      dish: burger,
      kitchen_name: 'X-BURGER',
      options: [
        newItemOption('ao ponto', { group: 'Ponto' }),
        newItemOption('Coca-Cola 350 ml', { group: 'Bebida', item_id: 93 }),
      ],
    },
    { dish: coke, part_of: 410, unit_price: '0.00' },
  ],
});
const fishOrder = newOrder({
  id: 42,
  table: '9',
  items: [
    { dish: newDish({ name: 'Pargo no sal grosso' }), measure: { value: '0.432', unit: 'kg', price: '79.90' } },
    'Feijoada',
  ],
});
const remade = newOrder({
  id: 43,
  table: '2',
  bill_id: null,
  items: [{ dish: dishNamed('Picanha na brasa'), remake: { of: 1, reason: 'Queimou' } }],
});

/** Returns the texts of a ticket's options, line by line. */
const linesOf = (page: Page, order: Order): Promise<string[]> =>
  ticketOf(page, order).locator('.ticket-options > li').allInnerTexts();

describe('a ticket', () => {
  test('shows the options below the dish, in kitchen names, nested ones indented', async () => {
    const page = await showBoard([pizzaOrder]);
    const ticket = ticketOf(page, pizzaOrder);
    await ticket.getByText('CALAB').waitFor();
    const lines = ticket.locator('.ticket-options').first().locator('li');
    expect(await lines.allInnerTexts()).toEqual(['G', '1/2 CALAB', '1/2 PORT', 'Borda de catupiry']);
    const indents = await lines.evaluateAll((all) => all.map((line) => parseFloat(getComputedStyle(line).paddingLeft)));
    expect(indents).toEqual([0, 20, 20, 0]);
    await ticket
      .getByRole('button', { name: '1 Pizza, waiting', description: 'G; 1/2 CALAB; 1/2 PORT; Borda de catupiry' })
      .waitFor();
    // Legible from three metres.
    const fontSize = await lines.first().evaluate((line) => parseFloat(getComputedStyle(line).fontSize));
    expect(fontSize).toBeGreaterThanOrEqual(20);
  });

  test("names a combo's drink in grey with the bar, and the bar cooks it as a dish", async () => {
    const state = onShift({ orders: [comboOrder] });
    const at = (station: string): State => ({ ...state, device: { 'comanda.kitchen.station': station } });
    const page = await stand.show(at('kitchen'), '#/board', tablet);
    await ticketOf(page, comboOrder).getByRole('button', { name: '1 X-BURGER, waiting' }).waitFor();
    expect(await linesOf(page, comboOrder)).toEqual(['ao ponto', 'Coca-Cola 350 ml Bar']);
    await stand.show(at('bar'), '#/board', tablet);
    await ticketOf(page, comboOrder).getByRole('button', { name: '1 Coca-Cola 350 ml, waiting' }).waitFor();
    await stand.show(state, '#/board', tablet);
    await ticketOf(page, comboOrder).locator('.ticket-item-part').waitFor();
    expect(await linesOf(page, comboOrder)).toEqual(['ao ponto']);
  });

  test.each([
    ['en', '0.432 kg'],
    ['pt-BR', '0,432 kg'],
  ] as const)('shows the weight of a dish (%s)', async (language, weight) => {
    const page = await showBoard([fishOrder], { ...tablet, language });
    await page.locator('.ticket-options').getByText(weight).waitFor();
  });

  test('with a remake stands first and says why', async () => {
    const late = { ...pizzaOrder, created_at: minutesAgo(50) };
    const page = await showBoard([late, remade]);
    const ticket = page.getByRole('article', { name: `REMAKE, table 2, ticket ${remade.ticket}`, exact: true });
    await ticket.getByText('REMAKE Queimou').waitFor();
    const names = await page.locator('.ticket').evaluateAll((all) => all.map((each) => each.ariaLabel));
    expect(names).toEqual([`REMAKE, table 2, ticket ${remade.ticket}`, `Table 4, ticket ${late.ticket}`]);
  });

  test('says how many portions of a dish were removed, right after the dish', async () => {
    const chope = newOrder({
      id: 44,
      table: '5',
      items: [{ dish: newDish({ name: 'Chope', station: 'bar' }), quantity: 3 }, 'Caipirinha'],
    });
    const page = await showBoard([chope]);
    await ticketOf(page, chope)
      .getByRole('button', { name: /^3 Chope/ })
      .waitFor();
    const [first, second] = chope.items;
    if (!first || !second) throw new Error('The order has no items.');
    const off = { ...first, id: 449, quantity: 2, status: 'cancelled', split_from: first.id } as const;
    const changed = { ...chope, version: 2, items: [{ ...first, quantity: 1 }, second, off] };
    const actor = { id: manager.userId, role: 'manager' } as const;
    await stand.emit('order.item_status_changed', {
      order: changed,
      item_id: off.id,
      from: 'received',
      to: 'cancelled',
      actor,
    });
    const ticket = ticketOf(page, chope);
    await ticket.getByRole('button', { name: 'CHANGED 2 dishes removed' }).waitFor();
    const names = await ticket.locator('.ticket-item > button').evaluateAll((all) => all.map((each) => each.ariaLabel));
    expect(names).toEqual(['1 Chope, waiting', '2 Chope, cancelled', '1 Caipirinha, waiting']);
  });

  test('of moved dishes says from which table, and is not new', async () => {
    const before = newOrder({ id: 45, table: '6', items: ['Feijoada', 'Pudim de leite'] });
    const page = await showBoard([before]);
    await ticketOf(page, before).waitFor();
    const [stays, moves] = before.items;
    if (!stays || !moves) throw new Error('The order has no items.');
    const actor = { id: manager.userId, role: 'manager' } as const;
    const rest = { ...before, version: 2, items: [stays] };
    const moved = { ...before, id: 46, version: 2, table: '16', items: [moves], split_from: before.id };
    const from = { from: '6', from_seating: null, actor };
    await stand.emit('order.table_changed', { order: moved, to: '16', ...from });
    await stand.emit('order.table_changed', { order: rest, to: '6', ...from });
    await ticketOf(page, moved).getByRole('button', { name: 'CHANGED Moved from table 6' }).waitFor();
    expect(await ticketOf(page, moved).getByText('NEW', { exact: true }).count()).toBe(0);
    await ticketOf(page, before).getByRole('button', { name: /Pudim/ }).waitFor({ state: 'detached' });
  });
});

test('a part of a dish is removed on the back of the ticket', async () => {
  const order = newOrder({ items: [{ dish: newDish({ name: 'Chope', station: 'bar' }), quantity: 3 }] });
  const page = await showBoard([order], tablet, { updateOrderItem: never });
  const ticket = ticketOf(page, order);
  await more(page, order);
  await press(ticket, 'Remove Chope');
  await says(ticket, 'Remove 3 Chope?');
  await press(ticket, 'One less');
  await says(ticket, 'Remove 2 of 3 Chope?');
  await stand.shoot(page, 'board-remove-part');
  await press(ticket, 'Yes, remove');
  await until(async () => (await stand.calls('updateOrderItem')).length === 1, { what: 'the call' });
  expect((await stand.calls('updateOrderItem'))[0]?.input).toMatchObject({ status: 'cancelled', quantity_left: 1 });
});

test('a burnt dish is cooked again from the back of the ticket, once', async () => {
  const placed = newOrder({
    items: [{ dish: newDish({ name: 'Moqueca' }), quantity: 2, status: 'preparing' }, 'Feijoada'],
  });
  const page = await showBoard([placed], tablet, { remakeItem: { turns: [unreachable, { ...remade, version: 1 }] } });
  const ticket = ticketOf(page, placed);
  for (let taps = 0; taps < 2; taps++) {
    await more(page, placed);
    expect(await ticket.getByRole('button', { name: 'Remake Feijoada' }).count()).toBe(0);
    await press(ticket, 'Remake Moqueca');
    await press(ticket, 'One less');
    await says(ticket, 'Cook 1 Moqueca again, free of charge?');
    await press(ticket, 'Burnt');
    if (taps === 0) await stand.shoot(page, 'board-remake');
    await press(ticket, 'Yes, remake');
    if (taps === 0) await says(page.getByRole('alert'), /The dish isn’t cooked again\./);
    await press(ticket, 'Back');
  }
  await page.getByRole('article', { name: /^REMAKE, table 2/ }).waitFor();
  const calls = await stand.calls('remakeItem');
  const input = { id: placed.id, item_id: placed.items[0]?.id, quantity: 1, reason: 'Burnt' };
  expect(calls.map((call) => call.input)).toEqual([input, input]);
  // A lost response is no reason to cook it twice.
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
});

test('All-day counts the options of each dish', async () => {
  const page = await showBoard([pizzaOrder, nextOrder({ ...pizzaOrder, id: 50, table: '7' }, ['preparing'])], {
    viewport: { width: 1_920, height: 1_080 },
  });
  await press(page, 'All-day');
  const rows = page.getByRole('complementary', { name: 'All-day' }).getByRole('row');
  await rows.filter({ hasText: '1/2 CALAB' }).getByRole('cell', { name: '1' }).first().waitFor();
  await rows.filter({ hasText: 'Bacon' }).getByRole('cell', { name: '8' }).waitFor();
  await stand.shoot(page, 'board-all-day-options');
});

test('a printed ticket has the options below the dish', async () => {
  const page = await showBoard([pizzaOrder, comboOrder, fishOrder, remade]);
  await page.evaluate(() => {
    globalThis.print = () => {};
  });
  await more(page, pizzaOrder);
  await press(ticketOf(page, pizzaOrder), `Print ticket ${pizzaOrder.ticket}`);
  await page.emulateMedia({ media: 'print' });
  await page.locator('.printed-option').first().waitFor();
  expect(await page.locator('.printed-option').allInnerTexts()).toEqual([
    'G',
    '1/2 CALAB',
    '1/2 PORT',
    'Borda de catupiry',
    'mal passada',
    '2× Bacon each',
    'Azeitona preta sem caroço',
  ]);
  await stand.shoot(page, 'board-printed-options');
});

const longOption = (name: string) => newItemOption(`${name} ${longName}`.slice(0, 60), { group: name, quantity: 20 });
const longest = newOrder({
  id: 60,
  table: 'Varanda-Norte-12',
  items: [
    {
      dish: newDish({ name: `Caldeirada ${longName}`.slice(0, 80) }),
      quantity: 99,
      options: [{ ...longOption('Tamanho'), options: [{ ...longOption('Sabor'), options: [longOption('Molho')] }] }],
      remarks: 'sem pimenta '.repeat(3),
    },
  ],
});

test('options fit every screen, at their longest too', async () => {
  const looks = {
    small: { viewport: { width: 320, height: 640 } },
    phone: { viewport: { width: 360, height: 640 } },
    upright: { viewport: { width: 768, height: 1_024 } },
    tablet: { viewport: { width: 1_024, height: 768 } },
    wall: { viewport: { width: 1_920, height: 1_080 } },
  };
  const page = await showBoard([pizzaOrder, comboOrder, fishOrder, remade, longest], looks.small);
  await page.locator('.ticket').nth(3).waitFor();
  const measure = async (): Promise<string[]> => {
    if ((page.viewportSize()?.width ?? 0) > 640) await isLaidOut(page);
    return [...(await brokenWordsOf(page)), ...(await textsOutsideOf(page))];
  };
  const { check, found } = checkScreens(page, {
    looks: inBothLanguages(looks),
    shoot: stand.shoot,
    name: 'board-options',
    measure,
  });
  await check('longest');
  expect(found).toEqual([]);
});
