import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created, type Called } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { optionMenus } from './support/option-menus.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let menus: ReturnType<typeof optionMenus>;
let groups: Json;
let pizza: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-options');
  menus = optionMenus(harness);
  groups = await menus.pizza();
  const fields = { name: 'Pizza', price: '0.00', kitchen_name: 'PZ', option_group_ids: [groups.size.id] };
  pizza = await harness.createDish(fields);
});
afterAll(() => harness.close());

const ana = () => harness.as({ sub: 5, role: 'customer', name: 'Ana' });
const order = (items: object[], body: object = {}, headers: Record<string, string> = {}): Promise<Called> =>
  ana()('POST', '/orders', { body: { items, ...body }, headers });
const idOf = (group: Json, at = 0): number => group.options[at].id;
/** Returns a line with a large pizza with these flavours, and a crust. */
const pizzaOf = (...flavours: object[]) => ({
  item_id: pizza,
  quantity: 1,
  options: [{ id: idOf(groups.size), options: [...flavours, { id: idOf(groups.crust) }] }],
});
const halves = () => [{ id: idOf(groups.flavours, 1) }, { id: idOf(groups.flavours) }];

describe('an order with options', () => {
  test('has their price, and a copy of each in the order of the menu', async () => {
    const placed = created(await order([{ ...pizzaOf(...halves()), quantity: 2 }]));

    const [item] = placed.items;
    const none = { kitchen_name: null, item_id: null, options: [] };
    const flavour = { group: 'Sabores', group_translations: { en: 'Flavours' }, quantity: 1, of: 2 };
    expect(item).toMatchObject({ unit_price: '73.00', quantity: 2, kitchen_name: 'PZ', part_of: null });
    expect(placed.total).toBe('146.00');
    expect(item.options).toEqual([
      {
        ...none,
        id: idOf(groups.size),
        group: 'Tamanho',
        name: 'Grande',
        quantity: 1,
        of: null,
        price: '0.00',
        options: [
          {
            ...none,
            ...flavour,
            id: idOf(groups.flavours),
            name: 'Calabresa',
            price: '58.00',
            kitchen_name: 'CALAB',
            name_translations: { en: 'Smoked sausage' },
          },
          { ...none, ...flavour, id: idOf(groups.flavours, 1), name: 'Portuguesa', price: '64.00' },
          { ...none, id: idOf(groups.crust), group: 'Borda', name: 'Catupiry', quantity: 1, of: null, price: '12.00' },
        ],
      },
    ]);
    expect((await ana()('GET', `/orders/${placed.id}`)).body.items).toEqual(placed.items);
    const [event] = await harness.events.waitFor('order.created', placed.id);
    expect((event as Json).data.order.items).toEqual(placed.items);
  });

  test('keeps what it has when the menu changes, also on its bill and in a repetition', async () => {
    const group = await menus.newGroup([{ name: 'Bacon', price: '5.00' }], { name: 'Extras' });
    const dish = await harness.createDish({ price: '20.00', option_group_ids: [group.id] });
    const items = [{ item_id: dish, quantity: 1, options: [{ id: idOf(group) }] }];
    const headers = { 'idempotency-key': 'order-with-bacon' };
    const placed = created(await order(items, {}, headers));
    const body = { options: [{ id: idOf(group), name: 'Toucinho', price: '9.00' }], name: 'Mais' };
    await harness.manager('PUT', `/option-groups/${group.id}`, { body });

    const bill = (await harness.waiter('GET', `/bills/${placed.bill_id}`)).body;
    expect(bill.lines).toMatchObject([{ unit_price: '25.00', options: [{ group: 'Extras', name: 'Bacon' }] }]);
    expect(created(await order(items, {}, headers))).toEqual(placed);
    expect(created(await order(items)).items[0]).toMatchObject({
      unit_price: '29.00',
      options: [{ name: 'Toucinho' }],
    });
    const other = [{ ...items[0], options: [] }];
    expect(codeOf(await order(other, {}, headers))).toBe('422 idempotency_key_reused');
  });

  test('never costs less than nothing', async () => {
    const group = await menus.newGroup([{ name: 'Half', price: '-8.00' }]);
    const dish = await harness.createDish({ price: '5.00', option_group_ids: [group.id] });

    const placed = created(await order([{ item_id: dish, quantity: 3, options: [{ id: idOf(group) }] }]));
    expect([placed.items[0].unit_price, placed.total]).toEqual(['0.00', '0.00']);
  });

  test('has the newest price even if release 2.0.0, which knows no revisions, has changed it', async () => {
    const group = await menus.newGroup([{ name: 'Bacon', price: '5.00' }]);
    const dish = await harness.createDish({ price: '20.00', option_group_ids: [group.id] });
    const items = [{ item_id: dish, quantity: 1, options: [{ id: idOf(group) }] }];
    created(await order(items));
    const stored = harness.db.collection<{ _id: number }>('option_groups');
    await stored.updateOne({ _id: group.id }, { $set: { 'options.0.price': '6.00', version: 2 } });

    expect(created(await order(items)).items).toMatchObject([{ unit_price: '26.00' }]);
  });

  test('may name only the dish if every required group has defaults', async () => {
    const sides = await menus.newGroup(
      [
        { name: 'Rice', price: '0.00', default: true },
        { name: 'Fries', price: '6.00' },
      ],
      { name: 'Side', min: 1 },
    );
    const name = 'Picanha with a side';
    await harness.createDish({ name, price: '70.00', option_group_ids: [sides.id] });

    const placed = created(await order([{ name, quantity: 1 }]));
    expect(placed.items).toMatchObject([{ unit_price: '70.00', options: [{ group: 'Side', name: 'Rice' }] }]);
    await menus.sellOut(sides);
    expect(codeOf(await order([{ name, quantity: 1 }]))).toBe('422 options_invalid');
  });

  test('has no options if its dish has none', async () => {
    const dish = await harness.createDish();
    const placed = created(await order([{ item_id: dish, quantity: 1 }]));

    expect(placed.items).toMatchObject([{ options: [], kitchen_name: null, part_of: null }]);
  });
});

describe('an order is rejected', () => {
  test('with every defect in its options', async () => {
    const plain = await harness.createDish();
    const { status, body } = await order([
      pizzaOf(),
      { item_id: plain, quantity: 1, options: [{ id: 123_456 }] },
      { item_id: pizza, quantity: 1 },
    ]);

    const defect = { group_id: null, option_id: null, parent_option_id: null };
    expect([status, body.code]).toEqual([422, 'options_invalid']);
    expect(body.items).toEqual([
      { ...defect, index: 0, reason: 'too_few', group_id: groups.flavours.id, parent_option_id: idOf(groups.size) },
      { ...defect, index: 1, reason: 'unknown', option_id: 123_456 },
      { ...defect, index: 2, reason: 'too_few', group_id: groups.size.id },
    ]);
  });

  test('if an option is sold out, with the options of all lines of its dish', async () => {
    const group = await menus.newGroup(
      [
        { name: 'A', price: '0.00' },
        { name: 'B', price: '0.00' },
      ],
      { max: 2 },
    );
    const dish = await harness.createDish({ name: 'Sold out', portions_left: 9, option_group_ids: [group.id] });
    const line = (...ats: number[]) => ({
      item_id: dish,
      quantity: 1,
      options: ats.map((at) => ({ id: idOf(group, at) })),
    });
    await menus.sellOut(group);
    await menus.sellOut(group, 1);

    const { status, body } = await order([line(0), line(1), line(0)]);
    expect([status, body.code]).toEqual([409, 'menu_item_unavailable']);
    const entry = { item_id: dish, name: 'Sold out', portions_left: 9 };
    expect(body.items).toEqual([{ ...entry, option_ids: [idOf(group), idOf(group, 1)] }]);
    await menus.sellOut(group, 0, true);
    created(await order([line(0)]));
    await harness.waiter('PUT', `/menu/${dish}/availability`, { body: { available: false } });
    expect((await order([line(0)])).body.items).toEqual([{ ...entry, portions_left: 0 }]);
  });

  test('for its first fault, in the order that the contract says', async () => {
    const group = await menus.newGroup([{ name: 'A', price: '0.00', max_each: 2 }], { max: 2 });
    const dish = await harness.createDish({ option_group_ids: [group.id] });
    const gone = await harness.createDish({ available: false });
    const line = (count: number) => ({
      item_id: dish,
      quantity: 1,
      options: Array.from({ length: count }, () => ({ id: idOf(group) })),
    });
    const most = Array.from({ length: 4 }, () => line(50));
    const tooMany = [...most.slice(1), line(49), line(2)];
    const unknown = { item_id: 987_654, quantity: 1 };
    const soldOut = { item_id: gone, quantity: 1 };

    expect(codeOf(await order([unknown, ...tooMany, line(2)]))).toBe('422 menu_item_unknown');
    expect(codeOf(await order(tooMany))).toBe('422 unprocessable_content');
    expect(codeOf(await order(most))).toBe('422 options_invalid');
    expect(codeOf(await order([line(2), soldOut]))).toBe('422 options_invalid');
    expect(codeOf(await order([line(1), soldOut]))).toBe('409 menu_item_unavailable');
  });

  test.each<[string, (id: number) => unknown]>([
    ['a fourth level', (id) => [{ id, options: [{ id, options: [{ id, options: [{ id }] }] }] }]],
    ['a quantity of 21', (id) => [{ id, quantity: 21 }]],
    ['51 options in one list', (id) => Array.from({ length: 51 }, () => ({ id }))],
    ['51 options below another one', (id) => [{ id, options: Array.from({ length: 51 }, () => ({ id })) }]],
    ['a quantity of 0', (id) => [{ id, quantity: 0 }]],
    ['half a unit', (id) => [{ id, quantity: 0.5 }]],
    ['a price', (id) => [{ id, price: '0.01' }]],
  ])('as malformed with %s', async (_what, options) => {
    const response = await order([{ item_id: pizza, quantity: 1, options: options(idOf(groups.size)) }]);

    expect(codeOf(response)).toBe('400 validation_failed');
  });
});

test('no order that is sent after the response "sold out" has that option', async () => {
  const group = await menus.newGroup([{ name: 'Last one', price: '1.00' }]);
  const dish = await harness.createDish({ option_group_ids: [group.id] });
  const other = await harness.startInstance();
  const elsewhere = caller(other.url, { token: harness.issuer.token({ sub: 6, role: 'customer', name: 'Bia' }) });
  const body = { items: [{ item_id: dish, quantity: 1, options: [{ id: idOf(group) }] }] };

  for (let round = 0; round < 10; round++) {
    await menus.sellOut(group, 0, true);
    const before = Array.from({ length: 5 }, () => elsewhere('POST', '/orders', { body }));
    await menus.sellOut(group);
    const after = await Promise.all(Array.from({ length: 5 }, () => elsewhere('POST', '/orders', { body })));
    expect(after.map(codeOf)).toEqual(after.map(() => '409 menu_item_unavailable'));
    await Promise.all(before);
  }
});
