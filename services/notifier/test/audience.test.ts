import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { orderCreated, orderingChanged, orderStatusChanged } from '@comanda/testing/event-factories';
import { until } from '@comanda/testing/until';
import { startNotifierHarness, type NotifierHarness } from './support/harness.ts';
import type { FeedClient } from '@comanda/testing/feed-client';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

const pinChanged = (userId: number): CloudEvent => ({
  specversion: '1.0',
  id: crypto.randomUUID(),
  source: '/auth-stepup',
  type: 'security.transaction_password_changed',
  subject: String(userId),
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  data: { user_id: userId } as never,
});
const transferPosted = (...parties: number[]): CloudEvent => ({
  ...pinChanged(0),
  id: crypto.randomUUID(),
  source: '/transfers',
  type: 'transfer.posted',
  data: { transfer: { id: 1, amount: '1.00' }, party_ids: parties } as never,
});

async function connectAll(): Promise<Record<string, FeedClient>> {
  const clients = {
    manager: harness.connect({ sub: 1, role: 'manager' }),
    waiter: harness.connect({ sub: 2, role: 'waiter' }),
    ana: harness.connect({ sub: 5, role: 'customer' }),
    bob: harness.connect({ sub: 6, role: 'customer' }),
    guest: harness.connect({ sub: 7, role: 'customer', table: '12', seating: 88 }),
    mate: harness.connect({ sub: 8, role: 'customer', table: '12', seating: 88 }),
    stranger: harness.connect({ sub: 9, role: 'customer', table: '12', seating: 87 }),
  };
  await Promise.all(Object.values(clients).map((client) => client.untilStatus('live')));
  return clients;
}
/** Waits until the client has this event. The notifier may be `live` before it has read an event that the broker has stored. */
const untilLast = ({ events }: FeedClient, last: CloudEvent | undefined): Promise<boolean> =>
  until(() => events.at(-1)?.id === last?.id, { what: 'the last event at the client' });

/**
 * Publishes `event` and returns the names of the clients that receive it. A second event goes to every client, so a client that
 * receives only the second one did not get the first.
 */
async function receiversOf(event: CloudEvent): Promise<string[]> {
  const clients = await connectAll();
  const last = orderingChanged('last');
  await harness.publish(event, last);
  const entries = Object.entries(clients);
  await Promise.all(entries.map(([, client]) => untilLast(client, last)));
  for (const [, { events }] of entries) expect(events.at(-1)).toEqual(last);
  return entries.filter(([, { events }]) => events.some(({ id }) => id === event.id)).map(([name]) => name);
}

describe('the notifier', () => {
  test("sends a customer's order to staff and to that customer", async () => {
    expect(await receiversOf(orderCreated({ orderId: 1, placedBy: 5 }))).toEqual(['manager', 'waiter', 'ana']);
  });

  test("sends a guest's order to staff and to the guest's seating", async () => {
    const event = orderStatusChanged({ orderId: 2, placedBy: 7, seating: 88, table: '12', version: 2 });
    expect(await receiversOf(event)).toEqual(['manager', 'waiter', 'guest', 'mate']);
  });

  test("sends a move to the order's old and new seating", async () => {
    const created = orderCreated({ orderId: 9, placedBy: 7, seating: 87, table: '14', version: 2 });
    const moved = {
      ...created,
      type: 'order.table_changed',
      data: { ...created.data, from: '12', to: '14', from_seating: 88, actor: { id: 2, role: 'waiter' } },
    } as CloudEvent;

    expect(await receiversOf(moved)).toEqual(['manager', 'waiter', 'guest', 'mate', 'stranger']);
  });

  test("sends a user's PIN change only to that user", async () => {
    expect(await receiversOf(pinChanged(6))).toEqual(['bob']);
  });

  test('sends a transfer to its two parties', async () => {
    expect(await receiversOf(transferPosted(5, 2))).toEqual(['waiter', 'ana']);
  });

  test('sends an event without an audience to no clients', async () => {
    expect(await receiversOf(transferPosted())).toEqual([]);
  });

  test('tells all clients when ordering is paused', async () => {
    expect(await receiversOf(orderingChanged('full'))).toHaveLength(7);
  });

  test('sends an event of an unknown type to its audience', async () => {
    const event = { ...orderCreated({ orderId: 10 }), type: 'order.rated' as never, data: { stars: 5 } as never };

    expect(await receiversOf({ ...event, audience: 'staff seating:88 user:9' })).toEqual([
      'manager',
      'waiter',
      'guest',
      'mate',
      'stranger',
    ]);
  });

  test('sends a replayed event to the same clients as before', async () => {
    const clients = await connectAll();
    const afters = Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, client.cursor()]));
    const events = [
      orderCreated({ orderId: 3, placedBy: 5 }),
      pinChanged(6),
      orderCreated({ orderId: 4, placedBy: 8, seating: 88 }),
      orderingChanged('late'),
    ];
    harness.reset();
    await harness.publish(...events);

    const [created, pin, seated, paused] = events;
    const guest = harness.connect({ sub: 7, role: 'customer', table: '12', seating: 88 }, { after: afters['guest'] });
    const bob = harness.connect({ sub: 6, role: 'customer' }, { after: afters['bob'] });
    const waiter = harness.connect({ sub: 2, role: 'waiter' }, { after: afters['waiter'] });
    await Promise.all([guest, bob, waiter].map((client) => untilLast(client, paused)));

    expect(guest.events).toEqual([seated, paused]);
    expect(bob.events).toEqual([pin, paused]);
    expect(waiter.events).toEqual([created, seated, paused]);
  });

  test("counts unreadable events, but doesn't send them to any client", async () => {
    const waiter = harness.connect({ sub: 2, role: 'waiter' });
    await waiter.untilStatus('live');
    const before = await harness.metric('comanda_feed_unreadable_events_total');
    const good = orderCreated({ orderId: 5 });

    await harness.publish(
      { ...good, id: crypto.randomUUID(), type: 'order.teleported' as never },
      { ...good, id: crypto.randomUUID(), data: {} as never },
      { ...good, id: crypto.randomUUID(), type: 'toString' as never },
      { ...good, id: crypto.randomUUID(), audience: 7 as never },
      { ...good, id: crypto.randomUUID(), source: '/transfers' },
      good,
    );

    await waiter.untilEvents(1);
    expect(waiter.events).toEqual([good]);
    expect(await harness.metric('comanda_feed_unreadable_events_total')).toBe(before + 5);
  });
});
