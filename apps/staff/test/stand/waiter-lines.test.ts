import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkScreens } from '@comanda/testing/page-checks';
import { dishNamed, minutesAgo, newBill, newDish, newOrder, nextOrder } from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { fails, never, unreachable, type State } from '@comanda/testing/stand/state';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { dishLooks, longName, longWord } from '../support/looks.ts';
import { phone, press, says, tapTwice } from '../support/page.ts';
import { openDish } from '../support/waiter-page.ts';
import { manager, newCall, newTable, onDuty } from './states.ts';

// What waiters do with single dishes of a table's orders, and the number of guests.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

type Order = ReturnType<typeof newOrder>;
const drinks = dishNamed('Caipirinha');
const feijoada = dishNamed('Feijoada');
const tables = [newTable('12', 88), newTable('14', 89), newTable('7')];
/** Waiters read the dish's name, not the kitchen's. */
const kitchen = { kitchen_name: 'CAIPI' };
const threeDrinks = newOrder({ seating: 88, items: [{ dish: drinks, quantity: 3, ...kitchen }, 'Feijoada'] });
/** Returns the order after so many units of its first item were removed: they become a cancelled item. */
const without = (order: Order, count: number): Order => {
  const [first, ...others] = order.items;
  if (!first) throw new Error('the order is empty');
  const off = { ...first, id: first.id + 5, quantity: count, status: 'cancelled', split_from: first.id } as const;
  const items = [{ ...first, quantity: first.quantity - count }, ...others, off];
  return { ...order, version: order.version + 1, items };
};
type More = Omit<State, 'answers'> & { answers?: State['answers']; bill?: object; look?: object };
const showTable = ({ answers = {}, bill, look = phone, ...more }: More, order: Order = threeDrinks): Promise<Page> =>
  stand.show(
    onDuty({ orders: [order], bills: [newBill([order], { seating: 88, ...bill })], tables, answers, ...more }),
    '#/waiter/tables/12',
    look,
  );
const sheet = (page: Page) => page.getByRole('dialog');
const inputsOf = async (name: Parameters<Stand['calls']>[0]) => (await stand.calls(name)).map(({ input }) => input);

describe('a dish of which several were ordered', () => {
  test('loses one unit, and the order keeps the others', async () => {
    const page = await showTable({ answers: { updateOrderItem: without(threeDrinks, 1) } });
    await openDish(page, 'Caipirinha');
    await says(sheet(page), '1 of 3');
    await says(sheet(page), /^The kitchen hasn’t started\./);
    await press(page, 'Take off Caipirinha');
    await says(page, /^Caipirinha removed from order #\d+\./);
    expect(await inputsOf('updateOrderItem')).toMatchObject([
      { item_id: threeDrinks.items[0]?.id, status: 'cancelled', quantity_left: 2 },
    ]);
    await page.getByRole('button', { name: /^Change: 2 Caipirinha/ }).waitFor();
  });

  test('loses no second unit if the response to the first request is lost', async () => {
    const page = await showTable({ answers: { updateOrderItem: { turns: [unreachable, without(threeDrinks, 1)] } } });
    await openDish(page, 'Caipirinha');
    await press(page, 'Take off Caipirinha');
    await sheet(page).getByRole('alert').waitFor();
    const order = without(threeDrinks, 1);
    const actor = { id: 2, role: 'waiter' } as const;
    await stand.emit('order.status_changed', { order, from: 'received', to: 'received', actor });
    await says(sheet(page), '1 of 2');
    await press(page, 'Take off Caipirinha');
    await says(page, /^Caipirinha removed from order #\d+\./);
    expect((await inputsOf('updateOrderItem')).map(({ quantity_left: left }) => left)).toEqual([2, 2]);
  });

  test('is removed as a whole, with a reason once it is cooking', async () => {
    const cooking = nextOrder(threeDrinks, ['preparing', 'received']);
    const page = await showTable({ answers: { updateOrderItem: nextOrder(cooking, ['cancelled']) } }, cooking);
    await openDish(page, 'Caipirinha');
    await press(page, 'All 3');
    const yes = page.getByRole('button', { name: 'Take off 3 Caipirinha' });
    expect(await yes.isDisabled()).toBe(true);
    await press(page, 'Wrong order');
    await yes.click();
    await says(page, /^3\sCaipirinha removed from order/);
    const [input] = await inputsOf('updateOrderItem');
    expect(input).toMatchObject({ status: 'cancelled', reason: 'Wrong order' });
    expect(input).not.toHaveProperty('quantity_left');
  });

  test('is not removed by a double tap on its line', async () => {
    const page = await showTable({ answers: { updateOrderItem: never } });
    const line = page.getByRole('button', { name: /^Change: 3 Caipirinha/ });
    await line.waitFor();
    // The second tap comes as soon as the sheet is there, and hits its button.
    await line.evaluate(async (element: HTMLElement) => {
      element.click();
      const frame = () => new Promise(requestAnimationFrame);
      while (!document.querySelector('dialog[open] .waiter-sheet-foot .button')) await frame();
      const { x, y } = document.querySelector('.waiter-sheet-foot .button')?.getBoundingClientRect() ?? { x: 0, y: 0 };
      document
        .elementFromPoint(x + 20, y + 20)
        ?.closest('button')
        ?.click();
    });
    await sheet(page).waitFor();
    await page.waitForTimeout(600);
    expect(await inputsOf('updateOrderItem')).toEqual([]);
    await sheet(page).waitFor();
  });

  test('moves one unit to another bill, once even if the response is lost', async () => {
    const moved = { ...threeDrinks, id: 77, table: '14', seating: 89, split_from: threeDrinks.id, version: 2 };
    const page = await showTable({
      answers: { moveItems: { turns: [unreachable, moved] }, getOrder: without(threeDrinks, 1) },
    });
    await openDish(page, 'Caipirinha');
    await press(page, 'Move');
    await press(sheet(page), 'Table 14, seated');
    await sheet(page).getByRole('alert').waitFor();
    await press(sheet(page), 'Table 14, seated');
    await says(page, 'Caipirinha moved to table 14, with the bill.');
    const made = await stand.calls('moveItems');
    const items = [{ id: threeDrinks.items[0]?.id, quantity: 1 }];
    expect(made.map(({ input }) => input)).toEqual(
      made.map(() => ({ id: threeDrinks.id, items, table: '14', seating: 89 })),
    );
    expect(new Set(made.map(({ key }) => key)).size).toBe(1);
    expect(made[0]?.key).toBeTruthy();
    await until(async () => (await inputsOf('getOrder')).length > 0, { what: 'the rest of the order, loaded' });
  });
});

test('some dishes of an order move to a free table, which is opened first', async () => {
  const moved = { ...threeDrinks, id: 77, table: '7', seating: 91, split_from: threeDrinks.id, version: 2 };
  const page = await showTable({
    answers: { openTable: newTable('7', 91, { version: 2 }), moveItems: moved, getOrder: threeDrinks },
  });
  await press(page, `Move order #${threeDrinks.ticket}`);
  await press(sheet(page), '3 Caipirinha');
  await press(sheet(page), 'Table 7');
  await says(page, 'Feijoada moved to table 7, with the bill.');
  expect(await inputsOf('moveItems')).toEqual([
    { id: threeDrinks.id, items: [{ id: threeDrinks.items[1]?.id, quantity: 1 }], table: '7', seating: 91 },
  ]);
});

describe('a served dish', () => {
  const served = newOrder({
    seating: 88,
    items: [{ dish: feijoada, quantity: 2, status: 'delivered', first_delivered_at: minutesAgo(1) }],
  });

  test('is made again free of charge, for a reason', async () => {
    const remade = newOrder({ id: 1050, seating: 88, bill_id: null, items: ['Feijoada'] });
    const page = await showTable({ answers: { remakeItem: remade } }, served);
    await openDish(page, 'Feijoada');
    await press(page, 'Burnt');
    await press(page, 'Remake Feijoada');
    await says(page, `The kitchen makes Feijoada again, order #${remade.ticket}.`);
    expect(await inputsOf('remakeItem')).toEqual([
      { id: served.id, item_id: served.items[0]?.id, quantity: 1, reason: 'Burnt' },
    ]);
  });

  test('is removed only by a manager', async () => {
    const page = await showTable({}, served);
    await openDish(page, 'Feijoada');
    await press(page, 'Take off');
    await says(page, 'It was served, so only a manager can take it off.');
    const page2 = await showTable({ who: manager, answers: { updateOrderItem: never } }, served);
    await openDish(page2, 'Feijoada');
    await page2.getByRole('button', { name: 'Take off Feijoada' }).waitFor();
  });

  test('that is paid for says by whom', async () => {
    const [item] = served.items;
    const part = { lines: [{ line_id: item?.id, quantity: 2 }] };
    const payments = [
      { status: 'paid', method: 'account', part, payer: { id: 9, name: 'Rui' }, settled_at: minutesAgo(5) },
    ];
    const lines = newBill([served]).lines.map((line) => ({ ...line, settled: { count: 2, of: 2 } }));
    const page = await showTable({ bill: { payments, lines } }, served);
    await openDish(page, 'Feijoada');
    await press(page, 'Move');
    await says(sheet(page), /^Paid by Rui at \d\d:\d\d\. Refund that first\.$/);
    expect(
      await sheet(page)
        .getByRole('button', { name: /^Table/ })
        .count(),
    ).toBe(0);
  });
});

test('a refusal says why, and the sheet stays open', async () => {
  const problem = { members: { line_id: threeDrinks.items[0]?.id, payment_ids: [7] } };
  const page = await showTable({ answers: { updateOrderItem: fails('bill_item_settled', problem) } });
  await openDish(page, 'Caipirinha');
  await press(page, 'Take off Caipirinha');
  await says(sheet(page), 'This dish is already paid.');
  await says(sheet(page), 'Nothing was changed. Refund the payment first.');
});

describe('the number of guests', () => {
  const stepper = (page: Page) => page.getByRole('group', { name: /, Guests$/ });
  const more = (page: Page): Promise<void> => stepper(page).getByRole('button').last().click();

  test('is entered with a tap for each guest, and shown on the floor', async () => {
    const bill = newBill([threeDrinks], { seating: 88 });
    const answers = { setCovers: { turns: [never, { ...bill, covers: 3, version: 3 }] } };
    const page = await showTable({ answers });
    await says(stepper(page), '–');
    for (let guests = 0; guests < 3; guests++) await more(page);
    await says(stepper(page), '3');
    await stand.answer({
      setCovers: {
        turns: [
          { ...bill, covers: 1, version: 2 },
          { ...bill, covers: 3, version: 3 },
        ],
      },
    });
    await until(async () => (await inputsOf('setCovers')).length === 2, { what: 'the last number, sent' });
    expect((await inputsOf('setCovers')).map(({ covers }) => covers)).toEqual([1, 3]);
    await page.getByRole('link', { name: 'All tables' }).click();
    await page.getByRole('link', { name: /^Table 12, .*, 3 guests,/ }).waitFor();
  });

  test('that could not be stored stays, and is sent again', async () => {
    const bill = newBill([threeDrinks], { seating: 88, covers: 1, version: 2 });
    const page = await showTable({ answers: { setCovers: { turns: [unreachable, bill] } } });
    await more(page);
    await page.getByRole('alert').waitFor();
    await says(stepper(page), '1');
    await press(page, 'Try again');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await says(stepper(page), '1');
  });
});

test('a double tap on “I’ll go” does not complete the call', async () => {
  const call = newCall();
  const taken = { ...call, status: 'taken', taken_by: { id: 2, role: 'waiter' }, version: 2 } as const;
  const page = await stand.show(
    onDuty({ tables, answers: { listCalls: [call], updateCall: taken } }),
    '#/waiter/ready',
    phone,
  );
  const go = page.getByRole('button', { name: 'I’ll go' });
  await go.waitFor();
  await tapTwice(go);
  const done = page.getByRole('button', { name: 'Done' });
  await done.waitFor();
  const statuses = async () => (await inputsOf('updateCall')).map(({ status }) => status);
  expect(await statuses()).not.toContain('done');
  await done.click();
  await until(async () => (await statuses()).includes('done'), { what: 'a later tap, counted' });
});

test('the sheets of a dish fit and have no axe violation', async () => {
  const remarks = 'sem cebola, sem coentro; molho à parte, '.repeat(4).trim();
  const long = newDish({ name: longWord, price: '99999.99' });
  const order = newOrder({
    table: 'Varanda-Norte-12',
    seating: 88,
    items: [
      { dish: long, quantity: 99, remarks, status: 'preparing' },
      { dish: feijoada, quantity: 2 },
      { dish: drinks, status: 'delivered', first_delivered_at: minutesAgo(1), remake: { of: 1, reason: remarks } },
    ],
  });
  const lines = newBill([order]).lines.map((line) => ({ ...line, settled: { count: 1, of: line.quantity } }));
  const payments = [
    {
      status: 'paid',
      method: 'account',
      part: { lines: [{ line_id: order.items[1]?.id, quantity: 1 }] },
      payer: { id: 9, name: longName },
      settled_at: minutesAgo(5),
    },
  ];
  const bill = newBill([order], { table: order.table, seating: 88, covers: 200, lines, payments: payments as never });
  const state = onDuty({
    orders: [order],
    bills: [bill],
    tables: [newTable('Varanda-Norte-12', 88), newTable('Varanda-do-norte', 89), ...tables],
    answers: { updateOrderItem: fails('bill_item_settled') },
  });
  const page = await stand.show(state, `#/waiter/tables/${order.table}`, phone);
  const { check, found } = checkScreens(page, { looks: dishLooks, shoot: stand.shoot, name: 'lines' });
  const rows = page.locator('button.waiter-item');
  await rows.first().waitFor();
  await check('table');
  const act = (index: number): Promise<void> => page.locator('.waiter-line-acts .chip').nth(index).click();
  await rows.first().click();
  await check('off');
  await page.locator('.reason-choice .chip').first().click();
  await page.locator('.waiter-sheet-foot .button').click();
  await page.locator('.error-panel').waitFor();
  await check('refused');
  await act(1);
  await check('move');
  await act(2);
  await check('remake');
  await page.keyboard.press('Escape');
  await rows.nth(1).click();
  await check('paid');
  await page.keyboard.press('Escape');
  await page.locator('.waiter-order header .button').click();
  await page.locator('.waiter-table-choice').waitFor();
  await check('move-some');
  expect(found).toEqual([]);
});
