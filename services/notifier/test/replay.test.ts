import { connect } from 'amqplib';
import type { ChannelModel } from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/events';
import { exchange, stream } from '@comanda/shared/messaging/topology';
import { orderCreated } from '@comanda/testing/event-factories';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness } from './support/harness.ts';
import type { NotifierHarness } from './support/harness.ts';

/** Far smaller than in life, so that a few hundred events are more than it holds. */
const ringEvents = 50;
const customer = { sub: 5, role: 'customer' } as const;

let harness: NotifierHarness;
let connection: ChannelModel;
beforeAll(async () => {
  harness = await startNotifierHarness({ FEED_RING_EVENTS: String(ringEvents) });
  connection = await connect(harness.brokerUrl);
});
afterEach(() => harness.reset());
afterAll(async () => {
  await connection.close();
  await harness.close();
});

const orders = (count: number): CloudEvent[] =>
  Array.from({ length: count }, (_, index) => orderCreated({ orderId: index + 1, remarks: 'x'.repeat(200) }));
const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id);
const cursor = (offset: number, id: string): string => Buffer.from(`${offset}.${id}`).toString('base64url');

/** A cursor of now, and as many events after it, which the instance has read. */
async function publishAfterCursor(count: number, at = harness): Promise<{ after: string; events: CloudEvent[] }> {
  const client = at.connect(staff);
  const first = orderCreated({ orderId: 1 });
  await client.untilStatus('live');
  await at.publish(first);
  await until(() => client.events.at(-1)?.id === first.id, { what: 'the first event' });
  const after = client.cursor();
  const events = orders(count);
  await at.publish(...events);
  const newest = events.at(-1)?.id ?? first.id;
  const place = (): string => Buffer.from(client.cursor(), 'base64url').toString();
  await until(() => place().endsWith(newest), { what: 'the last event', timeoutMs: 15_000 });
  client.close();
  return { after, events };
}

describe('coming back', () => {
  test('when nothing was missed, then the client is live at once', async () => {
    const { after } = await publishAfterCursor(0);
    const client = harness.connect(staff, { after });
    await client.untilStatus('live');
    expect(client.received).toEqual(['live']);
  });

  test('when the ring has what was missed, then everyone is given it, in order, between `replaying` and `live`', async () => {
    const { after, events } = await publishAfterCursor(30);
    const clients = [harness.connect(staff, { after }), harness.connect(customer, { after })];
    for (const client of clients) {
      await client.untilStatus('live');
      expect(client.received).toEqual(['replaying', ...idsOf(events), 'live']);
      expect(client.notices.at(-1)?.cursor).toBe(client.cursors.at(-1));
    }
  });

  test('when the ring does not go back so far, then staff are given it from the stream, all of it, in order', async () => {
    const { after, events } = await publishAfterCursor(1000);
    const before = await harness.metric('comanda_feed_replays_total{from="stream"');
    const client = harness.connect(staff, { after });
    await client.untilStatus('live');
    expect(client.received).toEqual(['replaying', ...idsOf(events), 'live']);
    expect(await harness.metric('comanda_feed_replays_total{from="stream"')).toBe((before || 0) + 1);
  });

  test('when the ring does not go back so far, then a customer is told of a gap, and is live from there', async () => {
    const { after, events } = await publishAfterCursor(200);
    const client = harness.connect(customer, { after });
    await client.untilStatus('live');
    expect(client.received).toEqual(['gap', 'live']);

    const last = orderCreated({ orderId: 9 });
    await harness.publish(last);
    await client.untilEvents(1);
    expect(idsOf(client.events)).toEqual([last.id]);
    const [gap] = client.notices;
    const again = harness.connect(customer, { after: gap?.cursor });
    await again.untilStatus('live');
    expect(idsOf(again.events)).toEqual([last.id]);
    expect(Buffer.from(String(gap?.cursor), 'base64url').toString()).toContain(events.at(-1)?.id);
  });

  test('when events come while others are replayed, then nothing is missed, doubled or out of order', async () => {
    const { after, events } = await publishAfterCursor(1500);
    const clients = Array.from({ length: 8 }, (_, index) => harness.connect({ ...staff, sub: index + 1 }, { after }));
    const more = orders(1500);
    for (let from = 0; from < more.length; from += 10) await harness.publish(...more.slice(from, from + 10));
    for (const client of clients) {
      await client.untilStatus('live', 15_000);
      await client.untilEvents(3000);
      expect(idsOf(client.events)).toEqual(idsOf([...events, ...more]));
    }
  });

  test('when the client goes on at another instance, then it goes on where it was', async () => {
    const other = await harness.startInstance();
    const { after, events } = await publishAfterCursor(20);
    const client = harness.connect(staff, { after, from: other });
    await client.untilEvents(20); // replayed, or live: the other may not have read so far
    await client.untilStatus('live');
    expect(idsOf(client.events)).toEqual(idsOf(events));
    expect(client.received).not.toContain('gap');
    await other.close();
  });
});

describe('a cursor that cannot be gone on from', () => {
  test('when the stream has another event there, recent or long ago, then that is a gap', async () => {
    const { after } = await publishAfterCursor(200);
    const offset = Number(Buffer.from(after, 'base64url').toString().split('.')[0]);
    for (const at of [offset + 190, offset]) {
      const client = harness.connect(staff, { after: cursor(at, 'another-event') });
      await client.untilStatus('live');
      expect(client.received.slice(-2)).toEqual(['gap', 'live']);
      expect(client.events).toEqual([]);
    }
  });

  test('when it is from the future, then that is a gap, for anyone', async () => {
    await publishAfterCursor(1);
    for (const who of [staff, customer]) {
      const client = harness.connect(who, { after: cursor(10 ** 12, 'any') });
      await client.untilStatus('live');
      expect(client.received.slice(-2)).toEqual(['gap', 'live']);
    }
  });

  test('when it is of the beginning as another instance saw it, then that is a gap', async () => {
    const client = harness.connect(staff, {
      after: Buffer.from(`beginning.${crypto.randomUUID()}`).toString('base64url'),
    });
    await client.untilStatus('live');
    expect(client.received.slice(-2)).toEqual(['gap', 'live']);
  });

  test('when what comes after it has been truncated, then that is a gap', async () => {
    const { rabbitmqUrl } = await isolatedServers('notifier-truncated');
    const model = await connect(rabbitmqUrl);
    const channel = await model.createChannel();
    await channel.assertExchange(exchange, 'topic', { durable: true });
    await channel.assertQueue(stream, {
      arguments: {
        'x-queue-type': 'stream',
        'x-max-length-bytes': 200_000,
        'x-stream-max-segment-size-bytes': 50_000,
      },
    });
    await channel.bindQueue(stream, exchange, '#');
    await model.close();
    const own = await startNotifierHarness({ FEED_RING_EVENTS: String(ringEvents) }, { brokerUrl: rabbitmqUrl });
    try {
      const { after } = await publishAfterCursor(2000, own);
      const client = own.connect(staff, { after });
      await client.untilStatus('live');
      expect(client.received.slice(-2)).toEqual(['gap', 'live']);
      expect(client.events).toEqual([]);
    } finally {
      await own.close();
    }
  });
});

describe('a stream that is made anew', () => {
  test('when it is, then everyone is told of a gap, comes to live, and hears what comes', async () => {
    await publishAfterCursor(3);
    const clients = [harness.connect(staff), harness.connect(customer)];
    await Promise.all(clients.map((client) => client.untilStatus('live')));
    const old = clients[0]?.cursor();
    const channel = await connection.createChannel();
    await channel.deleteQueue(stream);
    await channel.close();
    for (const client of clients) {
      await until(() => client.received.slice(-2).join() === 'gap,live', { what: 'gap and live', timeoutMs: 20_000 });
    }
    const events = orders(20);
    await harness.publish(...events);
    for (const client of clients) await client.untilEvents(20);
    expect(idsOf(clients[0]?.events ?? [])).toEqual(idsOf(events));
    const late = harness.connect(staff, { after: old });
    await late.untilStatus('live');
    expect(late.received.slice(-2)).toEqual(['gap', 'live']);
    expect(late.events).toEqual([]);
  });

  test('when it is empty, then its cursor is good for as long as this instance reads it', async () => {
    const own = await startNotifierHarness();
    try {
      const first = own.connect(staff);
      await first.untilStatus('live');
      const after = first.cursor();
      first.close();
      const events = orders(3);
      const reading = own.connect(staff, { after });
      await own.publish(...events);
      await reading.untilEvents(3);
      const second = own.connect(staff, { after });
      await second.untilStatus('live');
      expect(second.received).toEqual(['replaying', ...idsOf(events), 'live']);
    } finally {
      await own.close();
    }
  });
});
