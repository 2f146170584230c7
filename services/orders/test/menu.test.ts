import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import type { CloudEvent } from '@comanda/contracts/events';
import { until } from '@comanda/testing/until';
import { startOrdersHarness } from './support/harness.ts';
import type { OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-menu');
});
afterAll(() => harness.close());

type ItemChanged = CloudEvent<'menu.item_changed'>;
const lastTold = async (id: number, version: number) => {
  await harness.events.waitFor('menu.item_changed', id, version);
  return (harness.events.of('menu.item_changed', id) as ItemChanged[]).at(-1)?.data.item;
};

describe('the menu', () => {
  test('when only name and price are sent, then the rest has defaults, and the event tells the whole dish', async () => {
    const answer = await harness.manager('POST', '/menu', { body: { name: 'Pastel', price: '8' } });
    const dish = created(answer);
    expect(answer.headers.get('location')).toBe(`/menu/${dish.id}`);
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
    expect((await harness.as({ sub: 5, role: 'customer' })('GET', `/menu/${dish.id}`)).body).toEqual(dish);
    expect(await lastTold(dish.id, 1)).toEqual({ ...dish, deleted: false });
  });

  test('when nobody is signed in, then the menu can be read, by category and position', async () => {
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

  test('when a dish is changed, then only what was sent changes, its version grows and its event follows', async () => {
    const id = await harness.createDish({
      name: 'Caldo',
      price: '12.00',
      category: 'Soups',
      allergens: ['milk', 'celery'],
    });
    const { body } = await harness.manager('PUT', `/menu/${id}`, {
      body: { price: '13.5', category: null, image_url: 'https://harness.example/caldo.webp' },
    });
    expect(body).toMatchObject({
      name: 'Caldo',
      price: '13.50',
      category: null,
      allergens: ['milk', 'celery'],
      image_url: 'https://harness.example/caldo.webp',
      version: 2,
    });
    expect(await lastTold(id, 2)).toEqual({ ...body, deleted: false });
  });

  test('when the name is taken, ignoring case and how accents are composed, then 409, also on a change', async () => {
    await harness.createDish({ name: 'Pão de Açúcar' });
    const again = await harness.manager('POST', '/menu', {
      body: { name: 'PÃO DE AÇÚCAR'.normalize('NFD'), price: '1' },
    });
    expect([again.status, again.body.code]).toEqual([409, 'menu_item_exists']);
    const other = await harness.createDish({ name: 'Another' });
    const renamed = await harness.manager('PUT', `/menu/${other}`, { body: { name: 'pão de açúcar' } });
    expect([renamed.status, renamed.body.code]).toEqual([409, 'menu_item_exists']);
    expect((await harness.manager('PUT', `/menu/${other}`, { body: { name: 'ANOTHER' } })).status).toBe(200);
  });

  test('when twenty add the same name at once, then one is added', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => harness.manager('POST', '/menu', { body: { name: 'Raced', price: '1' } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  test('when a dish is deleted, then it is gone, its orders stay, its name is free and the event says so', async () => {
    const id = await harness.createDish({ name: 'Gone' });
    const placed = created(
      await harness.waiter('POST', '/orders', { body: { items: [{ item_id: id, quantity: 1 }] } }),
    );
    expect((await harness.manager('DELETE', `/menu/${id}`)).status).toBe(204);
    expect((await harness.manager('GET', `/menu/${id}`)).status).toBe(404);
    expect((await harness.manager('DELETE', `/menu/${id}`)).status).toBe(404);
    expect((await harness.manager('PUT', `/menu/${id}/availability`, { body: { available: true } })).status).toBe(404);
    const order = await harness.waiter('POST', '/orders', { body: { items: [{ item_id: id, quantity: 1 }] } });
    expect([order.status, order.body.code]).toEqual([422, 'menu_item_unknown']);
    expect((await harness.waiter('GET', `/orders/${placed.id}`)).body.items).toMatchObject([
      { item_id: id, name: 'Gone' },
    ]);
    expect(await lastTold(id, 2)).toMatchObject({ id, deleted: true, version: 2 });
    expect(await harness.createDish({ name: 'gone' })).toBeGreaterThan(id);
  });

  test('when a waiter sets a dish off and on with some portions, then orders and event follow', async () => {
    const id = await harness.createDish();
    const set = (body: object) => harness.waiter('PUT', `/menu/${id}/availability`, { body });
    const order = async () =>
      (await harness.waiter('POST', '/orders', { body: { items: [{ item_id: id, quantity: 2 }] } })).status;
    expect((await set({ available: false })).body).toMatchObject({ available: false, portions_left: null });
    expect(await order()).toBe(409);
    expect((await set({ available: true, portions_left: 3 })).body).toMatchObject({ portions_left: 3 });
    expect([await order(), await order()]).toEqual([201, 409]);
    expect((await harness.waiter('GET', `/menu/${id}`)).body).toMatchObject({ portions_left: 1, version: 4 });
    expect(await lastTold(id, 4)).toMatchObject({ portions_left: 1, version: 4 });
    expect((await set({ available: true, portions_left: null })).body.portions_left).toBeNull();
    expect(await order()).toBe(201);
  });

  test('when somebody else than a manager writes the menu, then 403; a customer may not set availability', async () => {
    const id = await harness.createDish();
    const customer = harness.as({ sub: 5, role: 'customer' });
    for (const [call, method, path, body] of [
      [harness.waiter, 'POST', '/menu', { name: 'x', price: '1' }],
      [harness.waiter, 'PUT', `/menu/${id}`, { price: '1' }],
      [harness.waiter, 'DELETE', `/menu/${id}`, undefined],
      [customer, 'PUT', `/menu/${id}/availability`, { available: true }],
      [harness.waiter, 'PUT', '/ordering', {}],
    ] as const)
      expect((await call(method, path, { body })).body.code).toBe('forbidden');
  });
});

describe('pausing', () => {
  const soon = () => new Date(Date.now() + 90_000).toISOString();
  let dish = 0;
  beforeAll(async () => {
    dish = await harness.createDish();
  });
  const order = (call = harness.as({ sub: 5, role: 'customer' }), headers = {}) =>
    call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] }, headers });

  test('when it is paused, then customers are told until when and staff still order; {} resumes', async () => {
    const key = { 'idempotency-key': 'placed-before-the-pause' };
    const before = created(await order(undefined, key));
    const paused_until = soon();
    const paused = await harness.manager('PUT', '/ordering', { body: { paused_until, reason: 'Full house' } });
    expect([paused.status, paused.body]).toEqual([200, { paused_until, reason: 'Full house' }]);
    const refused = await order();
    expect(refused.body).toMatchObject({ code: 'ordering_paused', status: 503, paused_until, reason: 'Full house' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(85);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(90);
    expect((await order(harness.waiter)).status).toBe(201);
    // What was placed is answered again, pause or no pause.
    expect(created(await order(undefined, key)).id).toBe(before.id);
    expect((await harness.manager('GET', '/ordering', { token: undefined })).body).toEqual(paused.body);
    expect((await harness.manager('PUT', '/ordering', { body: {} })).body).toEqual({
      paused_until: null,
      reason: null,
    });
    expect((await order()).status).toBe(201);
    const told = await until(
      () => {
        const all = harness.events.of('ordering.changed').map(({ data }) => data as { paused_until: string | null });
        const since = all.findIndex((data) => data.paused_until === paused_until);
        return since >= 0 && all.length > since + 1 ? all.slice(since) : null;
      },
      { what: 'both events', timeoutMs: 10_000 },
    );
    expect(told).toEqual([paused.body, { paused_until: null, reason: null }]);
  });

  test('when the pause has run out, then it is none', async () => {
    const paused_until = new Date(Date.now() - 1).toISOString();
    const { body } = await harness.manager('PUT', '/ordering', { body: { paused_until, reason: 'Full house' } });
    expect(body).toEqual({ paused_until: null, reason: null });
    expect((await order()).status).toBe(201);
  });

  test('when the time is of no calendar, then 400', async () => {
    const answer = await harness.manager('PUT', '/ordering', { body: { paused_until: '2026-02-31T00:00:00Z' } });
    expect([answer.status, answer.body.errors?.[0].pointer]).toEqual([400, '/paused_until']);
  });
});
