import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let offsetMs = 0;
/** A fixed time for the clock, in milliseconds since the epoch, so that slow responses don't matter; null for the real time. */
let stoppedAt: number | null = null;
let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-screens', { clock: () => (stoppedAt ?? Date.now()) + offsetMs });
});
afterAll(() => harness.close());

const wall = { shows: 'station', station: 'kitchen', build: 'b1', sound: 'on', display: 'stays_on', live: true };
const report = (name: string, body: object = wall) => harness.waiter('PUT', `/screens/${name}`, { body });
const screens = async () => (await harness.manager('GET', '/screens')).body as Record<string, unknown>[];
const find = async (name: string) => (await screens()).find(({ screen }) => screen === name);

test("a kitchen screen's report shows managers its state and user", async () => {
  expect((await report('kitchen-wall')).status).toBe(204);

  expect(await find('kitchen-wall')).toEqual({
    screen: 'kitchen-wall',
    ...wall,
    on: true,
    reported_by: { id: 900_002, name: 'Wanda' },
    reported_at: expect.stringMatching(/^20.*Z$/),
  });
});

test("a new report replaces the screen's previous one", async () => {
  await report('kitchen-bar');
  const changed = { ...wall, shows: 'all_stations', station: null, build: null, sound: 'blocked', live: false };
  await report('kitchen-bar', changed);

  expect((await screens()).filter(({ screen }) => screen === 'kitchen-bar')).toMatchObject([changed]);
});

test('a screen that sends no reports counts as off after two and a half minutes', async () => {
  stoppedAt = Date.now();
  try {
    await report('kitchen-old');
    offsetMs = 149_000;
    expect(await find('kitchen-old')).toMatchObject({ on: true });
    offsetMs = 151_000;
    expect(await find('kitchen-old')).toMatchObject({ on: false });
    offsetMs = 24 * 3600_000 + 1000;
    expect(await find('kitchen-old')).toBeUndefined();
  } finally {
    stoppedAt = null;
    offsetMs = 0;
  }
});

test('the screen that sent the latest report is first in the list', async () => {
  for (const name of ['first', 'second', 'first']) {
    offsetMs += 1000;
    await report(name);
  }
  const names = (await screens()).map(({ screen }) => screen).filter((name) => name === 'first' || name === 'second');
  offsetMs = 0;
  expect(names).toEqual(['first', 'second']);
});

test("only each user's latest 50 screens are stored", async () => {
  await harness.manager('PUT', '/screens/kitchen-of-marta', { body: wall });
  const names = Array.from({ length: 210 }, (_, index) => `new-${index}`);
  await Promise.all(names.map((name) => report(name)));
  await report('kitchen-last');

  const listed = (await screens()).map(({ screen }) => screen);
  expect(listed).toEqual(expect.arrayContaining(['kitchen-last', 'kitchen-of-marta']));
  const ofWanda = await harness.db.collection('screens').countDocuments({ 'reported_by.id': 900_002 });
  expect(ofWanda).toBe(50);
});

test.each([
  ['/shows', { ...wall, shows: 'everything' }],
  ['/station', { ...wall, station: '' }],
  ['/build', { ...wall, build: 'a\u0007' }],
  ['/sound', { ...wall, sound: true }],
  ['/display', { ...wall, display: 'dark' }],
  ['/live', { ...wall, live: 'yes' }],
  ['/name', { ...wall, name: 'x' }],
])('an invalid %s returns a 400', async (pointer, body) => {
  const response = await report('kitchen-wrong', body);

  expect([codeOf(response), response.body.errors[0].pointer]).toEqual(['400 validation_failed', pointer]);
  expect(await find('kitchen-wrong')).toBeUndefined();
});

test('a screen name with invalid characters returns a 404', async () => {
  expect(codeOf(await report('kitchen%20wall'))).toMatch(/^(400|404) /);
});

test("waiters can't list screens", async () => {
  expect(codeOf(await harness.waiter('GET', '/screens'))).toBe('403 forbidden');
  const ana = harness.as({ sub: 5, role: 'customer' });
  expect(codeOf(await ana('PUT', '/screens/phone', { body: wall }))).toBe('403 forbidden');
});
