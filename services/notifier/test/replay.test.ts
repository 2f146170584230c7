import { connect, type ChannelModel } from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { exchange, stream } from '@comanda/shared/messaging/topology';
import { orderCreated } from '@comanda/testing/event-factories';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { TestClaims } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness, type NotifierHarness } from './support/harness.ts';

/** The size of the ring in events: far below the default, so that a few hundred events exceed it. */
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
const cursorOf = (text: string): string => Buffer.from(text).toString('base64url');
const textOf = (cursor: string | null | undefined): string => Buffer.from(String(cursor), 'base64url').toString();

/** Publishes `count` events after a cursor. Waits until the instance has read them or noticed that some are missing. */
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
  const hasRead = (): boolean => textOf(client.cursor()).endsWith(newest) || client.received.includes('gap');
  await until(hasRead, { what: 'the last event' });
  client.close();
  return { after, events };
}

describe('a client that reconnects', () => {
  test('is live immediately if it missed nothing', async () => {
    const { after } = await publishAfterCursor(0);

    const client = harness.connect(staff, { after });
    await client.untilStatus('live');

    expect(client.received).toEqual(['live']);
  });

  test.each([
    ['staff', staff],
    ['a customer', customer],
  ])('gets the events that it missed from the replay buffer (%s)', async (_who, claims) => {
    const { after, events } = await publishAfterCursor(30);

    const client = harness.connect(claims, { after });
    await client.untilStatus('live');

    expect(client.received).toEqual(['replaying', ...idsOf(events), 'live']);
    expect(client.notices.at(-1)?.cursor).toBe(client.cursors.at(-1));
  });

  test("gets missed events from the stream if it's a staff client and the replay buffer no longer has them", async () => {
    const fromStream = 'comanda_feed_replays_total{from="stream"';
    const { after, events } = await publishAfterCursor(1000);
    const before = (await harness.metric(fromStream)) || 0;

    const client = harness.connect(staff, { after });
    await client.untilStatus('live');

    expect(client.received).toEqual(['replaying', ...idsOf(events), 'live']);
    expect(await harness.metric(fromStream)).toBe(before + 1);
  });

  test("gets a gap if it's a customer's client and the replay buffer no longer has the events", async () => {
    const { after } = await publishAfterCursor(200);
    const next = orderCreated({ orderId: 9 });

    const client = harness.connect(customer, { after });
    await client.untilStatus('live');
    await harness.publish(next);
    await client.untilEvents(1);
    const gapCursor = client.notices[0]?.cursor;
    const again = harness.connect(customer, { after: gapCursor });
    await again.untilStatus('live');

    expect(client.received).toEqual(['gap', 'live', next.id]);
    expect(again.received).not.toContain('gap');
    expect(idsOf(again.events)).toEqual([next.id]);
  });

  test('gets events published during the replay in the right order', async () => {
    const { after, events } = await publishAfterCursor(1500);
    const clients = Array.from({ length: 8 }, (_, index) => harness.connect({ ...staff, sub: index + 1 }, { after }));

    const more = orders(1500);
    for (let from = 0; from < more.length; from += 10) await harness.publish(...more.slice(from, from + 10));

    for (const client of clients) {
      await client.untilStatus('live');
      await client.untilEvents(3000);
      expect(idsOf(client.events)).toEqual(idsOf([...events, ...more]));
    }
  });

  test('continues from its cursor on another instance', async () => {
    const other = await harness.startInstance();
    const { after, events } = await publishAfterCursor(20);

    const client = harness.connect(staff, { after, from: other });
    await client.untilEvents(20); // The events may be replayed or live, because the other instance may be behind.
    await client.untilStatus('live');

    expect(idsOf(client.events)).toEqual(idsOf(events));
    expect(client.received).not.toContain('gap');
    await other.close();
  });
});

describe("a cursor that can't be used", () => {
  /** Checks that the client gets a gap and no events, and is live afterwards. */
  async function expectGap(at: NotifierHarness, claims: TestClaims, after: string | undefined): Promise<void> {
    const client = at.connect(claims, { after });
    await client.untilStatus('live');
    expect(client.received.slice(-2)).toEqual(['gap', 'live']);
    expect(client.events).toEqual([]);
  }
  /** Declares a stream that stores up to 200 KB, about a tenth of the test's events. */
  async function declareShortStream(rabbitmqUrl: string): Promise<void> {
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
  }

  test.each([
    ['in the ring', 190],
    ['older than the ring', 0],
  ])('causes a gap if its offset has another event (%s)', async (_where, distance) => {
    const { after } = await publishAfterCursor(200);
    const offset = Number(textOf(after).split('.')[0]);

    await expectGap(harness, staff, cursorOf(`${offset + distance}.another-event`));
  });

  test.each([
    ['staff', staff],
    ['a customer', customer],
  ])('causes a gap if the stream ends before its offset (%s)', async (_who, claims) => {
    await publishAfterCursor(1);

    await expectGap(harness, claims, cursorOf(`${10 ** 12}.any`));
  });

  test("causes a gap if it comes from another instance's empty stream", async () => {
    await expectGap(harness, staff, cursorOf(`beginning.${crypto.randomUUID()}`));
  });

  test('causes a gap if the stream has dropped the events after it', async () => {
    const { rabbitmqUrl } = await isolatedServers('notifier-truncated');
    await declareShortStream(rabbitmqUrl);
    const own = await startNotifierHarness({ FEED_RING_EVENTS: String(ringEvents) }, { brokerUrl: rabbitmqUrl });
    try {
      const { after } = await publishAfterCursor(2000, own);

      await expectGap(own, staff, after);
    } finally {
      await own.close();
    }
  });

  test('causes a gap if the stream was deleted', async () => {
    await publishAfterCursor(3);
    const clients = [harness.connect(staff), harness.connect(customer)];
    await Promise.all(clients.map((client) => client.untilStatus('live')));
    const oldCursor = clients[0]?.cursor();
    const events = orders(20);

    const channel = await connection.createChannel();
    await channel.deleteQueue(stream);
    await channel.close();
    for (const { received } of clients)
      await until(() => received.slice(-2).join() === 'gap,live', { what: 'gap and live', timeoutMs: 20_000 });
    await harness.publish(...events);
    for (const client of clients) await client.untilEvents(20);

    for (const client of clients) expect(idsOf(client.events)).toEqual(idsOf(events));
    await expectGap(harness, staff, oldCursor);
  });
});

describe('the cursor for an empty stream', () => {
  test('returns every later event on the same instance', async () => {
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

      const client = own.connect(staff, { after });
      await client.untilStatus('live');

      expect(client.received).toEqual(['replaying', ...idsOf(events), 'live']);
    } finally {
      await own.close();
    }
  });
});
