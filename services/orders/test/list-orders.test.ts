import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

type Listed = {
  id: number;
  status: string;
  table: string | null;
  created_at: string;
  placed_by: { id: number };
};
let harness: OrdersHarness;
let all: Listed[];

beforeAll(async () => {
  harness = await startOrdersHarness('orders-list');
  const dish = await harness.createDish();
  const place = (call: Call, table?: string) =>
    call('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }], ...(table && { table }) } });
  const customers = [
    harness.as({ sub: 5, role: 'customer' }),
    harness.as({ sub: 6, role: 'customer' }),
    harness.as({ sub: 7, role: 'customer', table: '7', seating: 70 }),
    harness.as({ sub: 8, role: 'customer', table: '7', seating: 70 }),
    harness.as({ sub: 9, role: 'customer', table: '7', seating: 71 }),
  ];
  const placed = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      place(patient(customers[index % 5] as Call), index % 5 < 2 ? '12' : undefined),
    ),
  );
  const ids = placed.map((response) => created(response).id as number);
  for (const [index, id] of ids.entries()) {
    if (index % 3 > 0) await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing' } });
    if (index % 3 > 1) await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'ready' } });
  }
  all = (await harness.waiter('GET', '/orders?limit=200')).body;
});
afterAll(() => harness.close());

const idsOf = (orders: readonly Listed[]): number[] => orders.map(({ id }) => id);
/** Fetches this page and, through its links, all later pages. */
async function readPages(call: Call, path: string): Promise<Listed[][]> {
  const { body, headers } = await call('GET', path);
  const [, next] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
  return next === undefined ? [body] : [body, ...(await readPages(call, next))];
}

describe('the list of orders', () => {
  test('contains all orders for staff, newest first', () => {
    expect(all).toHaveLength(60);
    const sorted = all.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id);
    expect(idsOf(all)).toEqual(idsOf(sorted));
  });

  test.each([1, 7, 20, 59, 60, 61])(
    "contains each order exactly once when it's fetched in pages of %d",
    async (limit) => {
      const pages = await readPages(harness.waiter, `/orders?limit=${limit}`);
      expect(idsOf(pages.flat())).toEqual(idsOf(all));
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      const oldestFirst = await readPages(harness.waiter, `/orders?limit=${limit}&sort=created_at`);
      expect(idsOf(oldestFirst.flat())).toEqual(idsOf(all).toReversed());
    },
  );

  test('contains each order exactly once, even if an order is placed between two pages', async () => {
    const first = await harness.waiter('GET', '/orders?limit=10');
    const dish = await harness.createDish();
    await harness.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }], table: '99' } });
    const [, next = ''] = /^<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];
    const rest = (await readPages(harness.waiter, next)).flat();
    expect(idsOf([...first.body, ...rest])).toEqual(idsOf(all));
    await harness.db.collection('pedidos').deleteMany({ table: '99' });
  });

  test.each(['received', 'received,ready', 'ready,preparing,received,delivered,cancelled', 'ready,ready'])(
    'contains only the orders that match status=%s',
    async (status) => {
      const wanted = all.filter((order) => status.split(',').includes(order.status));
      const pages = await readPages(harness.waiter, `/orders?limit=7&status=${status}`);
      expect(idsOf(pages.flat())).toEqual(idsOf(wanted));
    },
  );

  test('contains only orders that match both table and status', async () => {
    const wanted = all.filter(({ table, status }) => table === '12' && status === 'ready');
    expect(wanted.length).toBeGreaterThan(3);
    const pages = await readPages(harness.waiter, '/orders?limit=3&table=12&status=ready');
    expect(idsOf(pages.flat())).toEqual(idsOf(wanted));
  });

  test('includes orders placed exactly at the start or end of the period', async () => {
    const times = all.map(({ created_at: at }) => at);
    const [to = '', from = ''] = [times[10], times[40]];
    const wanted = all.filter(({ created_at: at }) => at >= from && at <= to);
    for (const sort of ['created_at', '-created_at']) {
      const pages = await readPages(harness.waiter, `/orders?limit=6&from=${from}&to=${to}&sort=${sort}`);
      expect(idsOf(pages.flat()).toSorted((a, b) => b - a)).toEqual(idsOf(wanted).toSorted((a, b) => b - a));
    }
  });

  test('accepts times in any UTC offset', async () => {
    const inSaoPaulo = (at = '') => new Date(Date.parse(at) - 3 * 3600_000).toISOString().replace('Z', '000-03:00');
    const [to, from] = [all[10]?.created_at, all[40]?.created_at];
    const [inUtc, inOffset] = await Promise.all([
      readPages(harness.waiter, `/orders?limit=6&from=${from}&to=${to}`),
      readPages(harness.waiter, `/orders?limit=6&from=${inSaoPaulo(from)}&to=${inSaoPaulo(to)}`),
    ]);
    expect(idsOf(inUtc.flat()).length).toBeGreaterThan(30);
    expect(idsOf(inOffset.flat())).toEqual(idsOf(inUtc.flat()));
  });

  describe('for a customer', () => {
    const listable: [string, { sub: number; table?: string; seating?: number }, number[]][] = [
      ['a customer', { sub: 5 }, [5]],
      ['a guest whose seating has two guests', { sub: 7, table: '7', seating: 70 }, [7, 8]],
      ['a guest alone at a seating', { sub: 9, table: '7', seating: 71 }, [9]],
      ['a customer without orders', { sub: 99 }, []],
    ];
    const ordersOf = (expected: readonly number[]) => all.filter(({ placed_by: { id } }) => expected.includes(id));

    test.each(listable)('contains only those that %s may see', async (_who, claims, expected) => {
      const call = harness.as({ role: 'customer', ...claims });

      const pages = await readPages(call, '/orders?limit=5');

      expect(idsOf(pages.flat())).toEqual(idsOf(ordersOf(expected)));
    });

    test.each(listable)('filters the orders of %s by status', async (_who, claims, expected) => {
      const call = harness.as({ role: 'customer', ...claims });

      const pages = await readPages(call, '/orders?limit=2&status=ready');

      expect(idsOf(pages.flat())).toEqual(idsOf(ordersOf(expected).filter(({ status }) => status === 'ready')));
    });
  });

  test('is empty if no order matches', async () => {
    const response = await harness.waiter('GET', '/orders?table=404');
    expect([response.status, response.body, response.headers.get('link')]).toEqual([200, [], null]);
  });

  test.each([
    'status=cooking',
    'status=',
    'status=ready,,received',
    'limit=0',
    'limit=201',
    'limit=1.5',
    'limit=1e400',
    'sort=id',
    'from=yesterday',
    'from=2026-02-31T00:00:00Z',
    'from=2026-02-01T00:00:00+00:00', // this plus sign means a space
    'cursor=%00',
    'cursor=MTIz',
    'cursor=e30',
    'cursor=99999999999999-1',
    'cursor=1795208400000-0',
    'unknown=1',
    'limit=1&limit=2',
    'table=a%20b',
  ])('returns a 400 that names the parameter for the query %s', async (query) => {
    const { status, body } = await harness.waiter('GET', `/orders?${query}`);
    expect([status, body.code, body.errors?.[0]?.in]).toEqual([400, 'validation_failed', 'query']);
  });

  test('accepts any cursor in the documented format', async () => {
    for (const cursor of ['0-1', '1795208400000-1042', '9999999999999-999999999999999'])
      expect((await harness.waiter('GET', `/orders?cursor=${cursor}`)).status).toBe(200);
  });

  test('goes backwards if its cursor is used with the opposite sort order', async () => {
    const first = await harness.waiter('GET', '/orders?limit=5');
    const [, cursor] = /cursor=([\w-]+)/.exec(first.headers.get('link') ?? '') ?? [];
    const back = await harness.waiter('GET', `/orders?limit=4&sort=created_at&cursor=${cursor}`);
    const ids = (body: { id: number }[]): number[] => body.map(({ id }) => id);
    expect(ids(back.body)).toEqual(ids(first.body).slice(0, 4).toReversed());
  });
});
