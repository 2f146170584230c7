import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller } from '@comanda/testing/call';
import type { Call, Called } from '@comanda/testing/call';
import { created, startOrdersHouse } from './support/harness.ts';
import type { Orders } from './support/harness.ts';

let house: Orders;
let second: Call;
beforeAll(async () => {
  house = await startOrdersHouse('orders-portions');
  const { url } = await house.another();
  second = caller(url, { token: house.issuer.token({ sub: 900_002, role: 'waiter' }) });
});
afterAll(() => house.close());

/** As a client does that is told to come back in a moment. */
const insist = async (call: () => Promise<Called>, times = 10): Promise<Called> => {
  const answer = await call();
  return answer.status === 503 && times > 1 ? insist(call, times - 1) : answer;
};
const order = (call: Call, dish: number, quantity = 1) =>
  insist(() => call('POST', '/orders', { body: { items: [{ item_id: dish, quantity }] } }));
const left = async (dish: number) => (await house.waiter('GET', `/menu/${dish}`)).body.portions_left;
const sold = async (dish: number): Promise<number> => {
  const orders = await house.db.collection('pedidos').find({ 'itens.itemID': dish }).toArray();
  return orders
    .flatMap(({ itens }) => itens as { itemID: number; quantidade: number }[])
    .reduce((sum, { itemID, quantidade }) => sum + (itemID === dish ? quantidade : 0), 0);
};

describe('portions', () => {
  test('when 1,000 orders race on two instances for 10 portions, then exactly 10 get one', async () => {
    const dish = await house.dish({ portions_left: 10 });
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => order(index % 2 === 0 ? house.waiter : second, dish)),
    );
    const placed = answers.filter(({ status }) => status === 201);
    expect(placed).toHaveLength(10);
    expect(answers.filter(({ body }) => body.code === 'menu_item_unavailable')).toHaveLength(990);
    expect([await left(dish), await sold(dish)]).toEqual([0, 10]);
  }, 60_000);

  test('when orders of several sizes race, then what is sold and what is left always add up', async () => {
    const dish = await house.dish({ portions_left: 50 });
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => order(index % 2 === 0 ? house.waiter : second, dish, 1 + (index % 3))),
    );
    const remaining = await left(dish);
    expect(remaining + (await sold(dish))).toBe(50);
    expect(remaining).toBe(0);
  });

  test('when an order is cancelled while it is received, then its portions come back, once, with one event', async () => {
    const dish = await house.dish({ portions_left: 5 });
    const { id } = created(await order(house.waiter, dish, 3));
    expect(await left(dish)).toBe(2);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? house.waiter : second)('PUT', `/orders/${id}`, { body: { status: 'cancelled' } }),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await left(dish)).toBe(5);
    const [cancelled, ...more] = await house.events.waitFor('order.status_changed', id);
    expect([cancelled?.data, more]).toMatchObject([{ to: 'cancelled', order: { version: 2 } }, []]);
    const told = await house.events.waitFor('menu.item_changed', dish, 3);
    expect(told.at(-1)?.data).toMatchObject({ item: { portions_left: 5 } });
  });

  test('when it is cancelled later, or was stepped back first, then only what is still received comes back', async () => {
    const dish = await house.dish({ portions_left: 10 });
    const { id, items } = created(
      await house.waiter('POST', '/orders', {
        body: { items: [1, 2, 3].map((quantity) => ({ item_id: dish, quantity })) },
      }),
    );
    const put = (item: number, status: string) =>
      house.waiter('PUT', `/orders/${id}/items/${items[item].id}`, { body: { status } });
    await put(0, 'preparing');
    await put(1, 'preparing');
    await put(1, 'received');
    expect(await left(dish)).toBe(4);
    await house.waiter('PUT', `/orders/${id}`, { body: { status: 'cancelled' } });
    expect(await left(dish)).toBe(9);
  });

  test('when one item is cancelled while it is received, then its portions come back', async () => {
    const dish = await house.dish({ portions_left: 10 });
    const { id, items } = created(await order(house.waiter, dish, 4));
    await house.waiter('PUT', `/orders/${id}/items/${items[0].id}`, { body: { status: 'cancelled' } });
    expect(await left(dish)).toBe(10);
  });

  test('when the dish had no limit as it was ordered, or has none now, or is gone, then nothing comes back', async () => {
    const cancel = (id: number) => house.waiter('PUT', `/orders/${id}`, { body: { status: 'cancelled' } });
    const limit = (dish: number, portions_left: number | null) =>
      house.waiter('PUT', `/menu/${dish}/availability`, { body: { available: true, portions_left } });
    const unlimited = await house.dish();
    const first = created(await order(house.waiter, unlimited, 2));
    await limit(unlimited, 3);
    await cancel(first.id);
    expect(await left(unlimited)).toBe(3);
    const limited = await house.dish({ portions_left: 7 });
    const [before, after] = [created(await order(house.waiter, limited)), created(await order(house.waiter, limited))];
    await limit(limited, null);
    await cancel(before.id);
    expect(await left(limited)).toBeNull();
    await house.manager('DELETE', `/menu/${limited}`);
    expect((await cancel(after.id)).body.status).toBe('cancelled');
  });

  test('when orders, cancellations and a manager write the same dish at once, then all get through and it adds up', async () => {
    const dish = await house.dish({ portions_left: 400 });
    const orders = await Promise.all(Array.from({ length: 100 }, () => order(house.waiter, dish)));
    const [others, more, cancelled, priced] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => order(second, dish))),
      Promise.all(Array.from({ length: 100 }, () => order(house.waiter, dish))),
      Promise.all(
        orders.map((placed, index) => {
          const call = index % 2 === 0 ? house.waiter : second;
          const path = `/orders/${created(placed).id}`;
          return insist(() => call('PUT', path, { body: { status: 'cancelled' } }));
        }),
      ),
      Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          insist(() => house.manager('PUT', `/menu/${dish}`, { body: { price: `${10 + index}.00` } })),
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
