import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, created } from '@comanda/testing/call';
import { optionMenus } from './support/option-menus.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let fish: number;
let special: number;
let stew: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-price-by-hand');
  fish = await harness.createDish({ name: 'Fish', price: '79.90', pricing: 'per_kg' });
  special = await harness.createDish({ name: 'Special', price: '50.00', pricing: 'open' });
  stew = await harness.createDish({ name: 'Stew', price: '30.00' });
});
afterAll(() => harness.close());

const order = (items: Json[], call = harness.waiter) =>
  call('POST', '/orders', { body: { items: items.map((item) => ({ quantity: 1, ...item })), table: '7' } });

describe('a dish by the kilogram', () => {
  test('costs its weight', async () => {
    const body = created(
      await order([
        { item_id: fish, measure: '0.432' },
        { name: 'Fish', measure: '1.5' },
      ]),
    );

    const measures = [
      { value: '0.432', unit: 'kg', price: '79.90' },
      { value: '1.500', unit: 'kg', price: '79.90' },
    ];
    expect(body.items).toMatchObject([
      { quantity: 1, unit_price: '34.52', measure: measures[0] },
      { quantity: 1, unit_price: '119.85', measure: measures[1] },
    ]);
    expect(body.total).toBe('154.37');
    expect((await harness.waiter('GET', `/orders/${body.id}`)).body.items).toEqual(body.items);
    const bill = (await harness.waiter('GET', `/bills/${body.bill_id}`)).body;
    expect(bill.lines.map(({ measure, amount }: Json) => [measure, amount])).toEqual([
      [measures[0], '34.52'],
      [measures[1], '119.85'],
    ]);
  });
});

describe('a dish with an open price', () => {
  test('costs the price that staff enter', async () => {
    const body = created(await order([{ item_id: special, quantity: 2, unit_price: '61.5' }, { item_id: stew }]));

    expect(body.items).toMatchObject([
      { unit_price: '61.50', measure: null },
      { unit_price: '30.00', measure: null },
    ]);
    expect(body.total).toBe('153.00');
  });
});

test('options are added to the price of the weight or to the open price', async () => {
  const sides = await optionMenus(harness).newGroup([{ name: 'Rice', price: '5.00' }], { name: 'Sides', max: 1 });
  const fields = { price: '79.90', option_group_ids: [sides.id] };
  const bass = await harness.createDish({ ...fields, pricing: 'per_kg' });
  const platter = await harness.createDish({ ...fields, pricing: 'open' });
  const options = [{ id: sides.options[0].id }];

  const response = await order([
    { item_id: bass, measure: '0.432', options },
    { item_id: platter, unit_price: '61.50', options },
  ]);

  expect(response.body.items).toMatchObject([{ unit_price: '39.52' }, { unit_price: '66.50' }]);
});

describe('prices and weights', () => {
  test.each<[what: string, item: () => object, expected: string]>([
    ['a missing price', () => ({ item_id: special }), '422 /items/1/unit_price'],
    ['a missing weight', () => ({ item_id: fish }), '422 /items/1/measure'],
    ['two fish', () => ({ item_id: fish, measure: '0.5', quantity: 2 }), '422 /items/1/quantity'],
    ['a price for a fixed dish', () => ({ item_id: stew, unit_price: '1.00' }), '422 /items/1/unit_price'],
    ['a weight for a fixed dish', () => ({ item_id: stew, measure: '0.5' }), '422 /items/1/measure'],
    ['a price for a fish', () => ({ item_id: fish, measure: '0.5', unit_price: '1' }), '422 /items/1/unit_price'],
    ['a price of nothing', () => ({ item_id: special, unit_price: '0.00' }), '400 /items/1/unit_price'],
    ['a weight of nothing', () => ({ item_id: fish, measure: '0.000' }), '400 /items/1/measure'],
    ['a weight without decimal places', () => ({ item_id: fish, measure: '1' }), '400 /items/1/measure'],
  ])('are checked: %s', async (_what, item, expected) => {
    const response = await order([{ item_id: stew }, item()]);

    expect(`${response.status} ${response.body.errors[0].pointer}`).toBe(expected);
    expect(response.body.errors).toHaveLength(1);
  });

  test('are checked together with the number of options', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ id: at + 1 }));
    const lines = Array.from({ length: 5 }, () => ({ item_id: stew, options: many }));

    const response = await order([...lines, { item_id: special }, { item_id: fish }]);

    const pointers = response.body.errors.map(({ pointer }: Json) => pointer);
    expect([response.status, pointers]).toEqual([422, ['/items', '/items/5/unit_price', '/items/6/measure']]);
  });

  test('are only for staff', async () => {
    const guest = harness.as({ sub: 5, role: 'customer', table: '7', seating: 88 });
    const plain = harness.as({ sub: 6, role: 'customer' });
    const unavailable = await order([{ item_id: fish }, { item_id: stew }, { item_id: special }], guest);

    expect(codeOf(unavailable)).toBe('409 menu_item_unavailable');
    expect(unavailable.body.items).toEqual([
      { item_id: fish, name: 'Fish', portions_left: 0 },
      { item_id: special, name: 'Special', portions_left: 0 },
    ]);
    expect(codeOf(await order([{ item_id: special, unit_price: '1.00' }], guest))).toBe('403 forbidden');
    expect(codeOf(await order([{ item_id: fish, measure: '0.5' }], plain))).toBe('403 forbidden');
  });
});

describe('how a dish is priced', () => {
  test('is on the menu, in its event and among the recorded changes', async () => {
    const { body: before } = await harness.waiter('GET', `/menu/${stew}`);
    const { body: after } = await harness.manager('PUT', `/menu/${stew}`, { body: { pricing: 'open' } });
    const kept = await harness.manager('PUT', `/menu/${stew}`, { body: { description: 'Hot' } });
    await harness.manager('PUT', `/menu/${stew}`, { body: { pricing: 'fixed' } });
    const [event]: Json[] = (await harness.events.waitFor('menu.item_changed', stew, 2)).slice(1);
    const { body: changes } = await harness.manager('GET', `/menu-changes?item_id=${stew}`);

    expect([before.pricing, after.pricing, kept.body.pricing]).toEqual(['fixed', 'open', 'open']);
    expect(event.data.item.pricing).toBe('open');
    expect(changes[2]).toMatchObject({ before: { pricing: 'fixed' }, after: { pricing: 'open' } });
    expect(codeOf(await harness.manager('PUT', `/menu/${stew}`, { body: { pricing: 'free' } }))).toBe(
      '400 validation_failed',
    );
  });
});

test('a remade fish costs nothing and keeps its weight', async () => {
  const { id, items } = created(await order([{ item_id: fish, measure: '0.432' }]));
  const remake = `/orders/${id}/items/${items[0].id}/remake`;

  const again = created(await harness.waiter('POST', remake, { body: { reason: 'Burnt' } }));

  expect(again.items).toMatchObject([{ unit_price: '0.00', measure: items[0].measure }]);
});
