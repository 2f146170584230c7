import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-stations');
});
beforeEach(() => harness.db.collection('stations').deleteMany({}));
afterAll(() => harness.close());

const grill = {
  bumps: 1,
  amber_minutes: 10,
  late_minutes: 15,
  dishes: [{ item_id: 7, amber_minutes: 20, late_minutes: 30 }],
};

test("a manager's settings for a station replace the previous ones", async () => {
  const { manager, waiter } = harness;
  expect((await waiter('GET', '/stations')).body).toEqual([]);

  const first = await manager('PUT', '/stations/grill', { body: grill });
  expect([first.status, first.body]).toEqual([200, { station: 'grill', ...grill }]);
  await manager('PUT', '/stations/bar', { body: { ...grill, dishes: [] } });
  const changed = { ...grill, bumps: 2, dishes: [] };
  await manager('PUT', '/stations/grill', { body: changed });

  expect((await waiter('GET', '/stations')).body).toEqual([
    { station: 'bar', ...grill, dishes: [] },
    { station: 'grill', ...changed },
  ]);
});

test('names that differ only in case or spaces mean the same station', async () => {
  const { manager, db } = harness;
  const set = (station: string, bumps: number) => manager('PUT', '/stations', { body: { station, ...grill, bumps } });
  const decomposed = 'balca\u0303o  2';

  expect((await set(' Balcão 2', 1)).body).toEqual({ station: 'Balcão 2', ...grill });
  expect((await set(decomposed, 2)).body).toEqual({ station: 'Balcão 2', ...grill, bumps: 2 });
  expect((await manager('GET', '/stations')).body).toEqual([{ station: 'Balcão 2', ...grill, bumps: 2 }]);

  // Stores two spellings, as an earlier release could. They are merged when a manager sets either.
  await db.collection('stations').insertOne({ _id: decomposed as never, ...grill });
  expect((await set('BALCÃO 2', 3)).status).toBe(200);
  expect((await manager('GET', '/stations')).body).toHaveLength(1);
});

const dish = { item_id: 7, amber_minutes: 20, late_minutes: 30 };
test.each([
  ['no bumps', { ...grill, bumps: 0 }, '/bumps'],
  ['four bumps', { ...grill, bumps: 4 }, '/bumps'],
  ['half a minute', { ...grill, amber_minutes: 0.5 }, '/amber_minutes'],
  ['a day', { ...grill, late_minutes: 1_440 }, '/late_minutes'],
  [
    '201 dishes',
    { ...grill, dishes: Array.from({ length: 201 }, (_, at) => ({ ...dish, item_id: at + 1 })) },
    '/dishes',
  ],
])('a station with %s is rejected', async (_name, body, pointer) => {
  const { manager } = harness;
  const before = (await manager('GET', '/stations')).body;
  const { status, body: refused } = await manager('PUT', '/stations/pastry', { body });
  expect([status, refused.errors[0].pointer]).toEqual([400, pointer]);
  expect((await manager('GET', '/stations')).body).toEqual(before);
});

test.each([
  ['an amber time that is not before its late time', { ...grill, amber_minutes: 15 }, '/amber_minutes'],
  [
    'a dish whose amber time is not before its late time',
    { ...grill, dishes: [{ ...dish, amber_minutes: 30 }] },
    '/dishes/0/amber_minutes',
  ],
  ['the same dish twice', { ...grill, dishes: [dish, dish] }, '/dishes/1/item_id'],
])('a station with %s returns a 422', async (_name, body, pointer) => {
  const { manager } = harness;
  const before = (await manager('GET', '/stations')).body;
  const response = await manager('PUT', '/stations/pastry', { body });
  expect([response.status, response.body.code, response.body.errors[0].pointer]).toEqual([
    422,
    'unprocessable_content',
    pointer,
  ]);
  expect((await manager('GET', '/stations')).body).toEqual(before);
});

test("a waiter can't change a station", async () => {
  expect((await harness.waiter('PUT', '/stations/grill', { body: grill })).status).toBe(403);
});

test('the restaurant can have at most a hundred stations', async () => {
  const { manager, db } = harness;
  const all = Array.from({ length: 100 }, (_each, at) => ({ _id: `station-${at}` as never, ...grill }));
  await db.collection('stations').insertMany(all);

  const refused = await manager('PUT', '/stations/pastry', { body: grill });
  expect([refused.status, refused.body.code]).toEqual([422, 'unprocessable_content']);
  expect((await manager('PUT', '/stations/station-7', { body: grill })).status).toBe(200);
  expect((await manager('GET', '/stations')).body).toHaveLength(100);
});

test('spaces around the name of a station or category are removed', async () => {
  const { manager, createDish } = harness;
  const id = await createDish({ station: 'bar ', category: ' Mains ' });
  expect((await manager('GET', `/menu/${id}`)).body).toMatchObject({ station: 'bar', category: 'Mains' });
});

test('the same tip suggestion is rejected, even in another form', async () => {
  const { status, body } = await harness.manager('PUT', '/restaurant', { body: { tip_suggestions: ['5', '5.00'] } });
  expect([status, body.errors[0].pointer]).toEqual([400, '/tip_suggestions/1']);
});
