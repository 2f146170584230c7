import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OrderInEvent, OrderStatus } from '@comanda/contracts/orders';
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

/** Callers and how they are related to an order of this seating: the mate sits there too, the stranger does not. */
const callersAt = (seating: number): Record<Role, Call> => ({
  owner: harness.as({ sub: 5, role: 'customer', table: '7', seating }),
  mate: harness.as({ sub: 6, role: 'customer', table: '7', seating }),
  stranger: harness.as({ sub: 7, role: 'customer' }),
  waiter: harness.waiter,
  manager: harness.manager,
});

let seatings = 0;
/** Places an order of the guest with id 5, at a seating of its own. */
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

/** The allowed steps that lead from `received` to each status. */
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
// Every combination is in order-rules.test.ts: these rows show what is answered and stored.
describe('the status of an order', () => {
  test.each<[OrderStatus, Role, OrderStatus, number, OrderStatus[] | undefined]>([
    ['received', 'owner', 'cancelled', 200, []],
    ['received', 'owner', 'preparing', 403, undefined],
    ['received', 'mate', 'cancelled', 403, undefined],
    ['received', 'stranger', 'cancelled', 404, undefined],
    ['received', 'waiter', 'preparing', 200, ['ready', 'received', 'cancelled']],
    ['received', 'waiter', 'ready', 409, ['preparing', 'cancelled']],
    ['preparing', 'waiter', 'preparing', 200, ['ready', 'received', 'cancelled']],
  ])('when it is %s and the %s asks for %s, then the answer is %s with the transitions %j', async (...row) => {
    const [from, role, to, answer, transitions] = row;
    const { id, seating } = await placeOrderWithStatus(from);
    const before = await getOrder(id);

    const { status, body } = await putStatus(callersAt(seating)[role], id, to);

    expect([status, body.allowed_transitions]).toEqual([answer, transitions]);
    const after = await getOrder(id);
    const isChanged = answer === 200 && from !== to;
    expect([after.status, itemStatuses(after)]).toEqual(isChanged ? [to, [to]] : [from, [from]]);
    expect(after.version).toBe(before.version + (isChanged ? 1 : 0));
  });
});

describe('the status of an item', () => {
  test.each<[Role, OrderStatus, number]>([
    ['owner', 'cancelled', 403],
    ['waiter', 'preparing', 200],
    ['waiter', 'delivered', 409],
  ])('when the %s asks for %s, then the answer is %s', async (role, to, answer) => {
    const { id, seating, items } = await placeOrder(2);

    const { status } = await putItemStatus({ id, item: items[0].id }, to, callersAt(seating)[role]);

    expect(status).toBe(answer);
    expect(itemStatuses(await getOrder(id))).toEqual([answer === 200 ? to : 'received', 'received']);
  });
});

describe('a change of an order with several items', () => {
  const actor = { id: 900_002, role: 'waiter' };
  const startPreparing = async () => {
    const placed = await placeOrder(3);
    const { body } = await harness.waiter('PUT', `/orders/${placed.id}`, {
      body: { status: 'preparing', reason: 'fire' },
    });
    const { allowed_transitions: _, ...orderInEvent } = body;
    return { id: placed.id as number, items: placed.items as { id: number }[], orderInEvent };
  };

  test('when it is written, then the version grows by one', async () => {
    const { orderInEvent } = await startPreparing();

    expect(orderInEvent.version).toBe(2);
  });

  test('when it is written, then one event reports the order', async () => {
    const { id, items, orderInEvent } = await startPreparing();

    const events = await harness.events.waitFor('order.status_changed', id);

    const changes = items.map((item) => ({ item_id: item.id, from: 'received', to: 'preparing' }));

    expect(events.map(({ data }) => data)).toEqual([
      { order: orderInEvent, from: 'received', to: 'preparing', changed_items: changes, actor, reason: 'fire' },
    ]);
  });

  test('when it is written, then no other event repeats the order', async () => {
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

  test('when it moves the only item, then the event of the item follows the event of the order', async () => {
    const { id, items } = await placeOrder();
    await putStatus(harness.waiter, id, 'preparing');

    const [ofItem] = await harness.events.waitFor('order.item_status_changed', id);

    const change = { item_id: items[0].id, from: 'received', to: 'preparing' };
    expect(ofItem?.data).toMatchObject(change);
    expect(harness.events.of('order.status_changed', id)[0]?.data).toMatchObject({ changed_items: [change] });
  });

  test('when it is written, then the history contains the order and each item', async () => {
    const { id, items } = await startPreparing();

    const { body: history } = await harness.waiter('GET', `/orders/${id}/history`);

    expect(history).toMatchObject([
      { from: null, to: 'received', version: 1, actor: { id: 5, role: 'customer' } },
      { from: 'received', to: 'preparing', version: 2, actor: { ...actor, name: 'Wanda' }, reason: 'fire' },
      ...items.map((item) => ({ item_id: item.id, from: 'received', to: 'preparing', version: 2 })),
    ]);
  });
});

describe('back from delivered', () => {
  const setDeliveredAgo = async (id: number, minutes: number) =>
    harness.db
      .collection('pedidos')
      .updateOne({ _id: id as never }, [
        { $set: { delivered_at: { $dateSubtract: { startDate: '$$NOW', unit: 'second', amount: minutes * 60 } } } },
        { $set: { 'itens.delivered_at': '$delivered_at' } },
      ]);

  test('when it was delivered less than 15 minutes ago, then it can go back to ready', async () => {
    const { id } = await placeOrderWithStatus('delivered', 2);
    await setDeliveredAgo(id, 14.9);
    expect((await getOrder(id)).allowed_transitions).toEqual(['ready', 'cancelled']);

    const { body } = await putStatus(harness.waiter, id, 'ready');

    expect(itemStatuses(body)).toEqual(['ready', 'ready']);
  });
});

describe('many writers at one order', () => {
  test('when 50 clients move its 50 items through two instances, then every change is stored and every event is consistent', async () => {
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

/** As the specification says it. */
function statusFromItems(items: readonly { status: OrderStatus }[]): OrderStatus {
  const left = items.map(({ status }) => status).filter((status) => status !== 'cancelled');
  if (left.length === 0) return 'cancelled';
  if (left.every((status) => status === 'delivered')) return 'delivered';
  if (left.every((status) => status === 'delivered' || status === 'ready')) return 'ready';
  return left.some((status) => status !== 'received') ? 'preparing' : 'received';
}
