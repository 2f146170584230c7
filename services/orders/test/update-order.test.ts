import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OrderInEvent, OrderStatus } from '@comanda/contracts/orders';
import { caller, created } from '@comanda/testing/call';
import type { Call } from '@comanda/testing/call';
import { startOrdersHarness } from './support/harness.ts';
import type { OrdersHarness } from './support/harness.ts';

const statuses: readonly OrderStatus[] = ['received', 'preparing', 'ready', 'delivered', 'cancelled'];
const roles = ['owner', 'mate', 'stranger', 'waiter', 'manager'] as const;
type Role = (typeof roles)[number];

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
/** Moves each item to its status, in allowed steps. */
async function setItems(id: number, items: readonly { id: number }[], targets: readonly OrderStatus[]): Promise<void> {
  for (const [index, target] of targets.entries())
    for (const step of stepsTo[target]) await putItemStatus({ id, item: items[index]?.id ?? 0 }, step);
}

/** Written by hand from the specification, and not from the code. */
const allowedToStaff: Record<OrderStatus, readonly OrderStatus[]> = {
  received: ['preparing', 'cancelled'],
  preparing: ['ready', 'received', 'cancelled'],
  ready: ['delivered', 'preparing', 'cancelled'],
  delivered: ['ready'],
  cancelled: [],
};
function expectedAnswer(role: Role, from: OrderStatus, to: OrderStatus): 200 | 403 | 404 | 409 {
  if (role === 'stranger') return 404;
  if (role === 'mate') return 403;
  if (role === 'owner') {
    if (to !== 'cancelled') return 403;
    return from === 'cancelled' || from === 'received' ? 200 : 409;
  }
  return from === to || allowedToStaff[from].includes(to) ? 200 : 409;
}
const isStaff = (role: Role): boolean => role === 'waiter' || role === 'manager';

/** What `allowed_transitions` of the answer contains: undefined with 403 and 404. */
function expectedTransitions({ role, from, to }: { role: Role; from: OrderStatus; to: OrderStatus }) {
  const answer = expectedAnswer(role, from, to);
  if (answer === 403 || answer === 404) return undefined;
  const status = answer === 200 ? to : from;
  return statuses.filter((next) => next !== status && expectedAnswer(role, status, next) === 200);
}

const combinations = statuses.flatMap((from) =>
  roles.flatMap((role) => statuses.map((to) => ({ from, role, to, answer: expectedAnswer(role, from, to) }))),
);

describe('the status of an order', () => {
  test.each(combinations)(
    'when it is $from and the $role asks for $to, then the answer is $answer',
    async ({ from, role, to, answer }) => {
      const { id, seating } = await placeOrderWithStatus(from);
      const before = await getOrder(id);

      const { status, body } = await putStatus(callersAt(seating)[role], id, to);

      expect(status).toBe(answer);
      const after = await getOrder(id);
      const isChanged = answer === 200 && from !== to;
      expect([after.status, itemStatuses(after)]).toEqual(isChanged ? [to, [to]] : [from, [from]]);
      expect(after.version).toBe(before.version + (isChanged ? 1 : 0));
      expect(body.allowed_transitions?.toSorted()).toEqual(expectedTransitions({ role, from, to })?.toSorted());
    },
  );

  test.each(
    statuses.flatMap((from) => (['owner', 'mate', 'waiter', 'manager'] as const).map((role) => ({ from, role }))),
  )(
    'when it is $from and the $role reads it, then allowed_transitions lists what this caller may do',
    async ({ from, role }) => {
      const { id, seating } = await placeOrderWithStatus(from);

      const { body } = await callersAt(seating)[role]('GET', `/orders/${id}`);

      const allowed = statuses.filter((to) => to !== from && expectedAnswer(role, from, to) === 200);
      expect(body.allowed_transitions.toSorted()).toEqual(allowed.toSorted());
    },
  );
});

describe('the status of an item', () => {
  const ofItems = combinations.map((each) => ({ ...each, answer: isStaff(each.role) ? each.answer : (403 as const) }));

  test.each(ofItems)(
    'when it is $from and the $role asks for $to, then the answer is $answer',
    async ({ from, role, to, answer }) => {
      // A second item stays received, so that the status of the order does not decide.
      const { id, seating, items } = await placeOrder(2);
      const item = { id, item: items[0].id };
      for (const step of stepsTo[from]) expect((await putItemStatus(item, step)).status).toBe(200);

      const { status } = await putItemStatus(item, to, callersAt(seating)[role]);

      expect(status).toBe(answer);
      expect(itemStatuses(await getOrder(id))).toEqual([answer === 200 ? to : from, 'received']);
    },
  );
});

describe('the status of an order follows from its items', () => {
  test.each<[readonly OrderStatus[], OrderStatus, string]>([
    [['received', 'received', 'received'], 'received', '30.00'],
    [['preparing', 'received', 'received'], 'preparing', '30.00'],
    [['delivered', 'received', 'received'], 'preparing', '30.00'],
    [['ready', 'preparing', 'delivered'], 'preparing', '30.00'],
    [['ready', 'ready', 'delivered'], 'ready', '30.00'],
    [['ready', 'cancelled', 'delivered'], 'ready', '20.00'],
    [['delivered', 'delivered', 'delivered'], 'delivered', '30.00'],
    [['delivered', 'cancelled', 'cancelled'], 'delivered', '10.00'],
    [['received', 'cancelled', 'cancelled'], 'received', '10.00'],
    [['cancelled', 'cancelled', 'cancelled'], 'cancelled', '0.00'],
  ])('when the items are %j, then the order is %s and its total is %s', async (targets, status, total) => {
    const { id, items } = await placeOrder(3);

    await setItems(id, items, targets);

    const order = await getOrder(id);
    expect(itemStatuses(order)).toEqual(targets);
    expect(order).toMatchObject({ status, total });
  });
});

describe('a change of the order changes its items', () => {
  test('when the order goes forward, then the items behind it go along', async () => {
    const { id, items } = await placeOrder(4);
    await setItems(id, items, ['preparing', 'received', 'delivered', 'cancelled']);

    const { body } = await putStatus(harness.waiter, id, 'ready');

    expect(body.status).toBe('ready');
    expect(itemStatuses(body)).toEqual(['ready', 'ready', 'delivered', 'cancelled']);
  });

  test('when the order goes back, then the items with its status go back', async () => {
    const { id, items } = await placeOrder(3);
    await setItems(id, items, ['preparing', 'received', 'cancelled']);

    const { status, body } = await putStatus(harness.waiter, id, 'received');

    expect(status).toBe(200);
    expect(itemStatuses(body)).toEqual(['received', 'received', 'cancelled']);
  });

  test('when an item is further than the order, then the order cannot go back', async () => {
    const { id, items } = await placeOrder(3);
    await setItems(id, items, ['ready', 'received', 'cancelled']);

    const { status, body } = await putStatus(harness.waiter, id, 'received');

    expect([status, body.allowed_transitions]).toEqual([409, ['ready', 'cancelled']]);
    expect(itemStatuses(await getOrder(id))).toEqual(['ready', 'received', 'cancelled']);
  });

  test('when one item is delivered and the order is cancelled, then the order is delivered', async () => {
    const { id, items } = await placeOrder(2);
    await setItems(id, items, ['delivered', 'preparing']);

    const { body } = await putStatus(harness.waiter, id, 'cancelled');

    expect(body).toMatchObject({ status: 'delivered', total: '10.00' });
    expect(itemStatuses(body)).toEqual(['delivered', 'cancelled']);
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
    const { id, orderInEvent } = await startPreparing();

    const events = await harness.events.waitFor('order.status_changed', id);

    expect(events.map(({ data }) => data)).toEqual([
      { order: orderInEvent, from: 'received', to: 'preparing', actor, reason: 'fire' },
    ]);
  });

  test('when it is written, then one event reports each item', async () => {
    const { id, items, orderInEvent } = await startPreparing();

    const events = await harness.events.waitFor('order.item_status_changed', id, 3);

    expect(events.map(({ data }) => data)).toEqual(
      items.map((item) => ({ order: orderInEvent, item_id: item.id, from: 'received', to: 'preparing', actor })),
    );
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
    expect((await getOrder(id)).allowed_transitions).toEqual(['ready']);

    const { body } = await putStatus(harness.waiter, id, 'ready');

    expect(itemStatuses(body)).toEqual(['ready', 'ready']);
  });

  test('when it was delivered more than 15 minutes ago, then neither the order nor an item can go back', async () => {
    const { id, items } = await placeOrderWithStatus('delivered', 2);
    await setDeliveredAgo(id, 15.1);
    expect((await getOrder(id)).allowed_transitions).toEqual([]);

    const order = await putStatus(harness.waiter, id, 'ready');
    const item = await putItemStatus({ id, item: items[0].id }, 'ready');

    expect([order.status, item.status]).toEqual([409, 409]);
  });
});

describe('many writers at one order', () => {
  test('when 50 clients move its 50 items through two instances, then every change is stored and every event is consistent', async () => {
    const { id, items } = await placeOrder(50);
    const second = await harness.startInstance();
    const viaSecond = caller(second.url, { token: harness.issuer.token({ sub: 900_003, role: 'waiter' }) });
    const deliver = async (item: number, call: Call): Promise<void> => {
      for (const step of stepsTo.delivered) {
        const { status, body } = await retryWhile503(() => putItemStatus({ id, item }, step, call));
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

async function retryWhile503(call: () => ReturnType<Call>): ReturnType<Call> {
  const answer = await call();
  return answer.status === 503 ? retryWhile503(call) : answer;
}

/** As the specification says it. */
function statusFromItems(items: readonly { status: OrderStatus }[]): OrderStatus {
  const left = items.map(({ status }) => status).filter((status) => status !== 'cancelled');
  if (left.length === 0) return 'cancelled';
  if (left.every((status) => status === 'delivered')) return 'delivered';
  if (left.every((status) => status === 'delivered' || status === 'ready')) return 'ready';
  return left.some((status) => status !== 'received') ? 'preparing' : 'received';
}
