import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { caller, created, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

/** The number of orders that compete for ten portions. */
const competing = budget(300, 1000);
/** How many orders both instances change at the same time, one order after another. */
const rounds = budget(20, 60);

let harness: OrdersHarness;
let viaSecond: Call;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-portions');
  const second = await harness.startInstance();
  viaSecond = caller(second.url, { token: harness.issuer.token({ sub: 900_002, role: 'waiter' }) });
});
afterAll(() => harness.close());

/** Returns a waiter's calls to one of the two instances: the first for even indexes, the second for odd ones. */
const eitherInstance = (index: number): Call => (index % 2 === 0 ? harness.waiter : viaSecond);
const placeOrder = (dish: number, { quantity = 1, call = harness.waiter } = {}) =>
  patient(call)('POST', '/orders', { body: { items: [{ item_id: dish, quantity }] } });
const putStatus = (id: number, status: string, call = harness.waiter) =>
  patient(call)('PUT', `/orders/${id}`, { body: { status } });
const setPortions = (dish: number, portions_left: number | null) =>
  harness.waiter('PUT', `/menu/${dish}/availability`, { body: { available: true, portions_left } });

const portionsLeft = async (dish: number) => (await harness.waiter('GET', `/menu/${dish}`)).body.portions_left;
/** Counts the ordered portions of this dish, including those in cancelled orders. */
const portionsOrdered = async (dish: number): Promise<number> => {
  const orders = await harness.db.collection('pedidos').find({ 'itens.itemID': dish }).toArray();
  return orders
    .flatMap(({ itens }) => itens as { itemID: number; quantidade: number }[])
    .reduce((sum, { itemID, quantidade }) => sum + (itemID === dish ? quantidade : 0), 0);
};

describe('orders for a dish with limited portions', () => {
  test('get exactly 10 portions, even if hundreds compete for them at two instances', async () => {
    const dish = await harness.createDish({ portions_left: 10 });

    const responses = await Promise.all(
      Array.from({ length: competing }, (_, index) => placeOrder(dish, { call: eitherInstance(index) })),
    );

    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(responses.filter(({ body }) => body.code === 'menu_item_unavailable')).toHaveLength(competing - 10);
    expect([await portionsLeft(dish), await portionsOrdered(dish)]).toEqual([0, 10]);
  });

  test('get all available portions even if their quantities differ', async () => {
    const dish = await harness.createDish({ portions_left: 50 });

    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        placeOrder(dish, { quantity: 1 + (index % 3), call: eitherInstance(index) }),
      ),
    );

    expect([await portionsLeft(dish), await portionsOrdered(dish)]).toEqual([0, 50]);
  });
});

describe('cancellations that return portions', () => {
  test('return the portions only once if ten clients cancel the same order', async () => {
    const dish = await harness.createDish({ portions_left: 5 });
    const { id } = created(await placeOrder(dish, { quantity: 3 }));

    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => putStatus(id, 'cancelled', eitherInstance(index))),
    );

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(await portionsLeft(dish)).toBe(5);
    const ofOrder = await harness.events.waitFor('order.status_changed', id);
    expect(ofOrder.map(({ data }) => data)).toMatchObject([{ to: 'cancelled', order: { version: 2 } }]);
    const ofDish = await harness.events.waitFor('menu.item_changed', dish, 3);
    expect(ofDish.at(-1)?.data).toMatchObject({ item: { portions_left: 5 } });
  });

  test('return only portions that were not yet prepared', async () => {
    const dish = await harness.createDish({ portions_left: 10 });
    const { id, items } = created(
      await harness.waiter('POST', '/orders', {
        body: { items: [1, 2, 3].map((quantity) => ({ item_id: dish, quantity })) },
      }),
    );
    const putItem = (index: number, status: string) =>
      harness.waiter('PUT', `/orders/${id}/items/${items[index].id}`, { body: { status } });
    await putItem(0, 'preparing');
    await putItem(1, 'preparing');
    await putItem(1, 'received');

    await putStatus(id, 'cancelled');

    expect(await portionsLeft(dish)).toBe(9);
  });

  test("return an item's portions if only that item is cancelled", async () => {
    const dish = await harness.createDish({ portions_left: 10 });
    const { id, items } = created(await placeOrder(dish, { quantity: 4 }));

    await harness.waiter('PUT', `/orders/${id}/items/${items[0].id}`, { body: { status: 'cancelled' } });

    expect(await portionsLeft(dish)).toBe(10);
  });

  test('return nothing if the dish had no limit when it was ordered', async () => {
    const dish = await harness.createDish();
    const { id } = created(await placeOrder(dish, { quantity: 2 }));
    await setPortions(dish, 3);

    await putStatus(id, 'cancelled');

    expect(await portionsLeft(dish)).toBe(3);
  });

  test("don't create a limit if the dish no longer has one", async () => {
    const dish = await harness.createDish({ portions_left: 7 });
    const { id } = created(await placeOrder(dish));
    await setPortions(dish, null);

    await putStatus(id, 'cancelled');

    expect(await portionsLeft(dish)).toBeNull();
  });

  test('succeed even if the dish has been deleted', async () => {
    const dish = await harness.createDish({ portions_left: 7 });
    const { id } = created(await placeOrder(dish));
    await harness.manager('DELETE', `/menu/${dish}`);

    const { body } = await putStatus(id, 'cancelled');

    expect(body.status).toBe('cancelled');
  });
});

describe('an order that two instances change at the same time', () => {
  /** Counts the portions of this dish that its orders have taken and not returned, according to the stored orders. */
  const portionsHeld = async (dish: number): Promise<number> => {
    const orders = await harness.db.collection('pedidos').find({ 'itens.itemID': dish }).toArray();
    return orders
      .flatMap(({ itens }) => itens as { itemID: number; quantidade: number; holds_portions: boolean }[])
      .reduce((sum, item) => sum + (item.itemID === dish && item.holds_portions ? item.quantidade : 0), 0);
  };

  test('has the right number of portions after all changes', async () => {
    const dishes = await Promise.all([1, 2, 3].map(() => harness.createDish({ portions_left: 100 })));
    for (let round = 0; round < rounds; round++) {
      const body = { items: dishes.map((item_id) => ({ item_id, quantity: 1 })) };
      const { id, items } = created(await patient(harness.waiter)('POST', '/orders', { body }));
      const putItem = (index: number, status: string, call = harness.waiter) =>
        patient(call)('PUT', `/orders/${id}/items/${items[index].id}`, { body: { status } });
      await putItem(0, 'preparing');
      await putItem(1, 'preparing');

      await Promise.all([
        putItem(0, 'received').then(() => putItem(1, 'received')),
        putStatus(id, 'cancelled', viaSecond),
      ]);
    }

    const sums = await Promise.all(dishes.map(async (dish) => (await portionsLeft(dish)) + (await portionsHeld(dish))));
    expect(sums).toEqual([100, 100, 100]);
  });
});

describe('a dish with many simultaneous writers', () => {
  test('has the right number of portions after all writes', async () => {
    const dish = await harness.createDish({ portions_left: 400 });
    const toCancel = await Promise.all(Array.from({ length: 100 }, async () => created(await placeOrder(dish)).id));

    const [placed, cancelled, priced] = await Promise.all([
      Promise.all(Array.from({ length: 200 }, (_, index) => placeOrder(dish, { call: eitherInstance(index) }))),
      Promise.all(toCancel.map((id, index) => putStatus(id, 'cancelled', eitherInstance(index)))),
      Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          patient(harness.manager)('PUT', `/menu/${dish}`, { body: { price: `${10 + index}.00` } }),
        ),
      ),
    ]);

    expect(placed.map(({ status }) => status)).toEqual(placed.map(() => 201));
    expect(cancelled.map(({ status }) => status)).toEqual(cancelled.map(() => 200));
    expect(priced.map(({ status }) => status)).toEqual(priced.map(() => 200));
    expect([await portionsLeft(dish), await portionsOrdered(dish)]).toEqual([200, 300]);
  });
});
