import { connect } from 'amqplib';
import type { ChannelModel } from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/events';
import { exchange, stream } from '@comanda/shared/messaging/topology';
import { orderCreated } from '@comanda/testing/events';
import { isolated } from '@comanda/testing/isolated';
import { until } from '@comanda/testing/until';
import { staff, startHarness } from './support/harness.ts';
import type { Harness } from './support/harness.ts';

/** Far smaller than in life, so that a few hundred events are more than it holds. */
const ringEvents = 50;
const customer = { sub: 5, role: 'customer' } as const;

let harness: Harness;
let connection: ChannelModel;
beforeAll(async () => {
  harness = await startHarness({ FEED_RING_EVENTS: String(ringEvents) });
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
  const screen = at.screen(staff);
  const first = orderCreated({ orderId: 1 });
  await screen.is('live');
  await at.publish(first);
  await until(() => screen.events.at(-1)?.id === first.id, { what: 'the first event' });
  const after = screen.cursor();
  const events = orders(count);
  await at.publish(...events);
  const newest = events.at(-1)?.id ?? first.id;
  const place = (): string => Buffer.from(screen.cursor(), 'base64url').toString();
  await until(() => place().endsWith(newest), { what: 'the last event', timeoutMs: 15_000 });
  screen.close();
  return { after, events };
}

describe('coming back', () => {
  test('when nothing was missed, then the client is live at once', async () => {
    const { after } = await publishAfterCursor(0);
    const screen = harness.screen(staff, { after });
    await screen.is('live');
    expect(screen.told).toEqual(['live']);
  });

  test('when the ring has what was missed, then everyone is given it, in order, between `replaying` and `live`', async () => {
    const { after, events } = await publishAfterCursor(30);
    const screens = [harness.screen(staff, { after }), harness.screen(customer, { after })];
    for (const screen of screens) {
      await screen.is('live');
      expect(screen.told).toEqual(['replaying', ...idsOf(events), 'live']);
      expect(screen.notices.at(-1)?.cursor).toBe(screen.cursors.at(-1));
    }
  });

  test('when the ring does not go back so far, then staff are given it from the stream, all of it, in order', async () => {
    const { after, events } = await publishAfterCursor(1000);
    const before = await harness.metric('comanda_feed_replays_total{from="stream"');
    const screen = harness.screen(staff, { after });
    await screen.is('live');
    expect(screen.told).toEqual(['replaying', ...idsOf(events), 'live']);
    expect(await harness.metric('comanda_feed_replays_total{from="stream"')).toBe((before || 0) + 1);
  });

  test('when the ring does not go back so far, then a customer is told of a gap, and is live from there', async () => {
    const { after, events } = await publishAfterCursor(200);
    const screen = harness.screen(customer, { after });
    await screen.is('live');
    expect(screen.told).toEqual(['gap', 'live']);

    const last = orderCreated({ orderId: 9 });
    await harness.publish(last);
    await screen.has(1);
    expect(idsOf(screen.events)).toEqual([last.id]);
    const [gap] = screen.notices;
    const again = harness.screen(customer, { after: gap?.cursor });
    await again.is('live');
    expect(idsOf(again.events)).toEqual([last.id]);
    expect(Buffer.from(String(gap?.cursor), 'base64url').toString()).toContain(events.at(-1)?.id);
  });

  test('when events come while others are replayed, then nothing is missed, doubled or out of order', async () => {
    const { after, events } = await publishAfterCursor(1500);
    const screens = Array.from({ length: 8 }, (_, index) => harness.screen({ ...staff, sub: index + 1 }, { after }));
    const more = orders(1500);
    for (let from = 0; from < more.length; from += 10) await harness.publish(...more.slice(from, from + 10));
    for (const screen of screens) {
      await screen.is('live', 15_000);
      await screen.has(3000);
      expect(idsOf(screen.events)).toEqual(idsOf([...events, ...more]));
    }
  });

  test('when the client goes on at another instance, then it goes on where it was', async () => {
    const other = await harness.startInstance();
    const { after, events } = await publishAfterCursor(20);
    const screen = harness.screen(staff, { after, from: other });
    await screen.has(20); // replayed, or live: the other may not have read so far
    await screen.is('live');
    expect(idsOf(screen.events)).toEqual(idsOf(events));
    expect(screen.told).not.toContain('gap');
    await other.close();
  });
});

describe('a cursor that cannot be gone on from', () => {
  test('when the stream has another event there, recent or long ago, then that is a gap', async () => {
    const { after } = await publishAfterCursor(200);
    const offset = Number(Buffer.from(after, 'base64url').toString().split('.')[0]);
    for (const at of [offset + 190, offset]) {
      const screen = harness.screen(staff, { after: cursor(at, 'another-event') });
      await screen.is('live');
      expect(screen.told.slice(-2)).toEqual(['gap', 'live']);
      expect(screen.events).toEqual([]);
    }
  });

  test('when it is from the future, then that is a gap, for anyone', async () => {
    await publishAfterCursor(1);
    for (const who of [staff, customer]) {
      const screen = harness.screen(who, { after: cursor(10 ** 12, 'any') });
      await screen.is('live');
      expect(screen.told.slice(-2)).toEqual(['gap', 'live']);
    }
  });

  test('when it is of the beginning as another instance saw it, then that is a gap', async () => {
    const screen = harness.screen(staff, {
      after: Buffer.from(`beginning.${crypto.randomUUID()}`).toString('base64url'),
    });
    await screen.is('live');
    expect(screen.told.slice(-2)).toEqual(['gap', 'live']);
  });

  test('when what comes after it has been truncated, then that is a gap', async () => {
    const { rabbitmqUrl } = await isolated('notifier-truncated');
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
    const own = await startHarness({ FEED_RING_EVENTS: String(ringEvents) }, { brokerUrl: rabbitmqUrl });
    try {
      const { after } = await publishAfterCursor(2000, own);
      const screen = own.screen(staff, { after });
      await screen.is('live');
      expect(screen.told.slice(-2)).toEqual(['gap', 'live']);
      expect(screen.events).toEqual([]);
    } finally {
      await own.close();
    }
  });
});

describe('a stream that is made anew', () => {
  test('when it is, then everyone is told of a gap, comes to live, and hears what comes', async () => {
    await publishAfterCursor(3);
    const screens = [harness.screen(staff), harness.screen(customer)];
    await Promise.all(screens.map((screen) => screen.is('live')));
    const old = screens[0]?.cursor();
    const channel = await connection.createChannel();
    await channel.deleteQueue(stream);
    await channel.close();
    for (const screen of screens) {
      await until(() => screen.told.slice(-2).join() === 'gap,live', { what: 'gap and live', timeoutMs: 20_000 });
    }
    const events = orders(20);
    await harness.publish(...events);
    for (const screen of screens) await screen.has(20);
    expect(idsOf(screens[0]?.events ?? [])).toEqual(idsOf(events));
    const late = harness.screen(staff, { after: old });
    await late.is('live');
    expect(late.told.slice(-2)).toEqual(['gap', 'live']);
    expect(late.events).toEqual([]);
  });

  test('when it is empty, then its cursor is good for as long as this instance reads it', async () => {
    const own = await startHarness();
    try {
      const first = own.screen(staff);
      await first.is('live');
      const after = first.cursor();
      first.close();
      const events = orders(3);
      const reading = own.screen(staff, { after });
      await own.publish(...events);
      await reading.has(3);
      const second = own.screen(staff, { after });
      await second.is('live');
      expect(second.told).toEqual(['replaying', ...idsOf(events), 'live']);
    } finally {
      await own.close();
    }
  });
});
