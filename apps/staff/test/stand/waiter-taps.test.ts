import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  dishNamed,
  newBill,
  newDish,
  newOption,
  newOptionGroup,
  newOrder,
  nextOrder,
} from '@comanda/testing/stand/data';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { until } from '@comanda/testing/until';
import type { Page } from 'playwright-core';
import { phone, says } from '../support/page.ts';
import { newCall, newTable, onDuty, waiter } from './states.ts';

// How many taps a waiter needs for the most common jobs, from the tab where the job starts.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('staff');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

/** Returns a function that taps the link or button with this name, and counts. */
function counter(page: Page) {
  const counted = { taps: 0 };
  return {
    counted,
    /** Taps an option of a dish. */
    choose: async (option: string): Promise<void> => {
      await page.locator('.option-main').filter({ hasText: option }).click();
      counted.taps++;
    },
    tap: async (role: 'button' | 'link', name: string | RegExp): Promise<void> => {
      await page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).click();
      counted.taps++;
    },
  };
}
const dishes = ['Feijoada', 'Picanha na brasa', 'Pudim de leite'] as const;

test('serving the ready dishes of a table takes 1 tap', async () => {
  const order = newOrder({ items: [{ dish: dishNamed('Feijoada'), status: 'ready' }] });
  const answers = { getOrderHistory: [], updateOrder: nextOrder(order, 'delivered') };
  const page = await stand.show(onDuty({ orders: [order], answers }), '#/waiter/ready', phone);
  const { tap, counted } = counter(page);
  await tap('button', /^Mark 1 served/);
  await until(async () => (await stand.calls('updateOrder')).length === 1, { what: 'the dish to be served' });
  expect(counted.taps).toBe(1);
});

test('ordering three dishes for a new table takes 6 taps, and for one with orders 7', async () => {
  const placed = newOrder({ table: '8', seating: 80, items: [...dishes] });
  const tables = [newTable('8', 80)];
  const state = onDuty({ tables, answers: { placeOrder: placed, getOrderHistory: [] } });
  const page = await stand.show(state, '#/waiter/ready', phone);
  const first = counter(page);
  await first.tap('link', /^Tables$/);
  await first.tap('link', /^Table 8, Nothing ordered yet/);
  for (const dish of dishes) await first.tap('button', `Add ${dish}`);
  await first.tap('button', 'Send to kitchen');
  await says(page, `Order #${placed.ticket} for table 8 is sent.`);
  expect(first.counted.taps).toBe(6);

  const bills = [newBill([placed], { table: '8', seating: 80 })];
  const page2 = await stand.show(
    onDuty({ orders: [placed], bills, tables, answers: { placeOrder: placed } }),
    '#/waiter/tables',
    phone,
  );
  const second = counter(page2);
  await second.tap('link', /^Table 8, 1 open order/);
  await second.tap('link', 'New order');
  for (const dish of dishes) await second.tap('button', `Add ${dish}`);
  await second.tap('button', 'Send to kitchen');
  await until(async () => (await stand.calls('placeOrder')).length === 1, { what: 'the order, sent' });
  expect(second.counted.taps).toBe(6); // The tap on the tab comes on top.
});

test('taking all by card and closing the bill takes 3 taps', async () => {
  const order = newOrder({ items: [{ dish: dishNamed('Feijoada'), status: 'delivered' }], seating: 88 });
  const bill = newBill([order]);
  const payment = { id: 9, bill_id: bill.id, method: 'card', status: 'paid', total: '68.20' } as never;
  const call = newCall({ kind: 'bill', method: 'card' });
  const answers = {
    listCalls: [call],
    updateCall: { ...call, status: 'taken', taken_by: { id: waiter.userId, role: 'waiter' }, version: 2 } as const,
    payBill: payment,
    getBill: { ...bill, paid: '68.20', remaining: '0.00', version: 2 } as const,
    closeBill: { ...bill, status: 'closed', number: 41, paid: '68.20', remaining: '0.00', version: 3 } as const,
    closeTable: null as never,
  };
  const state = onDuty({ orders: [order], bills: [bill], tables: [newTable('12', 88)], answers });
  const close = async (page: Page, { tap }: ReturnType<typeof counter>): Promise<void> => {
    await tap('button', 'Card R$ 68.20, close bill');
    await until(async () => (await stand.calls('closeTable')).length === 1, { what: 'the table, closed' });
    const inputs = (await stand.calls('payBill')).map(({ input }) => input);
    expect(inputs).toMatchObject([{ method: 'card', part: { rest: true }, expected_amount: '68.20' }]);
    expect((await stand.calls('closeBill')).map(({ input }) => input)).toEqual([{ id: bill.id }]);
    await says(page, /^Bill 41 is closed\./);
  };
  const page = await stand.show(state, '#/waiter/tables', phone);
  const fromTables = counter(page);
  await fromTables.tap('link', /^Table 12, wants to pay by card/);
  await fromTables.tap('link', 'Take payment R$ 68.20');
  await close(page, fromTables);
  expect(fromTables.counted.taps).toBe(3);

  const again = await stand.show(state, '#/waiter/ready', phone);
  const fromCall = counter(again);
  await fromCall.tap('button', 'I’ll go');
  await fromCall.tap('link', 'Take payment');
  await close(again, fromCall);
  expect(fromCall.counted.taps).toBe(3);
});

describe('a dish of an order at a table', () => {
  const order = newOrder({ seating: 88, items: [{ dish: dishNamed('Caipirinha'), quantity: 3 }] });
  const tables = [newTable('12', 88), newTable('14', 89)];
  const show = (answers: Parameters<typeof onDuty>[0] = {}) =>
    stand.show(
      onDuty({ orders: [order], bills: [newBill([order], { seating: 88 })], tables, ...answers }),
      '#/waiter/tables',
      phone,
    );

  test('loses one of three units with 3 taps', async () => {
    const [item] = order.items;
    if (!item) throw new Error('the order is empty');
    const items = [
      { ...item, quantity: 2 },
      { ...item, id: 99, quantity: 1, status: 'cancelled' as const },
    ];
    const page = await show({ answers: { updateOrderItem: { ...order, version: 2, items } } });
    const { tap, counted } = counter(page);
    await tap('link', /^Table 12, 1 open order/);
    await tap('button', /^Change: 3 Caipirinha/);
    await tap('button', 'Take off Caipirinha');
    await says(page, /^Caipirinha removed from order/);
    expect(counted.taps).toBe(3);
  });

  test('moves to another bill with 4 taps', async () => {
    const moved = { ...order, id: 77, table: '14', seating: 89, version: 2, split_from: order.id };
    const page = await show({ answers: { moveItems: moved, getOrder: order } });
    const { tap, counted } = counter(page);
    await tap('link', /^Table 12, 1 open order/);
    await tap('button', /^Change: 3 Caipirinha/);
    await tap('button', 'Move');
    await tap('button', 'Table 14, seated');
    await says(page, 'Caipirinha moved to table 14, with the bill.');
    expect(counted.taps).toBe(4);
  });
});

test('ordering a pizza with two flavours for a new table takes 6 taps', async () => {
  const options = [newOption(41, 'Calabresa', { price: '58.00' }), newOption(42, 'Portuguesa', { price: '64.00' })];
  const flavours = newOptionGroup(4, 'Sabores', { max: 2, price_method: 'average', options });
  const pizza = newDish({ id: 91, name: 'Pizza', price: '0.00', option_group_ids: [4] });
  const placeOrder = newOrder({ table: '8', seating: 80, items: [{ dish: pizza }] });
  const answers = { listMenu: [pizza], listOptionGroups: [flavours], placeOrder };
  const page = await stand.show(onDuty({ tables: [newTable('8', 80)], answers }), '#/waiter/tables', phone);
  const { tap, choose, counted } = counter(page);
  await tap('link', /^Table 8, Nothing ordered yet/);
  await tap('button', 'Add Pizza');
  await choose('Calabresa');
  await choose('Portuguesa');
  await tap('button', 'Add, R$ 61.00');
  await tap('button', 'Send to kitchen');
  await says(page, `Order #${placeOrder.ticket} for table 8 is sent.`);
  expect(counted.taps).toBe(6);
});
