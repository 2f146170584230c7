import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created, type Called } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { optionMenus } from './support/option-menus.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let harness: OrdersHarness;
let menus: ReturnType<typeof optionMenus>;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-combos');
  menus = optionMenus(harness);
});
afterAll(() => harness.close());

let lastSeating = 7000;
const bia = (seating?: number) =>
  harness.as({ sub: 6, role: 'customer', name: 'Bia', ...(seating !== undefined && { table: '7', seating }) });
/** Adds a burger whose drink comes from the bar, with or without ice. */
async function newCombo({ portions = null as number | null } = {}) {
  const drink = await harness.createDish({ price: '9.00', station: 'bar', portions_left: portions });
  const ice = await menus.newGroup([{ name: 'No ice', price: '0.00' }], { name: 'Ice' });
  const drinks = await menus.newGroup(
    [{ name: 'Lemonade', price: '4.00', item_id: drink, option_group_ids: [ice.id] }],
    { name: 'Drink', min: 1 },
  );
  const burger = await harness.createDish({ price: '40.00', option_group_ids: [drinks.id] });
  const noIce = [{ id: ice.options[0].id as number }];
  const line = (quantity = 1) => ({
    item_id: burger,
    quantity,
    remarks: 'no salad',
    options: [{ id: drinks.options[0].id as number, options: noIce }],
  });
  return { burger, drink, drinks, line };
}
const place = (items: object[], call = bia()): Promise<Called> => call('POST', '/orders', { body: { items } });
const portionsOf = async (dish: number) => (await harness.waiter('GET', `/menu/${dish}`)).body.portions_left;
const setItem = (order: Json, item: Json, status: string) =>
  harness.waiter('PUT', `/orders/${order.id}/items/${item.id}`, { body: { status } });

describe('a combo', () => {
  test('becomes one plate for each unit, each followed by its components', async () => {
    const { burger, drink, line } = await newCombo({ portions: 10 });

    const order = created(await place([line(2)]));

    const [first, , second] = order.items;
    const plate = { item_id: burger, quantity: 1, unit_price: '44.00', remarks: 'no salad', part_of: null };
    const part = { item_id: drink, quantity: 1, unit_price: '0.00', remarks: '', station: 'bar' };
    expect(order.items).toMatchObject([
      { ...plate, options: [{ name: 'Lemonade', item_id: drink, options: [{ name: 'No ice' }] }] },
      { ...part, part_of: first.id, options: [{ name: 'No ice', options: [] }] },
      plate,
      { ...part, part_of: second.id },
    ]);
    expect(order.total).toBe('88.00');
    expect(await portionsOf(drink)).toBe(8);
    const bill = (await harness.waiter('GET', `/bills/${order.bill_id}`)).body;
    expect(bill.lines.map(({ id }: Json) => id)).toEqual([first.id, second.id]);
    expect(bill.items_total).toBe('88.00');
  });

  test('has its components in the order of its options, depth first, with their quantities, and asks for none of theirs', async () => {
    const add = (name: string, fields: object = {}) => harness.createDish({ name, station: 'bar', ...fields });
    const sauce = await menus.newGroup([{ name: 'Barbecue', price: '0.00' }], { min: 1 });
    const fries = await add('Fries', { option_group_ids: [sauce.id] });
    const [beer, water, ice] = [await add('Beer'), await add('Water'), await add('Ice')];
    const cups = await menus.newGroup([{ name: 'Ice', price: '0.00', item_id: ice }]);
    const drinks = await menus.newGroup(
      [
        { name: 'Beer', price: '0.00', item_id: beer, max_each: 2 },
        { name: 'Water', price: '0.00', item_id: water, option_group_ids: [cups.id] },
      ],
      { max: 3 },
    );
    const size = await menus.newGroup([{ name: 'Large', price: '0.00', option_group_ids: [drinks.id] }]);
    const sides = await menus.newGroup([{ name: 'Fries', price: '0.00', item_id: fries }]);
    const burger = await harness.createDish({ name: 'Burger', option_group_ids: [size.id, sides.id] });
    const id = (group: Json, at = 0): number => group.options[at].id;
    const options = [
      { id: id(sides) },
      {
        id: id(size),
        options: [
          { id: id(drinks, 1), options: [{ id: id(cups) }] },
          { id: id(drinks), quantity: 2 },
        ],
      },
    ];

    const { items } = created(await place([{ item_id: burger, quantity: 2, options }]));

    const plate = ['1 Burger', '2 Beer', '1 Water', '1 Ice', '1 Fries'];
    expect(items.map(({ quantity, name }: Json) => `${quantity} ${name}`)).toEqual([...plate, ...plate]);
    expect(items.map(({ part_of: of }: Json) => of)).toEqual(
      [items[0], items[5]].flatMap(({ id: of }) => [null, of, of, of, of]),
    );
  });

  test('of defaults is not available while one of its components is sold out', async () => {
    const drink = await harness.createDish({ name: 'Lemonade' });
    const drinks = await menus.newGroup([{ name: 'Lemonade', price: '0.00', item_id: drink, default: true }], {
      min: 1,
    });
    const name = 'Combo with a drink';
    await harness.createDish({ name, option_group_ids: [drinks.id] });

    expect(created(await place([{ name, quantity: 1 }])).items).toMatchObject([{ name }, { item_id: drink }]);
    await harness.waiter('PUT', `/menu/${drink}/availability`, { body: { available: false } });
    const { body } = await place([{ name, quantity: 1 }]);
    expect([body.code, body.items]).toEqual([
      'menu_item_unavailable',
      [{ item_id: drink, name: 'Lemonade', portions_left: 0 }],
    ]);
  });

  test('cannot be ordered without enough portions of its component, or once that has left the menu', async () => {
    const { drink, line } = await newCombo({ portions: 1 });

    expect((await place([line(2)])).body).toMatchObject({
      code: 'menu_item_unavailable',
      items: [{ item_id: drink, portions_left: 1 }],
    });
    const { name } = (await harness.waiter('GET', `/menu/${drink}`)).body;
    await harness.manager('DELETE', `/menu/${drink}`);
    expect((await place([line()])).body.items).toEqual([{ item_id: drink, name, portions_left: 0 }]);
  });

  test('is cancelled with its components that are not delivered, in one version with one event', async () => {
    const { drink, line } = await newCombo({ portions: 5 });
    const order = created(await place([line(2)]));
    const [plate, part, , other] = order.items;
    await setItem(order, other, 'preparing');

    const { body } = await setItem(order, plate, 'cancelled');

    const cancelled = new Set([plate.id, part.id]);
    expect(body.version).toBe(3);
    expect(body.items.filter(({ status }: Json) => status === 'cancelled').map(({ id }: Json) => id)).toEqual([
      ...cancelled,
    ]);
    expect(await portionsOf(drink)).toBe(4);
    const events = (await harness.events.waitFor('order.status_changed', order.id, 2)) as Json[];
    expect(events[1].data).toMatchObject({
      from: 'preparing',
      to: 'preparing',
      changed_items: [
        { item_id: plate.id, to: 'cancelled' },
        { item_id: part.id, to: 'cancelled' },
      ],
    });
    const bill = (await harness.waiter('GET', `/bills/${order.bill_id}`)).body;
    expect(bill.items_total).toBe('44.00');
    const history = (await harness.waiter('GET', `/bills/${order.bill_id}/history`)).body;
    expect(history.at(-1)).toMatchObject({ what: 'item_cancelled', line_id: plate.id });
  });

  test('leaves a component that was delivered', async () => {
    const { line } = await newCombo();
    const order = created(await place([line()]));
    const [plate, part] = order.items;
    for (const status of ['preparing', 'ready', 'delivered']) await setItem(order, part, status);

    const { body } = await setItem(order, plate, 'cancelled');
    expect(body.items.map(({ status }: Json) => status)).toEqual(['cancelled', 'delivered']);
    expect(body.status).toBe('delivered');
  });

  test('has components that are cancelled without asking the bill', async () => {
    const { drink, line } = await newCombo({ portions: 3 });
    const order = created(await place([line()]));
    const [, part] = order.items;
    const { version } = (await harness.waiter('GET', `/bills/${order.bill_id}`)).body;

    expect(codeOf(await setItem(order, part, 'cancelled'))).toBe('200');
    expect(await portionsOf(drink)).toBe(3);
    expect((await harness.waiter('GET', `/bills/${order.bill_id}`)).body).toMatchObject({
      version,
      items_total: '44.00',
    });
    const list = (await harness.manager('GET', '/exceptions?limit=200')).body as Json[];
    expect(list.filter(({ line_id: id }) => id === part.id)).toEqual([]);
  });

  test('counts with its components for the open items of a seating', async () => {
    const { line } = await newCombo();
    const seating = ++lastSeating;
    const guest = bia(seating);

    created(await place([line(48)], guest));
    expect(codeOf(await place([line(3)], guest))).toBe('429 seating_full');
    created(await place([line(2)], guest));
    expect(codeOf(await place([line(1)], guest))).toBe('429 seating_full');
  });

  test('may be ordered while many items of its seating are delivered', async () => {
    const { line } = await newCombo();
    const guest = bia(++lastSeating);
    const first = created(await place([line(45)], guest));
    for (const status of ['preparing', 'ready', 'delivered'])
      await harness.waiter('PUT', `/orders/${first.id}`, { body: { status } });

    created(await place([line(20)], guest));
    created(await place([line(20)], guest));
  });

  test('makes an order too large if it has more than 300 items', async () => {
    const { line } = await newCombo();

    expect(codeOf(await place([line(75), line(75)], harness.waiter))).toBe('201');
    expect((await place([line(75), line(76)], harness.waiter)).body).toMatchObject({
      code: 'unprocessable_content',
      errors: [{ pointer: '/items' }],
    });
  });

  test('makes an order too large if its items have more than 2000 options', async () => {
    const { drinks } = await newCombo();
    const extras = await menus.newGroup(
      Array.from({ length: 18 }, (_each, at) => ({ name: `Extra ${at}`, price: '0.00' })),
      { max: 18 },
    );
    const burger = await harness.createDish({ option_group_ids: [drinks.id, extras.id] });
    const ids = (group: Json): { id: number }[] => group.options.map(({ id }: Json) => ({ id }));
    // Each plate has these 19 options, and below the drink one more, which its component has too.
    const [lemonade] = drinks.options;
    const below = await harness.waiter('GET', `/option-groups/${lemonade.option_group_ids[0]}`);
    const options = [{ id: lemonade.id, options: ids(below.body) }, ...ids(extras)];
    const line = (quantity: number) => ({ item_id: burger, quantity, options });

    expect(codeOf(await place([line(95)], harness.waiter))).toBe('201');
    expect((await place([line(95), line(1)], harness.waiter)).body).toMatchObject({
      code: 'unprocessable_content',
      errors: [{ pointer: '/items', detail: 'more than 2000 options, counted in every item' }],
    });
  });
});

test('50 parallel orders never take more portions of a component than there are', async () => {
  const { drink, line } = await newCombo({ portions: 20 });
  const { url } = await harness.startInstance();
  const elsewhere = caller(url, { token: harness.issuer.token({ sub: 7, role: 'customer', name: 'Caio' }) });

  const codes = await Promise.all(
    Array.from({ length: 50 }, async (_each, at) => {
      const call = patient(at % 2 === 0 ? bia() : elsewhere);
      return codeOf(await place([line()], call));
    }),
  );

  expect(codes.filter((code) => code === '201')).toHaveLength(20);
  expect(await portionsOf(drink)).toBe(0);
});
