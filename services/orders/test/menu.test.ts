import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, created } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-menu');
});
afterAll(() => harness.close());

const lastEventOf = async (id: number, count: number) => {
  const events = (await harness.events.waitFor('menu.item_changed', id, count)) as CloudEvent<'menu.item_changed'>[];
  return events.at(-1)?.data.item;
};
const customer = () => harness.as({ sub: 5, role: 'customer' });
const placeOrder = (dish: number, { quantity = 1, call = harness.waiter, headers = {} } = {}) =>
  call('POST', '/orders', { body: { items: [{ item_id: dish, quantity }] }, headers });

describe('adding a dish', () => {
  test('uses defaults if only name and price are sent', async () => {
    const response = await harness.manager('POST', '/menu', { body: { name: 'Pastel', price: '8' } });

    const dish = created(response);
    expect(response.headers.get('location')).toBe(`/menu/${dish.id}`);
    expect(dish).toMatchObject({
      name: 'Pastel',
      description: '',
      price: '8.00',
      currency: 'BRL',
      image_url: null,
      category: null,
      position: 0,
      station: 'kitchen',
      allergens: [],
      available: true,
      portions_left: null,
      version: 1,
    });
  });

  test('publishes the whole dish', async () => {
    const dish = created(await harness.manager('POST', '/menu', { body: { name: 'Coxinha', price: '8' } }));

    expect((await customer()('GET', `/menu/${dish.id}`)).body).toEqual(dish);
    expect(await lastEventOf(dish.id, 1)).toEqual({ ...dish, deleted: false });
  });

  test('succeeds only once if twenty clients add the same name at the same time', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        patient(harness.manager)('POST', '/menu', { body: { name: 'Raced', price: '1' } }),
      ),
    );

    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});

describe('listing the menu', () => {
  test("doesn't require a sign-in", async () => {
    for (const [name, category, position] of [
      ['Z', null, 0],
      ['B2', 'Drinks', 2],
      ['B1', 'Drinks', 1],
      ['A', 'Bread', 9],
    ])
      await harness.createDish({ name: `ordered ${name}`, category, position });

    const { status, body } = await harness.manager('GET', '/menu', { token: undefined });

    const names = body.map(({ name }: { name: string }) => name).filter((name: string) => name.startsWith('ordered'));
    expect([status, ...names]).toEqual([200, 'ordered A', 'ordered B1', 'ordered B2', 'ordered Z']);
  });
});

describe('changing a dish', () => {
  test('changes only the fields in the request', async () => {
    const id = await harness.createDish({
      name: 'Caldo',
      price: '12.00',
      category: 'Soups',
      allergens: ['milk', 'celery'],
    });

    const { body } = await harness.manager('PUT', `/menu/${id}`, {
      body: { price: '13.5', category: null, image_url: 'https://restaurant.example/caldo.webp' },
    });

    expect(body).toMatchObject({
      name: 'Caldo',
      price: '13.50',
      category: null,
      allergens: ['milk', 'celery'],
      image_url: 'https://restaurant.example/caldo.webp',
      version: 2,
    });
    expect(await lastEventOf(id, 2)).toEqual({ ...body, deleted: false });
  });

  test('returns a 409 if another dish already has the new name', async () => {
    await harness.createDish({ name: 'Vatapá' });
    const id = await harness.createDish({ name: 'Another' });

    const { status, body } = await harness.manager('PUT', `/menu/${id}`, { body: { name: 'vatapá' } });

    expect([status, body.code]).toEqual([409, 'menu_item_exists']);
  });
});

describe('deleting a dish', () => {
  const deletedDish = async (name: string): Promise<number> => {
    const id = await harness.createDish({ name });
    expect((await harness.manager('DELETE', `/menu/${id}`)).status).toBe(204);
    return id;
  };

  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['PUT', '/availability'],
  ])('makes %s /menu/{id}%s return 404', async (method, path) => {
    const id = await deletedDish(`Gone for ${method}`);

    const { status } = await harness.manager(method, `/menu/${id}${path}`, {
      body: method === 'PUT' ? { available: true } : undefined,
    });

    expect(status).toBe(404);
  });

  test('makes it impossible to order the dish', async () => {
    const id = await deletedDish('Not to be ordered');

    const { status, body } = await placeOrder(id);

    expect([status, body.code]).toEqual([422, 'menu_item_unknown']);
  });

  test('keeps the orders with that dish', async () => {
    const id = await harness.createDish({ name: 'Ordered before' });
    const placed = created(await placeOrder(id));
    await harness.manager('DELETE', `/menu/${id}`);

    const { body } = await harness.waiter('GET', `/orders/${placed.id}`);

    expect(body.items).toMatchObject([{ item_id: id, name: 'Ordered before' }]);
  });

  test('publishes an event', async () => {
    const id = await deletedDish('With an event');

    expect(await lastEventOf(id, 2)).toMatchObject({ id, deleted: true, version: 2 });
  });

  test("makes the dish's name available again", async () => {
    const id = await deletedDish('Used again');

    expect(await harness.createDish({ name: 'used again' })).toBeGreaterThan(id);
  });
});

describe("a dish's availability", () => {
  const setAvailability = (id: number, body: object) => harness.waiter('PUT', `/menu/${id}/availability`, { body });

  test('prevents orders when a waiter marks the dish as sold out', async () => {
    const id = await harness.createDish();

    const { body } = await setAvailability(id, { available: false });

    expect(body).toMatchObject({ available: false, portions_left: null });
    expect((await placeOrder(id)).status).toBe(409);
  });

  test('allows an order for two of three portions, but then not for two more', async () => {
    const id = await harness.createDish();
    await setAvailability(id, { available: true, portions_left: 3 });

    const responses = [await placeOrder(id, { quantity: 2 }), await placeOrder(id, { quantity: 2 })];

    expect(responses.map(({ status }) => status)).toEqual([201, 409]);
    expect((await harness.waiter('GET', `/menu/${id}`)).body).toMatchObject({ portions_left: 1, version: 3 });
    expect(await lastEventOf(id, 3)).toMatchObject({ portions_left: 1, version: 3 });
  });

  test('stays sold out if only the number of portions is set', async () => {
    const id = await harness.createDish();
    await setAvailability(id, { available: false });

    const { body } = await setAvailability(id, { portions_left: 5 });

    expect(body).toMatchObject({ available: false, portions_left: 5 });
  });

  test('returns a 400 for an empty change', async () => {
    const id = await harness.createDish();

    expect(await setAvailability(id, {})).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  test('allows orders again after a waiter removes the limit on portions', async () => {
    const id = await harness.createDish({ portions_left: 0 });

    const { body } = await setAvailability(id, { available: true, portions_left: null });

    expect(body.portions_left).toBeNull();
    expect((await placeOrder(id)).status).toBe(201);
  });
});

describe('a pause in ordering', () => {
  test('gets a new version with each change, whichever instance makes it', async () => {
    const second = await harness.startInstance();
    const viaSecond = caller(second.url, { token: harness.issuer.token({ sub: 900_001, role: 'manager' }) });
    const before = (await harness.manager('GET', '/ordering')).body.version;

    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const body = index % 2 === 0 ? {} : { paused_until: new Date(Date.now() + 60_000 + index).toISOString() };
        return patient(index % 4 < 2 ? harness.manager : viaSecond)('PUT', '/ordering', { body });
      }),
    );

    const state = (await harness.manager('GET', '/ordering')).body;
    // A change creates two versions if its first response came too late and the caller retried it.
    const versions = Array.from({ length: state.version - before }, (_, index) => before + 1 + index);
    const ofVersions = await until(
      () => {
        const events = harness.events.of('ordering.changed').map(({ data }) => data as { version: number });
        const found = versions.map((version) => events.find((data) => data.version === version));
        return found.every(Boolean) ? found : null;
      },
      { what: 'an event of each version' },
    );
    expect(new Set(responses.map(({ body }) => body.version)).size).toBe(20);
    expect(ofVersions).toEqual(expect.arrayContaining(responses.map(({ body }) => body)));
    expect(ofVersions.at(-1)).toEqual(state);
    await harness.manager('PUT', '/ordering', { body: {} });
  });
  const reason = 'Too many orders';
  const inNinetySeconds = () => new Date(Date.now() + 90_000).toISOString();
  const pause = (paused_until: string) => harness.manager('PUT', '/ordering', { body: { paused_until, reason } });
  const resume = () => harness.manager('PUT', '/ordering', { body: {} });
  let dish = 0;
  beforeAll(async () => {
    dish = await harness.createDish();
  });
  afterEach(resume);

  test("rejects customers' orders until the pause ends", async () => {
    const paused_until = inNinetySeconds();
    await pause(paused_until);

    const { body, headers } = await placeOrder(dish, { call: customer() });

    expect(body).toMatchObject({ code: 'ordering_paused', status: 503, paused_until, reason });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(60);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(90);
  });

  test("doesn't apply to staff", async () => {
    await pause(inNinetySeconds());

    expect((await placeOrder(dish)).status).toBe(201);
  });

  test("doesn't change the first response to a request that is retried", async () => {
    const request = { call: customer(), headers: { 'idempotency-key': 'placed-before-the-pause' } };
    const first = created(await placeOrder(dish, request));
    await pause(inNinetySeconds());

    const second = created(await placeOrder(dish, request));

    expect(second.id).toBe(first.id);
  });

  test('is shown to everyone with its end time', async () => {
    const paused_until = inNinetySeconds();
    const paused = await pause(paused_until);

    const { body } = await harness.manager('GET', '/ordering', { token: undefined });

    expect([paused.status, paused.body]).toMatchObject([200, { paused_until, reason }]);
    expect(body).toEqual(paused.body);
  });

  test('no longer blocks customers after a manager resumes ordering', async () => {
    await pause(inNinetySeconds());

    const { body } = await resume();

    expect(body).toMatchObject({ paused_until: null, reason: null });
    expect((await placeOrder(dish, { call: customer() })).status).toBe(201);
  });

  test('publishes an event when it starts and when ordering resumes', async () => {
    const paused_until = inNinetySeconds();
    const { version } = (await pause(paused_until)).body;
    await resume();

    const events = await until(
      () => {
        const all = harness.events.of('ordering.changed').map(({ data }) => data as { paused_until: string | null });
        const first = all.findIndex((data) => data.paused_until === paused_until);
        return first >= 0 && all.length > first + 1 ? all.slice(first, first + 2) : null;
      },
      { what: 'both events' },
    );

    expect(events).toEqual([
      { paused_until, reason, version },
      { paused_until: null, reason: null, version: version + 1 },
    ]);
  });
});
