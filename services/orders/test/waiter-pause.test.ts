import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-waiter-pause');
});
afterAll(() => harness.close());

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const reason = 'The kitchen is full';
const put = (body: object, call = harness.waiter) => call('PUT', '/ordering', { body });

test('a waiter can pause ordering for up to 15 minutes and resume it', async () => {
  const paused_until = inMinutes(14);

  expect((await put({ paused_until, reason })).body).toMatchObject({ paused_until, reason });
  expect(codeOf(await put({ paused_until: inMinutes(16) }))).toBe('422 unprocessable_content');
  expect((await put({})).body).toMatchObject({ paused_until: null });

  const { body: changes } = await harness.manager('GET', '/menu-changes?limit=2');
  const actor = { id: 900_002, name: 'Wanda', role: 'waiter' };
  expect(changes).toMatchObject([
    { type: 'ordering_changed', actor, before: { paused_until }, after: { paused_until: null } },
    { type: 'ordering_changed', actor, after: { paused_until, reason } },
  ]);
});

test("a waiter can't change or end a longer pause set by a manager", async () => {
  const paused_until = inMinutes(60);
  await put({ paused_until }, harness.manager);

  expect(codeOf(await put({}))).toBe('403 forbidden');
  expect(codeOf(await put({ paused_until: inMinutes(5) }))).toBe('403 forbidden');
  expect((await put({}, harness.manager)).body).toMatchObject({ paused_until: null });
});

test("customers can't pause ordering", async () => {
  const customer = harness.as({ sub: 5, role: 'customer' });

  expect(codeOf(await put({ paused_until: inMinutes(5) }, customer))).toBe('403 forbidden');
});
