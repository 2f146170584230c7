import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, created } from '@comanda/testing/call';
import type { Call, Called } from '@comanda/testing/call';
import { startOrdersHarness } from './support/harness.ts';
import type { OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let second: Call;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-portions');
  const { url } = await harness.startInstance();
  second = caller(url, { token: harness.issuer.token({ sub: 900_002, role: 'waiter' }) });
});
afterAll(() => harness.close());

/** As a client does that is told to come back in a moment. */
const insist = async (call: () => Promise<Called>, times = 10): Promise<Called> => {
  const answer = await call();
  return answer.status === 503 && times > 1 ? insist(call, times - 1) : answer;
};
const order = (call: Call, dish: number, quantity = 1) =>
  insist(() => call('POST', '/orders', { body: { items: [{ item_id: dish, quantity }] } }));
const left = async (dish: number) => (await harness.waiter('GET', `/menu/${dish}`)).body.portions_left;
const sold = async (dish: number): Promise<number> => {
  const orders = await harness.db.collection('pedidos').find({ 'itens.itemID': dish }).toArray();
  return orders
    .flatMap(({ itens }) => itens as { itemID: number; quantidade: number }[])
    .reduce((sum, { itemID, quantidade }) => sum + (itemID === dish ? quantidade : 0), 0);
};

describe('portions', () => {
  test('when 1,000 orders race on two instances for 10 portions, then exactly 10 get one', async () => {
    const dish = await harness.createDish({ portions_left: 10 });
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => order(index % 2 === 0 ? harness.waiter : second, dish)),
    );
    const placed = answers.filter(({ status }) => status === 201);
    expect(placed).toHaveLength(10);
    expect(answers.filter(({ body }) => body.code === 'menu_item_unavailable')).toHaveLength(990);
    expect([await left(dish), await sold(dish)]).toEqual([0, 10]);
  }, 60_000);

  test('when orders of several sizes race, then what is sold and what is left always add up', async () => {
    const dish = await harness.createDish({ portions_left: 50 });
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => order(index % 2 === 0 ? harness.waiter : second, dish, 1 + (index % 3))),
    );
    const remaining = await left(dish);
    expect(remaining + (await sold(dish))).toBe(50);
    expect(remaining).toBe(0);
  });

  test('when an order is cancelled while it is received, then its portions come back, once, with one event', async () => {
    const dish = await harness.createDish({ portions_left: 5 });
    const { id } = created(await order(harness.waiter, dish, 3));
    expect(await left(dish)).toBe(2);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? harness.waiter : second)('PUT', `/orders/${id}`, { body: { status: 'cancelled' } }),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await left(dish)).toBe(5);
    const [cancelled, ...more] = await harness.events.waitFor('order.status_changed', id);
    expect([cancelled?.data, more]).toMatchObject([{ to: 'cancelled', order: { version: 2 } }, []]);
    const told = await harness.events.waitFor('menu.item_changed', dish, 3);
    expect(told.at(-1)?.data).toMatchObject({ item: { portions_left: 5 } });
  });

  test('when it is cancelled later, or was stepped back first, then only what is still received comes back', async () => {
    const dish = await harness.createDish({ portions_left: 10 });
    const { id, items } = created(
      await harness.waiter('POST', '/orders', {
        body: { items: [1, 2, 3].map((quantity) => ({ item_id: dish, quantity })) },
      }),
    );
    const put = (item: number, status: string) =>
      harness.waiter('PUT', `/orders/${id}/items/${items[item].id}`, { body: { status } });
    await put(0, 'preparing');
    await put(1, 'preparing');
    await put(1, 'received');
    expect(await left(dish)).toBe(4);
    await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'cancelled' } });
    expect(await left(dish)).toBe(9);
  });

  test('when one item is cancelled while it is received, then its portions come back', async () => {
    const dish = await harness.createDish({ portions_left: 10 });
    const { id, items } = created(await order(harness.waiter, dish, 4));
    await harness.waiter('PUT', `/orders/${id}/items/${items[0].id}`, { body: { status: 'cancelled' } });
    expect(await left(dish)).toBe(10);
  });

  test('when the dish had no limit as it was ordered, or has none now, or is gone, then nothing comes back', async () => {
    const cancel = (id: number) => harness.waiter('PUT', `/orders/${id}`, { body: { status: 'cancelled' } });
    const limit = (dish: number, portions_left: number | null) =>
      harness.waiter('PUT', `/menu/${dish}/availability`, { body: { available: true, portions_left } });
    const unlimited = await harness.createDish();
    const first = created(await order(harness.waiter, unlimited, 2));
    await limit(unlimited, 3);
    await cancel(first.id);
    expect(await left(unlimited)).toBe(3);
    const limited = await harness.createDish({ portions_left: 7 });
    const [before, after] = [
      created(await order(harness.waiter, limited)),
      created(await order(harness.waiter, limited)),
    ];
    await limit(limited, null);
    await cancel(before.id);
    expect(await left(limited)).toBeNull();
    await harness.manager('DELETE', `/menu/${limited}`);
    expect((await cancel(after.id)).body.status).toBe('cancelled');
  });

  test('when orders, cancellations and a manager write the same dish at once, then all get through and it adds up', async () => {
    const dish = await harness.createDish({ portions_left: 400 });
    const orders = await Promise.all(Array.from({ length: 100 }, () => order(harness.waiter, dish)));
    const [others, more, cancelled, priced] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => order(second, dish))),
      Promise.all(Array.from({ length: 100 }, () => order(harness.waiter, dish))),
      Promise.all(
        orders.map((placed, index) => {
          const call = index % 2 === 0 ? harness.waiter : second;
          const path = `/orders/${created(placed).id}`;
          return insist(() => call('PUT', path, { body: { status: 'cancelled' } }));
        }),
      ),
      Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          insist(() => harness.manager('PUT', `/menu/${dish}`, { body: { price: `${10 + index}.00` } })),
        ),
      ),
    ]);
    expect([...others, ...more].map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 201));
    expect(cancelled.map(({ status }) => status)).toEqual(cancelled.map(() => 200));
    expect(priced.map(({ status }) => status)).toEqual(priced.map(() => 200));
    expect(await left(dish)).toBe(200);
    expect((await sold(dish)) - 100).toBe(200);
  }, 60_000);
});
