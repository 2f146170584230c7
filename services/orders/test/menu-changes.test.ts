import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-menu-changes');
});
afterAll(() => harness.close());

type Change = { type: string; before: object; after: object; item_name: string };
const changesOf = async (dish: number): Promise<Change[]> =>
  (await harness.manager('GET', `/menu-changes?item_id=${dish}`)).body;
const put = (path: string, body: object, call = harness.manager) => call('PUT', path, { body });

const marta = { id: 900_001, name: 'Marta', role: 'manager' };
const wanda = { id: 900_002, name: 'Wanda', role: 'waiter' };

describe('the history of menu changes', () => {
  test('contains each added, changed, sold-out and removed dish', async () => {
    const dish = await harness.createDish({ name: 'Feijoada', price: '32.50' });
    await put(`/menu/${dish}`, { price: '0.01', name: 'Feijoada' });
    await put(`/menu/${dish}/availability`, { available: false, portions_left: 3 }, harness.waiter);
    await harness.manager('DELETE', `/menu/${dish}`);

    const changes = await changesOf(dish);

    const of = { item_id: dish, option_group_id: null, item_name: 'Feijoada', at: expect.stringMatching(/^20.*Z$/) };
    expect(changes).toEqual([
      { ...of, type: 'dish_removed', actor: marta, before: {}, after: { removed: true } },
      {
        ...of,
        type: 'dish_changed',
        actor: wanda,
        before: { available: true, portions_left: null },
        after: { available: false, portions_left: 3 },
      },
      { ...of, type: 'dish_changed', actor: marta, before: { price: '32.50' }, after: { price: '0.01' } },
      {
        ...of,
        type: 'dish_added',
        actor: marta,
        before: {},
        after: expect.objectContaining({ name: 'Feijoada', price: '32.50', image_url: null }),
      },
    ]);
  });

  test('contains the start and end of each pause in ordering', async () => {
    const until = new Date(Date.now() + 3600_000).toISOString();
    await put('/ordering', { paused_until: until, reason: 'Full' });
    await put('/ordering', {});

    const { body } = await harness.manager('GET', '/menu-changes?limit=2');

    const open = { paused_until: null, reason: null };
    const paused = { paused_until: until, reason: 'Full' };
    expect(body).toMatchObject([
      { type: 'ordering_changed', actor: marta, item_id: null, before: paused, after: open },
      { type: 'ordering_changed', actor: marta, item_id: null, before: open, after: paused },
    ]);
  });

  test('omits changes that were rejected or had no effect', async () => {
    const [dish, other] = [await harness.createDish({ name: 'Caruru' }), await harness.createDish({ name: 'Vatapá' })];
    expect(codeOf(await put(`/menu/${dish}`, { name: 'vatapá' }))).toBe('409 menu_item_exists');
    expect((await put(`/menu/${dish}`, { name: 'Caruru' })).status).toBe(200);

    expect((await changesOf(dish)).map(({ type }) => type)).toEqual(['dish_added']);
    expect(await changesOf(other)).toHaveLength(1);
  });

  test('omits changes in portions that are due to orders', async () => {
    const dish = await harness.createDish({ portions_left: 5 });
    await harness.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 2 }] } });

    expect(await changesOf(dish)).toHaveLength(1);
  });

  test("is always complete, because a change fails if it can't be recorded", async () => {
    const dish = await harness.createDish({ price: '10.00' });
    const ordering = (await harness.waiter('GET', '/ordering')).body;
    const rules = (await harness.db.listCollections({ name: 'menu_changes' }).toArray())[0] as { options?: object };
    await harness.db.command({ collMod: 'menu_changes', validator: { at: { $type: 'string' } } });
    try {
      expect((await put(`/menu/${dish}`, { price: '0.01' })).status).toBe(500);
      expect((await put('/ordering', { reason: 'x', paused_until: '2099-01-01T00:00:00.000Z' })).status).toBe(500);
    } finally {
      const { validator = {} } = (rules.options ?? {}) as { validator?: object };
      await harness.db.command({ collMod: 'menu_changes', validator });
    }
    expect((await harness.waiter('GET', `/menu/${dish}`)).body.price).toBe('10.00');
    expect((await harness.waiter('GET', '/ordering')).body).toEqual(ordering);
  });

  test('contains the correct old price for each of ten simultaneous changes', async () => {
    const dish = await harness.createDish({ price: '100.00' });
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => put(`/menu/${dish}`, { price: `${index + 1}.00` })),
    );
    const done = responses.filter(({ status }) => status === 200);

    const changes = (await changesOf(dish)).filter(({ type }) => type === 'dish_changed') as {
      before: { price: string };
      after: { price: string };
    }[];

    expect(changes).toHaveLength(done.length);
    const replaced = changes.map(({ before }) => before.price).toSorted();
    const last = (await harness.waiter('GET', `/menu/${dish}`)).body.price;
    expect(new Set([...replaced, last])).toEqual(new Set(['100.00', ...changes.map(({ after }) => after.price)]));
  });
});

describe('the list of menu changes', () => {
  test('contains each entry exactly once across several pages', async () => {
    const dish = await harness.createDish();
    for (const price of ['1.00', '2.00', '3.00', '4.00']) await put(`/menu/${dish}`, { price });

    const seen: Change[] = [];
    let path: string | undefined = `/menu-changes?item_id=${dish}&limit=2`;
    while (path !== undefined) {
      const response = await harness.manager('GET', path);
      seen.push(...response.body);
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }

    expect(seen).toEqual(await changesOf(dish));
    expect(seen).toHaveLength(5);
  });

  test('is allowed only for managers', async () => {
    expect(codeOf(await harness.waiter('GET', '/menu-changes'))).toBe('403 forbidden');
  });
});
