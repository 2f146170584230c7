import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, created } from '@comanda/testing/call';
import type { Call } from '@comanda/testing/call';
import { startOrdersHarness } from './support/harness.ts';
import type { OrdersHarness } from './support/harness.ts';

type Status = 'received' | 'preparing' | 'ready' | 'delivered' | 'cancelled';
const statuses: readonly Status[] = ['received', 'preparing', 'ready', 'delivered', 'cancelled'];

let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-moves');
  dish = await harness.createDish();
});
afterAll(() => harness.close());

/** Everybody who may ask, as they stand to an order of this seating. */
const callers = (seating: number): Record<string, Call> => ({
  owner: harness.as({ sub: 5, role: 'customer', table: '7', seating }),
  mate: harness.as({ sub: 6, role: 'customer', table: '7', seating }),
  stranger: harness.as({ sub: 7, role: 'customer' }),
  waiter: harness.waiter,
  manager: harness.manager,
});
let seatings = 0;
/** An order of the guest with id 5, at a seating of its own. */
async function place(lines = 1) {
  const { owner } = callers(++seatings) as { owner: Call };
  const items = Array.from({ length: lines }, () => ({ item_id: dish, quantity: 1 }));
  return created(await owner('POST', '/orders', { body: { items } }));
}
const put = (call: Call, id: number, status: Status) => call('PUT', `/orders/${id}`, { body: { status } });
const putItem = (at: { id: number; item: number }, status: Status, call = harness.waiter) =>
  call('PUT', `/orders/${at.id}/items/${at.item}`, { body: { status } });

/** The way to a status, by allowed moves alone. */
const ways: Record<Status, readonly Status[]> = {
  received: [],
  preparing: ['preparing'],
  ready: ['preparing', 'ready'],
  delivered: ['preparing', 'ready', 'delivered'],
  cancelled: ['cancelled'],
};
async function orderAt(status: Status, lines = 1) {
  const placed = await place(lines);
  for (const step of ways[status]) expect((await put(harness.manager, placed.id, step)).status).toBe(200);
  return placed;
}

/** Written by hand from the specification, and from no table of the code. */
const staffMay: Record<Status, readonly Status[]> = {
  received: ['preparing', 'cancelled'],
  preparing: ['ready', 'received', 'cancelled'],
  ready: ['delivered', 'preparing', 'cancelled'],
  delivered: ['ready'],
  cancelled: [],
};
const mayOf = (who: string, from: Status): readonly Status[] => (who === 'owner' ? [] : staffMay[from]);
function expected(who: string, from: Status, to: Status): number {
  if (who === 'stranger') return 404;
  if (who === 'mate') return 403;
  if (who === 'owner') {
    if (to !== 'cancelled') return 403;
    return from === 'cancelled' || from === 'received' ? 200 : 409;
  }
  return from === to || staffMay[from].includes(to) ? 200 : 409;
}

describe('every state × role × target, of orders', () => {
  for (const from of statuses)
    for (const who of ['owner', 'mate', 'stranger', 'waiter', 'manager'])
      test(`when the order is ${from} and the ${who} asks, then only what the specification allows is done`, async () => {
        for (const to of statuses) {
          const { id, seating } = await orderAt(from);
          const before = (await harness.manager('GET', `/orders/${id}`)).body;
          const answer = await put(callers(seating)[who] as Call, id, to);
          expect([from, who, to, answer.status]).toEqual([from, who, to, expected(who, from, to)]);
          const after = (await harness.manager('GET', `/orders/${id}`)).body;
          const moved = answer.status === 200 && from !== to;
          expect(after.status).toBe(moved ? to : from);
          expect(after.version).toBe(before.version + (moved ? 1 : 0));
          expect(after.items.map(({ status }: { status: Status }) => status)).toEqual([moved ? to : from]);
          const told = answer.status === 409 ? answer.body.allowed_transitions : null;
          expect(told).toEqual(answer.status === 409 ? mayOf(who, from) : null);
        }
      });
  test.each(statuses)('when an order is %s, then each reader is told what they may do next', async (from) => {
    const { id, seating } = await orderAt(from);
    for (const who of ['owner', 'mate', 'waiter', 'manager']) {
      const { body } = await (callers(seating)[who] as Call)('GET', `/orders/${id}`);
      const may = statuses.filter((to) => to !== from && expected(who, from, to) === 200);
      expect([who, ...body.allowed_transitions.toSorted()]).toEqual([who, ...may.toSorted()]);
    }
  });
});

describe('every state × role × target, of items', () => {
  for (const from of statuses)
    for (const who of ['owner', 'mate', 'stranger', 'waiter', 'manager'])
      test(`when the item is ${from} and the ${who} asks, then only what the specification allows is done`, async () => {
        for (const to of statuses) {
          // The second item keeps the order from following, so that the item's own state is what is tried.
          const placed = await place(2);
          const { id } = placed;
          const item = placed.items[0].id;
          for (const step of ways[from]) expect((await putItem({ id, item }, step)).status).toBe(200);
          const answer = await putItem({ id, item }, to, callers(placed.seating)[who]);
          const allowed = who === 'waiter' || who === 'manager' ? expected(who, from, to) : 403;
          expect([from, who, to, answer.status]).toEqual([from, who, to, allowed]);
          const after = (await harness.manager('GET', `/orders/${id}`)).body;
          expect(after.items[0].status).toBe(answer.status === 200 ? to : from);
          expect(after.items[1].status).toBe('received');
        }
      });
});

describe('the status of an order follows its items', () => {
  test.each<[readonly Status[], Status]>([
    [['received', 'received', 'received'], 'received'],
    [['preparing', 'received', 'received'], 'preparing'],
    [['delivered', 'received', 'received'], 'preparing'],
    [['ready', 'preparing', 'delivered'], 'preparing'],
    [['ready', 'ready', 'delivered'], 'ready'],
    [['ready', 'cancelled', 'delivered'], 'ready'],
    [['delivered', 'delivered', 'delivered'], 'delivered'],
    [['delivered', 'cancelled', 'cancelled'], 'delivered'],
    [['received', 'cancelled', 'cancelled'], 'received'],
    [['cancelled', 'cancelled', 'cancelled'], 'cancelled'],
  ])('when the items are %j, then it is %s', async (items, status) => {
    const placed = await place(3);
    let last = placed;
    for (const [index, target] of items.entries())
      for (const step of ways[target]) {
        const moved = await putItem({ id: placed.id, item: placed.items[index].id }, step);
        expect(moved.status).toBe(200);
        last = moved.body;
      }
    expect(last.status).toBe(status);
    expect(last.total).toBe(
      `${10 * items.filter((each) => each !== 'cancelled').length}.00`.replace(/^0\.00$/, '0.00'),
    );
  });
});

describe('moving an order moves its items', () => {
  const set = async (id: number, items: { id: number }[], targets: readonly Status[]) => {
    for (const [index, target] of targets.entries())
      for (const step of ways[target]) await putItem({ id, item: items[index]?.id ?? 0 }, step);
  };
  const itemsOf = async (id: number): Promise<Status[]> =>
    (await harness.manager('GET', `/orders/${id}`)).body.items.map(({ status }: { status: Status }) => status);

  test('when it is set forward, then the items that lag behind come along', async () => {
    const { id, items } = await place(4);
    await set(id, items, ['preparing', 'received', 'delivered', 'cancelled']);
    expect((await put(harness.waiter, id, 'ready')).body.status).toBe('ready');
    expect(await itemsOf(id)).toEqual(['ready', 'ready', 'delivered', 'cancelled']);
  });

  test('when it is set back, then those that stand where it stood go back, and 409 while one stands further on', async () => {
    const { id, items } = await place(3);
    await set(id, items, ['preparing', 'received', 'cancelled']);
    expect((await put(harness.waiter, id, 'received')).status).toBe(200);
    expect(await itemsOf(id)).toEqual(['received', 'received', 'cancelled']);
    await set(id, items, ['ready']);
    const refused = await put(harness.waiter, id, 'received');
    expect([refused.status, refused.body.allowed_transitions]).toEqual([409, ['ready', 'cancelled']]);
    expect(await itemsOf(id)).toEqual(['ready', 'received', 'cancelled']);
  });

  test('when something was delivered and the rest is cancelled, then the order is delivered', async () => {
    const { id, items } = await place(2);
    await set(id, items, ['delivered', 'preparing']);
    expect((await put(harness.waiter, id, 'cancelled')).body).toMatchObject({ status: 'delivered', total: '10.00' });
    expect(await itemsOf(id)).toEqual(['delivered', 'cancelled']);
  });

  test('when one write moves several items, then it is one version, with an event of each and all in the history', async () => {
    const { id, items } = await place(3);
    const moved = await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'preparing', reason: 'fire' } });
    expect(moved.body.version).toBe(2);
    await harness.events.waitFor('order.item_status_changed', id, 3);
    const changed = await harness.events.waitFor('order.status_changed', id);
    const { allowed_transitions: _, ...whole } = moved.body;
    const actor = { id: 900_002, role: 'waiter' };
    expect(changed[0]?.data).toEqual({ order: whole, from: 'received', to: 'preparing', actor, reason: 'fire' });
    for (const [index, event] of harness.events.of('order.item_status_changed', id).entries())
      expect(event.data).toEqual({
        order: whole,
        item_id: items[index].id,
        from: 'received',
        to: 'preparing',
        actor,
      });
    const { body: history } = await harness.waiter('GET', `/orders/${id}/history`);
    expect(history).toMatchObject([
      { from: null, to: 'received', version: 1, actor: { id: 5, role: 'customer' } },
      { from: 'received', to: 'preparing', version: 2, actor, reason: 'fire' },
      ...items.map((item: { id: number }) => ({ item_id: item.id, from: 'received', to: 'preparing', version: 2 })),
    ]);
  });
});

describe('back from delivered', () => {
  const age = async (id: number, minutes: number) =>
    harness.db
      .collection('pedidos')
      .updateOne({ _id: id as never }, [
        { $set: { delivered_at: { $dateSubtract: { startDate: '$$NOW', unit: 'second', amount: minutes * 60 } } } },
        { $set: { 'itens.delivered_at': '$delivered_at' } },
      ]);

  test('when it was delivered less than 15 minutes ago, then it may go back to ready', async () => {
    const { id } = await orderAt('delivered', 2);
    await age(id, 14.9);
    expect((await harness.waiter('GET', `/orders/${id}`)).body.allowed_transitions).toEqual(['ready']);
    expect((await put(harness.waiter, id, 'ready')).body.items).toMatchObject([
      { status: 'ready' },
      { status: 'ready' },
    ]);
  });

  test('when it was delivered 15 minutes ago, then neither the order nor an item may', async () => {
    const { id, items } = await orderAt('delivered', 2);
    await age(id, 15.1);
    expect((await harness.waiter('GET', `/orders/${id}`)).body.allowed_transitions).toEqual([]);
    expect((await put(harness.waiter, id, 'ready')).status).toBe(409);
    expect((await putItem({ id, item: items[0].id }, 'ready')).status).toBe(409);
  });
});

describe('fifty hands on one ticket', () => {
  test("when 50 stations bump one order's items at once, then all are done and no aggregate is ever stale", async () => {
    const { id, items } = await place(50);
    // On two instances, so that what meets does not meet in one process.
    const { url } = await harness.startInstance();
    const second = caller(url, { token: harness.issuer.token({ sub: 900_003, role: 'waiter' }) });
    const bump = async (item: number, station: Call) => {
      for (const step of ways.delivered) {
        const { status, body } = await untilTaken(() => putItem({ id, item }, step, station));
        expect(status).toBe(200);
        expect(body.status).toBe(aggregate(body.items));
      }
    };
    await Promise.all(
      items.map((item: { id: number }, index: number) => bump(item.id, index % 2 === 0 ? harness.waiter : second)),
    );
    const { body } = await harness.waiter('GET', `/orders/${id}`);
    expect(body).toMatchObject({ status: 'delivered', version: 151 });
    await harness.events.waitFor('order.item_status_changed', id, 150);
    const events = harness.events.all.filter(
      ({ subject, type }) => subject === String(id) && type.startsWith('order.'),
    );
    const orders = events.map(
      ({ data }) => (data as { order: { version: number; items: { status: Status }[] } }).order,
    );
    const versions = orders.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    for (const order of orders as ((typeof orders)[number] & { status: Status })[])
      expect(order.status).toBe(aggregate(order.items));
  });
});

/** As a screen does it: what is told that too many write at once is told again. */
async function untilTaken(call: () => ReturnType<Call>): ReturnType<Call> {
  const answer = await call();
  return answer.status === 503 ? untilTaken(call) : answer;
}

/** By the words of the specification. */
function aggregate(items: readonly { status: Status }[]): Status {
  const left = items.map(({ status }) => status).filter((status) => status !== 'cancelled');
  if (left.length === 0) return 'cancelled';
  if (left.every((status) => status === 'delivered')) return 'delivered';
  if (left.every((status) => status === 'delivered' || status === 'ready')) return 'ready';
  return left.some((status) => status !== 'received') ? 'preparing' : 'received';
}
