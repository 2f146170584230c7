import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { optionMenus } from './support/option-menus.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let burger: number;
let drinks: Json;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-move-combos');
  const drink = await harness.createDish({ price: '9.00', station: 'bar' });
  drinks = await optionMenus(harness).newGroup([{ name: 'Lemonade', price: '4.00', item_id: drink, max_each: 3 }], {
    name: 'Drink',
    min: 1,
    max: 3,
  });
  burger = await harness.createDish({ price: '40.00', option_group_ids: [drinks.id] });
});
afterAll(() => harness.close());

/** Places an order for combos of a burger and three lemonades. */
async function placed(quantity: number, at: { table: string; seating?: number } = { table: '7' }) {
  const options = [{ id: drinks.options[0].id, quantity: 3 }];
  const body = { items: [{ item_id: burger, quantity, options }], ...at };
  const order = created(await harness.waiter('POST', '/orders', { body }));
  return { order, items: order.items.map(({ id }: Json) => id) as number[] };
}
const move = (order: Json, ids: number[]) =>
  harness.waiter('POST', `/orders/${order.id}/move-items`, { body: { items: ids.map((id) => ({ id })), table: '9' } });
const cancel = (order: Json, id: number, fields: object = {}) =>
  harness.waiter('PUT', `/orders/${order.id}/items/${id}`, { body: { status: 'cancelled', ...fields } });
const idsOf = ({ items }: Json): number[] => items.map(({ id }: Json) => id);

/** Places an order for one combo, serves the lemonades and cancels the burger. */
async function outlived(at?: { table: string; seating: number }) {
  const { order, items } = await placed(1, at);
  for (const status of ['preparing', 'ready', 'delivered'])
    await harness.waiter('PUT', `/orders/${order.id}/items/${items[1]}`, { body: { status } });
  await cancel(order, items[0] ?? 0);
  return order;
}
const moveWhole = (order: Json, seating: number) =>
  harness.waiter('PUT', `/orders/${order.id}/table`, { body: { table: '9', seating } });

describe('the components of a combo', () => {
  test('move with their combo, and not alone', async () => {
    const { order, items } = await placed(2);
    const alone = await move(order, [items[1] ?? 0]);

    const { body: moved } = await move(order, [items[0] ?? 0]);

    expect([codeOf(alone), alone.body.errors[0].pointer]).toEqual(['422 unprocessable_content', '/items/0/id']);
    expect(idsOf(moved)).toEqual(items.slice(0, 2));
    expect(moved.items[1].part_of).toBe(items[0]);
    expect(idsOf((await harness.waiter('GET', `/orders/${order.id}`)).body)).toEqual(items.slice(2));
    expect((await harness.waiter('GET', `/bills/${moved.bill_id}`)).body.items_total).toBe('52.00');
  });

  test('of a cancelled combo do not keep the rest of the order from moving as a whole', async () => {
    const { order, items } = await placed(2);
    for (const status of ['preparing', 'ready', 'delivered'])
      await harness.waiter('PUT', `/orders/${order.id}/items/${items[1]}`, { body: { status } });
    await cancel(order, items[0] ?? 0);

    const { status, body } = await move(order, [items[2] ?? 0]);

    expect([status, body.id, body.table, idsOf(body)]).toEqual([200, order.id, '9', items]);
    expect(body.items.map((item: Json) => item.status)).toEqual(['cancelled', 'delivered', 'received', 'received']);
  });

  test('that outlive their combo are no lines, so their bill ends when all dishes have moved', async () => {
    const order = await outlived({ table: '7', seating: 7_301 });
    const { order: other } = await placed(1, { table: '7', seating: 7_301 });

    const { body: moved } = await moveWhole(other, 7_302);

    const bill = (await harness.waiter('GET', `/bills/${order.bill_id}`)).body;
    expect(bill).toMatchObject({ status: 'merged', merged_into: moved.bill_id, lines: [] });
  });

  test('that outlive their combo do not keep the day from being closed', async () => {
    const { order: other } = await placed(1);
    const order = await outlived();

    const open = new Set((await harness.manager('GET', '/day')).body.open_bills.map(({ id }: Json) => id));
    expect([open.has(other.bill_id), open.has(order.bill_id)]).toEqual([true, false]);
  });

  test('that outlive their combo and move are no exception', async () => {
    const order = await outlived({ table: '7', seating: 7_303 });

    await moveWhole(order, 7_304);

    const exceptions = (await harness.manager('GET', '/exceptions')).body;
    const ofBill = exceptions.filter((each: Json) => each.bill_id === order.bill_id);
    expect(ofBill.map(({ kind }: Json) => kind)).toEqual(['item_cancelled']);
  });

  test('can be cancelled in part without the bill', async () => {
    const { order, items } = await placed(1);
    const before = (await harness.waiter('GET', `/bills/${order.bill_id}`)).body;

    const { body } = await cancel(order, items[1] ?? 0, { quantity_left: 1 });

    expect(body.items).toMatchObject([
      { id: items[0], status: 'received' },
      { id: items[1], quantity: 1, status: 'received', part_of: items[0] },
      { id: (items[1] ?? 0) + 1, quantity: 2, status: 'cancelled', part_of: items[0], split_from: items[1] },
    ]);
    expect((await harness.waiter('GET', `/bills/${order.bill_id}`)).body).toEqual(before);
  });

  test('can be remade alone, and so can the plate', async () => {
    const { order, items } = await placed(1);
    const remake = async (id?: number): Promise<Json> =>
      created(await harness.waiter('POST', `/orders/${order.id}/items/${id}/remake`, { body: { reason: 'Dropped' } }));

    const [plate, lemonade] = [await remake(items[0]), await remake(items[1])];

    const [ordered] = order.items;
    expect(plate.items).toMatchObject([{ unit_price: '0.00', options: ordered.options, part_of: null }]);
    expect(lemonade.items).toMatchObject([{ quantity: 3, station: 'bar', part_of: null, remake: { of: items[1] } }]);
  });
});

test('a component always has a fixed price', async () => {
  const fish = await harness.createDish({ pricing: 'per_kg' });
  const drink = drinks.options[0].item_id as number;
  const setPricing = (pricing: string) => harness.manager('PUT', `/menu/${drink}`, { body: { pricing } });
  const options = [{ name: 'Fish', price: '0.00', item_id: fish }];
  const group = await harness.manager('POST', '/option-groups', { body: { name: 'Main', min: 0, max: 1, options } });

  const responses = [await setPricing('open'), await setPricing('fixed'), group];

  expect(responses.map(codeOf)).toEqual(['422 unprocessable_content', '200', '422 unprocessable_content']);
  const pointers = responses.flatMap(({ body }) => (body.errors ?? []).map(({ pointer }: Json) => pointer));
  expect(pointers).toEqual(['/pricing', '/options/0/item_id']);
});
