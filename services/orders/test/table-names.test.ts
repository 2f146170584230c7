import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let items: { item_id: number; quantity: number }[];
beforeAll(async () => {
  harness = await startOrdersHarness('table-names');
  items = [{ item_id: await harness.createDish(), quantity: 1 }];
});
afterAll(() => harness.close());

const order = (table: string) => harness.waiter('POST', '/orders', { body: { items, table } });
const idsAt = async (path: string): Promise<number[]> =>
  (await harness.waiter('GET', path)).body.map(({ id }: { id: number }) => id);

test("a table's bills can be found by every form of its name", async () => {
  const placed = [created(await order('T9')), created(await order('t9'))].toReversed();
  created(await order('T90'));

  for (const table of ['T9', 't9']) {
    const first = await harness.waiter('GET', `/orders?table=${table}&limit=1`);
    const [, next = ''] = /^<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];
    expect([...first.body, ...(await harness.waiter('GET', next)).body]).toMatchObject(
      placed.map(({ id }) => ({ id })),
    );
    expect(await idsAt(`/orders?table=${table}&status=received`)).toEqual(placed.map(({ id }) => id));
    expect(await idsAt(`/bills?table=${table}`)).toEqual(placed.map(({ bill_id: id }) => id));
  }
  expect(await idsAt('/orders?table=T99')).toEqual([]);
});

test("a guest can send any form of their own table's name", async () => {
  const guest = harness.as({ sub: 12, role: 'customer', table: 'T12', seating: 72 });

  expect(created(await guest('POST', '/orders', { body: { items, table: 't12' } })).table).toBe('T12');
  expect(created(await guest('POST', '/calls', { body: { kind: 'waiter', table: 't12' } })).table).toBe('T12');
  expect((await guest('POST', '/orders', { body: { items, table: 'T13' } })).body.code).toBe('table_mismatch');
});
