import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { orderCreated } from '@comanda/testing/event-factories';
import { publishHeartbeats, type HeartbeatFacts } from '@comanda/shared/messaging/heartbeat';
import { createPublisher } from '@comanda/shared/messaging/publisher';
import { provokeAlarm, startOwnBroker } from '@comanda/testing/own-broker';
import { startSilentBroker, type SilentBroker } from '@comanda/testing/silent-broker';
import { silentLogger } from '@comanda/testing/silent-logger';
import type { FeedClient } from '@comanda/testing/feed-client';
import type { OwnServer } from '@comanda/testing/own-server';
import type { TestClaims } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness, type NotifierHarness } from './support/harness.ts';

let broker: OwnServer;
let harness: NotifierHarness;
beforeAll(async () => {
  broker = await startOwnBroker();
  harness = await startNotifierHarness({}, { brokerUrl: broker.url });
  // The stream needs an event, because after an outage, all empty streams look the same.
  const client = harness.connect(staff);
  await client.untilStatus('live');
  await harness.publish(orderCreated({ orderId: 100 }));
  await client.untilEvents(1);
  client.close();
});
/** Functions that close what the test has opened, in this order. */
const opened: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});
afterAll(async () => {
  broker.kill('SIGCONT');
  await harness.close();
  await broker.discard();
});

async function connectLive(claims: TestClaims): Promise<FeedClient> {
  const client = harness.connect(claims);
  await client.untilStatus('live');
  return client;
}
const statusOf = async (url: string, path: string): Promise<number> => (await fetch(url + path)).status;

describe('an unavailable broker', () => {
  test('causes the status `stalled` when it freezes', async () => {
    const clients = [await connectLive(staff), await connectLive({ sub: 5, role: 'customer' })];
    const [client] = clients as [FeedClient];
    await harness.publish(orderCreated({ orderId: 1 }));
    await Promise.all(clients.map((each) => each.untilEvents(1)));

    const frozenAt = Date.now();
    broker.kill('SIGSTOP');
    const stalled = await client.untilStatus('stalled');
    const late = harness.connect(staff, { after: client.cursors[0] });
    const lateStalled = await late.untilStatus('stalled');
    const reading = async (): Promise<unknown> => {
      const response = await fetch(`${harness.metricsUrl}/readyz`);
      return ((await response.json()) as { dependencies: { rabbitmq: string } }).dependencies.rabbitmq;
    };
    await until(async () => (await reading()) === 'down', { what: 'the stream not to be read', timeoutMs: 20_000 });
    const health = await Promise.all(['/livez', '/readyz'].map((path) => statusOf(harness.url, path)));
    const missed = orderCreated({ orderId: 2 });
    const published = harness.publish(missed);
    broker.kill('SIGCONT');
    await published;

    // `since` is the time of the last message from the silent source. If it were more than 8 s before the freeze, the feed would
    // have stalled sooner.
    const since = Date.parse(stalled.since ?? '');
    expect([since > frozenAt - 9000, since <= Date.now()]).toEqual([true, true]);
    // The cursor belongs to the published event or to a later heartbeat.
    expect(stalled.cursor).toEqual(expect.any(String));
    expect(lateStalled.cursor).toBe(stalled.cursor);
    expect(health).toEqual([200, 200]); // the notifier is ready, so clients can connect and receive its status
    for (const each of [...clients, late]) {
      await each.untilStatus('live', 20_000);
      await until(() => each.events.at(-1)?.id === missed.id, { what: 'the event that was missed' });
      expect(each.received).not.toContain('gap');
    }
  });

  test('causes the status `stalled` when it is killed', async () => {
    const client = await connectLive(staff);

    broker.kill('SIGKILL');
    await broker.exited;
    await client.untilStatus('stalled');
    const missed = orderCreated({ orderId: 3 });
    const published = harness.publish(missed);
    broker = await broker.startAgain();
    await published;

    await client.untilStatus('live', 20_000);
    await client.untilEvents(1);
    expect(new Set(client.events.map(({ id }) => id))).toEqual(new Set([missed.id]));
    expect(client.received).not.toContain('gap');
  });

  test('prevents a notifier that is starting from becoming ready', async () => {
    const before = await connectLive(staff);
    const seen = orderCreated({ orderId: 4 });
    await harness.publish(seen);
    await until(() => before.events.at(-1)?.id === seen.id, { what: 'the first event' });
    const cursor = before.cursor();
    await harness.publish(orderCreated({ orderId: 5 }));
    before.close();
    broker.kill('SIGTERM');
    await broker.exited;

    const instance = await harness.startInstance({}, 'listening');
    const withoutCursor = harness.connect(staff, { from: instance });
    const withCursor = harness.connect(staff, { from: instance, after: cursor });
    const stalled = [await withoutCursor.untilStatus('stalled'), await withCursor.untilStatus('stalled')];
    const ready = await statusOf(instance.url, '/readyz');
    broker = await broker.startAgain();
    await Promise.all([withoutCursor.untilStatus('live', 20_000), withCursor.untilStatus('live', 20_000)]);
    await withCursor.untilEvents(1);

    expect(stalled).toMatchObject([{ cursor: null, since: expect.any(String) }, { cursor }]);
    expect(ready).toBe(503);
    // The client may have fetched the orders before the feed reached the stream.
    expect(withoutCursor.received.slice(-2)).toEqual(['gap', 'live']);
    expect(withCursor.received).not.toContain('gap');
    expect(withCursor.events).toHaveLength(1);
  });
});

describe("events that don't arrive although the broker is up", () => {
  test('cause the status `stalled` while an alarm blocks publishers', async () => {
    const client = await connectLive(staff);
    const endAlarm = await provokeAlarm(broker, 'disk');
    const missed = orderCreated({ orderId: 6 });
    const published = harness.publish(missed);

    await client.untilStatus('stalled');
    const late = harness.connect(staff, { after: client.cursor() });
    await late.untilStatus('stalled');
    const ready = await statusOf(harness.url, '/readyz');
    await endAlarm();
    await published;

    expect(ready).toBe(200);
    for (const [name, each] of Object.entries({ client, late })) {
      await each.untilStatus('live', 20_000);
      const last = () => each.events.at(-1)?.id;
      await until(() => last() === missed.id, { what: 'the event that was missed' }).catch((error: Error) => {
        throw new Error(`${name}: ${each.received.join(' ')}; last ${last()}, not ${missed.id}`, { cause: error });
      });
      expect(each.received).not.toContain('gap');
    }
  });

  /** Starts a notifier with its own stream and a publisher of heartbeats from orders. */
  async function startWithOrders(brokerUrlOf = async (url: string) => url) {
    const own = await startNotifierHarness();
    const publisher = createPublisher({
      url: await brokerUrlOf(own.brokerUrl),
      name: 'orders',
      logger: silentLogger,
    });
    const facts: HeartbeatFacts = {};
    const startHeartbeats = () =>
      publishHeartbeats({
        publisher,
        source: '/orders',
        findFacts: () => Promise.resolve(facts),
        logger: silentLogger,
      });
    const heartbeats = { start: startHeartbeats, stop: startHeartbeats() };
    opened.unshift(() => heartbeats.stop(), publisher.close, own.close);
    const client = own.connect(staff);
    await client.untilStatus('live');
    await until(publisher.isUp, { what: 'the publisher' });
    return { client, heartbeats, facts };
  }

  test('cause the status `stalled` if heartbeats from orders stop', async () => {
    const { client, heartbeats } = await startWithOrders();
    heartbeats.stop();
    await client.untilStatus('stalled', 20_000);

    heartbeats.stop = heartbeats.start();

    await client.untilStatus('live', 20_000);
  });

  test('cause the status `replaying` while older events are still waiting', async () => {
    const { client, facts } = await startWithOrders();
    Object.assign(facts, { oldestWaitingMs: 600_000, databaseEpoch: 'a', checksums: { menu: '1-a' } });
    const replaying = await client.untilStatus('replaying');
    facts.oldestWaitingMs = 4999;

    const live = await client.untilStatus('live');

    expect([replaying.oldest_waiting_ms, live.oldest_waiting_ms]).toEqual([600_000, undefined]);
    expect([replaying, live]).toMatchObject([
      { database_epoch: 'a', checksums: { menu: '1-a' } },
      { database_epoch: 'a', checksums: { menu: '1-a' } },
    ]);
  });

  test('cause the status `stalled` if the broker confirms nothing to orders', async () => {
    let silent: SilentBroker | undefined;
    const { client } = await startWithOrders(async (url) => {
      silent = await startSilentBroker(url);
      opened.push(silent.close);
      return silent.url;
    });
    const before = silent?.connections() ?? NaN;
    silent?.loseConfirms();

    await client.untilStatus('stalled', 20_000);
    const whileStalled = silent?.connections();
    await client.untilStatus('live', 20_000);

    expect([whileStalled, silent?.connections()]).toEqual([before, before + 1]);
  });
});
