import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OrderInEvent, OrderStatus } from '@comanda/contracts/order';
import { caller, created, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

type Role = 'owner' | 'mate' | 'stranger' | 'waiter' | 'manager';

let harness: OrdersHarness;
let dish: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-update');
  dish = await harness.createDish();
});
afterAll(() => harness.close());

/** Returns callers by their relation to an order at this seating. The mate is at the same seating, and the stranger is at none. */
const callersAt = (seating: number): Record<Role, Call> => ({
  owner: harness.as({ sub: 5, role: 'customer', table: '7', seating }),
  mate: harness.as({ sub: 6, role: 'customer', table: '7', seating }),
  stranger: harness.as({ sub: 7, role: 'customer' }),
  waiter: harness.waiter,
  manager: harness.manager,
});

let seatings = 0;
/** Places an order for the guest with id 5, at a new seating. */
async function placeOrder(lines = 1) {
  const { owner } = callersAt(++seatings);
  const items = Array.from({ length: lines }, () => ({ item_id: dish, quantity: 1 }));
  return created(await owner('POST', '/orders', { body: { items } }));
}

const putStatus = (call: Call, id: number, status: OrderStatus) => call('PUT', `/orders/${id}`, { body: { status } });
type ItemPath = { id: number; item: number };
const putItemStatus = ({ id, item }: ItemPath, status: OrderStatus, call = harness.waiter) =>
  call('PUT', `/orders/${id}/items/${item}`, { body: { status } });

const getOrder = async (id: number) => (await harness.manager('GET', `/orders/${id}`)).body;
const itemStatuses = (order: { items: readonly { status: OrderStatus }[] }): OrderStatus[] =>
  order.items.map(({ status }) => status);

/** The statuses to set, one after another, to get from `received` to each status. */
const stepsTo: Record<OrderStatus, readonly OrderStatus[]> = {
  received: [],
  preparing: ['preparing'],
  ready: ['preparing', 'ready'],
  delivered: ['preparing', 'ready', 'delivered'],
  cancelled: ['cancelled'],
};
async function placeOrderWithStatus(status: OrderStatus, lines = 1) {
  const placed = await placeOrder(lines);
  for (const step of stepsTo[status]) expect((await putStatus(harness.manager, placed.id, step)).status).toBe(200);
  return placed;
}
// order-rules.test.ts covers every combination. These rows show the service's responses and stored orders.
describe("an order's status", () => {
  test.each<[OrderStatus, Role, OrderStatus, number, OrderStatus[] | undefined]>([
    ['received', 'owner', 'cancelled', 200, []],
    ['received', 'owner', 'preparing', 403, undefined],
    ['received', 'mate', 'cancelled', 403, undefined],
    ['received', 'stranger', 'cancelled', 404, undefined],
    ['received', 'waiter', 'preparing', 200, ['ready', 'received', 'cancelled']],
    ['received', 'waiter', 'ready', 409, ['preparing', 'cancelled']],
    ['preparing', 'waiter', 'preparing', 200, ['ready', 'received', 'cancelled']],
  ])('changed from %s by the %s to %s returns %s with the transitions %j', async (...row) => {
    const [from, role, to, response, transitions] = row;
    const { id, seating } = await placeOrderWithStatus(from);
    const before = await getOrder(id);

    const { status, body } = await putStatus(callersAt(seating)[role], id, to);

    expect([status, body.allowed_transitions]).toEqual([response, transitions]);
    const after = await getOrder(id);
    const isChanged = response === 200 && from !== to;
    expect([after.status, itemStatuses(after)]).toEqual(isChanged ? [to, [to]] : [from, [from]]);
    expect(after.version).toBe(before.version + (isChanged ? 1 : 0));
  });
});

describe("an item's status", () => {
  test.each<[Role, OrderStatus, number]>([
    ['owner', 'cancelled', 403],
    ['waiter', 'preparing', 200],
    ['waiter', 'delivered', 409],
  ])('changed by the %s to %s returns %s', async (role, to, response) => {
    const { id, seating, items } = await placeOrder(2);

    const { status } = await putItemStatus({ id, item: items[0].id }, to, callersAt(seating)[role]);

    expect(status).toBe(response);
    expect(itemStatuses(await getOrder(id))).toEqual([response === 200 ? to : 'received', 'received']);
  });
});

describe('a change to an order with several items', () => {
  const actor = { id: 900_002, role: 'waiter' };
  const startPreparing = async () => {
    const placed = await placeOrder(3);
    const { body } = await harness.waiter('PUT', `/orders/${placed.id}`, {
      body: { status: 'preparing', reason: 'fire' },
    });
    const { allowed_transitions: _, ...orderInEvent } = body;
    return { id: placed.id as number, items: placed.items as { id: number }[], orderInEvent };
  };

  test('increases the version by one', async () => {
    const { orderInEvent } = await startPreparing();

    expect(orderInEvent.version).toBe(2);
  });

  test('publishes one event for the order', async () => {
    const { id, items, orderInEvent } = await startPreparing();

    const events = await harness.events.waitFor('order.status_changed', id);

    const changes = items.map((item) => ({ item_id: item.id, from: 'received', to: 'preparing' }));

    expect(events.map(({ data }) => data)).toEqual([
      { order: orderInEvent, from: 'received', to: 'preparing', changed_items: changes, actor, reason: 'fire' },
    ]);
  });

  test('publishes no other event that contains the whole order', async () => {
    const { id, items } = await startPreparing();
    await putItemStatus({ id, item: items[0]?.id ?? 0 }, 'ready');

    const [event] = await harness.events.waitFor('order.item_status_changed', id);

    expect(event?.data).toMatchObject({ item_id: items[0]?.id, from: 'preparing', to: 'ready', order: { version: 3 } });
    const types = harness.events.all.filter(({ subject }) => subject === String(id)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('order.'))).toEqual([
      'order.created',
      'order.status_changed',
      'order.item_status_changed',
    ]);
  });

  test("publishes the event for an item after the order's", async () => {
    const { id, items } = await placeOrder();
    await putStatus(harness.waiter, id, 'preparing');

    const [ofItem] = await harness.events.waitFor('order.item_status_changed', id);

    const change = { item_id: items[0].id, from: 'received', to: 'preparing' };
    expect(ofItem?.data).toMatchObject(change);
    expect(harness.events.of('order.status_changed', id)[0]?.data).toMatchObject({ changed_items: [change] });
  });

  test('adds the change and each item to the history', async () => {
    const { id, items } = await startPreparing();

    const { body: history } = await harness.waiter('GET', `/orders/${id}/history`);

    expect(history).toMatchObject([
      { from: null, to: 'received', version: 1, actor: { id: 5, role: 'customer' } },
      { from: 'received', to: 'preparing', version: 2, actor: { ...actor, name: 'Wanda' }, reason: 'fire' },
      ...items.map((item) => ({ item_id: item.id, from: 'received', to: 'preparing', version: 2 })),
    ]);
  });
});

describe('a delivered order', () => {
  const setDeliveredAgo = async (id: number, minutes: number) =>
    harness.db
      .collection('pedidos')
      .updateOne({ _id: id as never }, [
        { $set: { delivered_at: { $dateSubtract: { startDate: '$$NOW', unit: 'second', amount: minutes * 60 } } } },
        { $set: { 'itens.delivered_at': '$delivered_at' } },
      ]);

  test('can be set back to ready within 15 minutes', async () => {
    const { id } = await placeOrderWithStatus('delivered', 2);
    await setDeliveredAgo(id, 14.9);
    expect((await getOrder(id)).allowed_transitions).toEqual(['ready', 'cancelled']);

    const { body } = await putStatus(harness.waiter, id, 'ready');

    expect(itemStatuses(body)).toEqual(['ready', 'ready']);
  });
});

describe('an order with many simultaneous writers', () => {
  test("stores each of 50 clients' changes at two instances", async () => {
    const { id, items } = await placeOrder(50);
    const second = await harness.startInstance();
    const viaSecond = caller(second.url, { token: harness.issuer.token({ sub: 900_003, role: 'waiter' }) });
    const deliver = async (item: number, call: Call): Promise<void> => {
      for (const step of stepsTo.delivered) {
        const { status, body } = await putItemStatus({ id, item }, step, patient(call));
        expect([status, body.status]).toEqual([200, statusFromItems(body.items)]);
      }
    };

    await Promise.all(
      items.map((item: { id: number }, index: number) =>
        deliver(item.id, index % 2 === 0 ? harness.waiter : viaSecond),
      ),
    );

    expect(await getOrder(id)).toMatchObject({ status: 'delivered', version: 151 });
    await harness.events.waitFor('order.item_status_changed', id, 150);
    const events = harness.events.all.filter(
      ({ subject, type }) => subject === String(id) && type.startsWith('order.'),
    );
    const orders = events.map(({ data }) => (data as { order: OrderInEvent }).order);
    const versions = orders.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(orders.map(({ status }) => status)).toEqual(orders.map((order) => statusFromItems(order.items)));
  });
});

/** Computes the expected status from the specification. */
function statusFromItems(items: readonly { status: OrderStatus }[]): OrderStatus {
  const left = items.map(({ status }) => status).filter((status) => status !== 'cancelled');
  if (left.length === 0) return 'cancelled';
  if (left.every((status) => status === 'delivered')) return 'delivered';
  if (left.every((status) => status === 'delivered' || status === 'ready')) return 'ready';
  return left.some((status) => status !== 'received') ? 'preparing' : 'received';
}
