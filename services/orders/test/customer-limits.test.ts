import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import type { TestClaims } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { holdNumbers } from './support/hold-numbers.ts';
import { optionMenus } from './support/option-menus.ts';
import { waitingAt } from './support/writer-metrics.ts';

describe('a restaurant where customers can order only at tables', () => {
  let harness: OrdersHarness;
  let dish: number;
  beforeAll(async () => {
    harness = await startOrdersHarness('orders-seated', { settings: { CUSTOMER_ORDERS: 'seated' } });
    dish = await harness.createDish();
  });
  afterAll(() => harness.close());

  const order = (call: Call, body: object = {}) =>
    call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }], ...body } });

  test.each([
    ['for no table', {}],
    ['for a table of their choice', { table: '12' }],
  ])("rejects an order %s if the customer hasn't scanned a code", async (_, body) => {
    const response = await order(harness.as({ sub: 5, role: 'customer' }), body);

    expect(codeOf(response)).toBe('403 table_code_required');
    expect(await harness.db.collection('pedidos').countDocuments({ usuarioID: 5 })).toBe(0);
  });

  const others: [string, TestClaims, object][] = [
    ['a guest with a seat', { sub: 6, role: 'customer', table: '12', seating: 88 }, {}],
    ['a waiter, for any table,', { sub: 7, role: 'waiter' }, { table: '12' }],
    ['a manager', { sub: 8, role: 'manager' }, {}],
  ];
  test.each(others)('accepts an order from %s', async (_, claims, body) => {
    expect((await order(harness.as(claims), body)).status).toBe(201);
  });
});

describe("the limits for customers who aren't at a table", () => {
  let harness: OrdersHarness;
  let second: string;
  let lastCustomer = 100;
  beforeAll(async () => {
    harness = await startOrdersHarness('orders-limits', {
      settings: {
        CUSTOMER_OPEN_ORDERS: '5',
        CUSTOMER_OPEN_ITEMS: '8',
        CUSTOMER_PORTION_PERCENT: '33',
      },
    });
    second = (await harness.startInstance()).url;
  });
  afterAll(() => harness.close());

  const customer = (): TestClaims => ({ sub: ++lastCustomer, role: 'customer' });
  const lines = (count: number, dish: number, quantity = 1) =>
    Array.from({ length: count }, () => ({ item_id: dish, quantity }));
  const order = (call: Call, items: object[]) => call('POST', '/orders', { body: { items } });
  const openOrders = (owner: number) =>
    harness.db.collection('pedidos').countDocuments({ usuarioID: owner, status: 'received' });

  test('hold even if 20 orders arrive at two instances at the same time', async () => {
    const [ana, dish] = [customer(), await harness.createDish()];
    const token = harness.issuer.token(ana);
    const viaEither = [harness.as(ana), caller(second, { token })] as const;

    // Orders wait while another transaction has locked the order numbers. Then they are written together.
    const numbers = await holdNumbers(harness);
    const placing = Promise.all(
      Array.from({ length: 20 }, (_, index) => order(patient(viaEither[index % 2 === 0 ? 0 : 1]), lines(1, dish))),
    );
    const areWaiting = async () => (await waitingAt(harness.url)) + (await waitingAt(second)) >= 16;
    await until(areWaiting, { what: 'nearly all orders to wait for the next batches' });
    await numbers.abort();
    const responses = await placing;

    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => ({ status, ...body }))).toEqual(
      refused.map(() =>
        expect.objectContaining({ status: 409, code: 'too_many_open_items', limit: 'orders', allowed: 5 }),
      ),
    );
    expect(await openOrders(ana.sub)).toBe(5);
  });

  test('reject new items until earlier ones are cancelled', async () => {
    const [ana, dish] = [harness.as(customer()), await harness.createDish()];
    const { id } = created(await order(ana, lines(7, dish)));

    expect((await order(ana, lines(2, dish))).body).toMatchObject({
      code: 'too_many_open_items',
      limit: 'items',
      allowed: 8,
    });
    expect((await order(ana, lines(1, dish))).status).toBe(201);
    expect((await order(ana, lines(1, dish))).body).toMatchObject({ code: 'too_many_open_items' });
    expect((await ana('PUT', `/orders/${id}`, { body: { status: 'cancelled' } })).status).toBe(200);
    expect((await order(ana, lines(7, dish))).status).toBe(201);
  });

  test('count the components of combos as items', async () => {
    const drink = await harness.createDish();
    const drinks = await optionMenus(harness).newGroup([{ name: 'Cola', price: '0.00', item_id: drink }], { min: 1 });
    const combo = await harness.createDish({ option_group_ids: [drinks.id] });
    const call = harness.as(customer());
    const combos = (quantity: number) => [{ item_id: combo, quantity, options: [{ id: drinks.options[0].id }] }];

    expect((await order(call, combos(5))).body).toMatchObject({
      code: 'too_many_open_items',
      limit: 'items',
      allowed: 8,
    });
    expect(codeOf(await order(call, combos(4)))).toBe('201');
  });

  test("allow each customer up to a third of a dish's remaining portions", async () => {
    const dish = await harness.createDish({ portions_left: 12 });
    const [ana, rui] = [harness.as(customer()), harness.as(customer())];

    const tooMany = await order(ana, lines(1, dish, 5));
    const placed = [await order(ana, lines(1, dish, 3)), await order(ana, lines(1, dish, 1))];
    const oneMore = await order(ana, lines(1, dish, 1));

    expect(tooMany.body).toMatchObject({ code: 'too_many_open_items', limit: 'portions', allowed: 4, item_id: dish });
    expect(placed.map(({ status }) => status)).toEqual([201, 201]);
    expect(oneMore.body).toMatchObject({ limit: 'portions' });
    expect((await order(rui, lines(1, dish, 4))).body).toMatchObject({ limit: 'portions', allowed: 3 });
    expect((await order(rui, lines(1, dish, 3))).status).toBe(201);
  });

  test('allow any customer to order the last portion', async () => {
    const dish = await harness.createDish({ portions_left: 1 });
    expect((await order(harness.as(customer()), lines(1, dish))).status).toBe(201);
  });

  const free: [string, TestClaims][] = [
    ['a guest with a seat', { sub: 6, role: 'customer', table: '12', seating: 88 }],
    ['a waiter', { sub: 7, role: 'waiter' }],
  ];
  test.each(free)("don't apply to %s", async (_, claims) => {
    const dish = await harness.createDish({ portions_left: 12 });
    const responses = [];
    for (let index = 0; index < 6; index++) responses.push(await order(harness.as(claims), lines(2, dish)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
  });
});
