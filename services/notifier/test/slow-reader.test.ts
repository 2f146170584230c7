import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { orderCreated } from '@comanda/testing/event-factories';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness, type NotifierHarness } from './support/harness.ts';
import type { FeedClient } from '@comanda/testing/feed-client';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

type Transport = { transport: { ws: { pause: () => void; resume: () => void } } };

/** Returns the client's WebSocket. Tests use it to pause and resume reading. */
const webSocketOf = ({ socket }: FeedClient) => (socket.io.engine as unknown as Transport).transport.ws;

/** Connects a client, waits until it is live, and pauses its reading. */
async function connectStuck(): Promise<FeedClient> {
  const client = harness.connect({ sub: 66, role: 'waiter' });
  await client.untilStatus('live');
  webSocketOf(client).pause();
  return client;
}
/** Creates large events that fill the operating system's buffers quickly. */
const orders = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => orderCreated({ orderId: from + index, remarks: 'x'.repeat(8000) }));
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const subjectsOf = ({ events }: FeedClient): number[] => events.map(({ subject }) => Number(subject));
const slowReaders = async (outcome: 'behind' | 'cut_off'): Promise<number> =>
  (await harness.metric(`comanda_feed_slow_readers_total{outcome="${outcome}"`)) || 0;

/** Publishes until a client is behind, and returns the number of published events. The optional `reader` must keep up. */
async function publishUntilBehind(reader?: FeedClient): Promise<number> {
  const before = await slowReaders('behind');
  let published = 0;
  while ((await slowReaders('behind')) === before && published < 20_000) {
    await harness.publish(...orders(published + 1, 50));
    published += 50;
    await reader?.untilEvents(published);
  }
  return published;
}

describe('a client that stops reading', () => {
  test('is disconnected once its buffer is full', async () => {
    const reader = harness.connect(staff);
    await reader.untilStatus('live');
    const stuck = await connectStuck();
    const isCutOff = async (): Promise<boolean> => (await harness.metric('comanda_feed_sockets')) === 1;

    let published = await publishUntilBehind(reader);
    const before = process.memoryUsage().rss;
    while (!(await isCutOff()) && published < 20_000) {
      await harness.publish(...orders(published + 1, 10));
      published += 10;
      await reader.untilEvents(published);
    }

    expect(await slowReaders('cut_off')).toBe(1);
    expect(subjectsOf(reader)).toEqual(numbers(published));
    expect(reader.received.filter((idOrStatus) => ['gap', 'stalled'].includes(idOrStatus))).toEqual([]);
    // The process may store the ring and two more copies of the events, but no buffer for the client that stopped reading.
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000 + published * 30_000);
    webSocketOf(stuck).resume();
  });
});

describe('a client that reads slowly', () => {
  test('gets all events in order after falling behind', async () => {
    const slow = await connectStuck();
    const published = await publishUntilBehind();

    webSocketOf(slow).resume();
    await slow.untilEvents(published);
    // If the client has caught up before more events arrive, the notifier does not announce `replaying`. It then announces `live`
    // twice.
    const timesLive = (): number => slow.notices.filter(({ status }) => status === 'live').length;
    await until(() => timesLive() > 1, { what: 'live again' });

    expect(subjectsOf(slow)).toEqual(numbers(published));
    expect(slow.received).not.toContain('gap');
  });
});

/** Returns the cursor of a client that left after one event and before 2000 more. */
async function cursorBefore2000Events(own: NotifierHarness): Promise<string | undefined> {
  const before = own.connect(staff);
  await before.untilStatus('live');
  await own.publish(orderCreated({ orderId: 1 }));
  await before.untilEvents(1);
  before.close();
  for (let from = 2; from < 2002; from += 100) await own.publish(...orders(from, 100));
  return before.cursors[0];
}

describe('a client that pauses for two seconds while it is sent older events', () => {
  test('gets the remaining events once it continues', async () => {
    const own = await startNotifierHarness({ FEED_RING_EVENTS: '10' });
    try {
      const after = await cursorBefore2000Events(own);
      const late = own.connect(staff, { after });
      late.socket.io.on('open', () => {
        webSocketOf(late).pause();
        setTimeout(() => webSocketOf(late).resume(), 2000);
      });

      await late.untilStatus('live', 40_000);
      await late.untilEvents(2000); // the notifier may be live before it has read the last events from the broker

      expect(late.events).toHaveLength(2000);
      expect((await own.metric('comanda_feed_slow_readers_total{outcome="cut_off"')) || 0).toBe(0);
    } finally {
      await own.close();
    }
  });
});

describe('a slow client that is sent older events', () => {
  test('has to give up the only replay slot to another client', async () => {
    const own = await startNotifierHarness({ FEED_READERS: '1', FEED_RING_EVENTS: '10' });
    try {
      const after = await cursorBefore2000Events(own);
      const stuck = own.connect({ sub: 66, role: 'waiter' }, { after });
      stuck.socket.io.on('open', () => webSocketOf(stuck).pause());
      await until(async () => (await own.metric('comanda_feed_sockets')) === 1, { what: 'the stuck client' });

      const other = own.connect(staff, { after });
      await other.untilStatus('live', 30_000);
      await other.untilEvents(2000);

      const cutOff = (await own.metric('comanda_feed_slow_readers_total{outcome="cut_off"')) || 0;
      expect(other.events).toHaveLength(2000);
      expect(cutOff).toBe(0);
      webSocketOf(stuck).resume();
      stuck.close();
    } finally {
      await own.close();
    }
  });
});
