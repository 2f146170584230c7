import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let offsetMs = 0;
/** A time that stands still, also while an answer is late. */
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

test('when a screen reports, then managers see it, how it is and who is signed in at it', async () => {
  expect((await report('kitchen-wall')).status).toBe(204);

  expect(await find('kitchen-wall')).toEqual({
    screen: 'kitchen-wall',
    ...wall,
    on: true,
    reported_by: { id: 900_002, name: 'Wanda' },
    reported_at: expect.stringMatching(/^20.*Z$/),
  });
});

test('when it reports again, then what it has reported before is replaced', async () => {
  await report('kitchen-bar');
  const changed = { ...wall, shows: 'all_stations', station: null, build: null, sound: 'blocked', live: false };
  await report('kitchen-bar', changed);

  expect((await screens()).filter(({ screen }) => screen === 'kitchen-bar')).toMatchObject([changed]);
});

test('when it is silent for two and a half minutes, then it is off; after a day it is not listed', async () => {
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

test('when there are several, then the one that was heard last comes first', async () => {
  for (const name of ['first', 'second', 'first']) {
    offsetMs += 1000;
    await report(name);
  }
  const names = (await screens()).map(({ screen }) => screen).filter((name) => name === 'first' || name === 'second');
  offsetMs = 0;
  expect(names).toEqual(['first', 'second']);
});

test('when one user reports ever new screens, then the 50 that were heard last are kept, and those of others stay', async () => {
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
])('when %s is not allowed, then 400 names it', async (pointer, body) => {
  const answer = await report('kitchen-wrong', body);

  expect([codeOf(answer), answer.body.errors[0].pointer]).toEqual(['400 validation_failed', pointer]);
  expect(await find('kitchen-wrong')).toBeUndefined();
});

test('when the name of a screen has other characters, then 404, as nothing is there', async () => {
  expect(codeOf(await report('kitchen%20wall'))).toMatch(/^(400|404) /);
});

test('when a waiter lists the screens, or a customer reports one, then 403', async () => {
  expect(codeOf(await harness.waiter('GET', '/screens'))).toBe('403 forbidden');
  const ana = harness.as({ sub: 5, role: 'customer' });
  expect(codeOf(await ana('PUT', '/screens/phone', { body: wall }))).toBe('403 forbidden');
});
