import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { orderCreated } from '@comanda/testing/event-factories';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness, type NotifierHarness } from './support/harness.ts';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

/** Returns the value of a series, or 0 if the series does not exist yet. */
const valueOf = async (series: string): Promise<number> => (await harness.metric(series)) || 0;
const untilValue = (series: string, value: number): Promise<unknown> =>
  until(async () => (await valueOf(series)) === value, { what: `${series} to be ${value}` });

/** Publishes two events. Returns the cursor of the first. */
async function publishAfterCursor(): Promise<string> {
  const client = harness.connect(staff);
  await client.untilStatus('live');
  await harness.publish(orderCreated({ orderId: 2 }));
  await client.untilEvents(1);
  const cursor = client.cursor();
  await harness.publish(orderCreated({ orderId: 3 }));
  await client.untilEvents(2);
  return cursor;
}
const orderSeen = (waitedMs: number): CloudEvent => {
  const created = orderCreated({ orderId: 1 });
  const acceptedAt = new Date(Date.now() - waitedMs).toISOString();
  const data = { order: { ...created.data.order, created_at: acceptedAt } };
  return { ...created, id: crypto.randomUUID(), type: 'order.seen', data };
};

test("each event's lag is measured only once, even if the event is published twice", async () => {
  const lag = 'comanda_feed_lag_seconds_count';
  const before = await valueOf(lag);
  const client = harness.connect(staff);
  await client.untilStatus('live');
  const created = orderCreated({ orderId: 1 });

  await harness.publish(created, created, orderCreated({ orderId: 2 }));

  await client.untilEvents(3);
  await untilValue(lag, before + 2);
});

test('the metrics show how long an accepted order takes to reach staff', async () => {
  const waited = 'comanda_order_accepted_to_seen_seconds';
  const [countBefore, sumBefore] = await Promise.all([valueOf(`${waited}_count`), valueOf(`${waited}_sum`)]);

  await harness.publish(orderSeen(7000));

  await untilValue(`${waited}_count`, countBefore + 1);
  const seconds = (await valueOf(`${waited}_sum`)) - sumBefore;
  expect(seconds).toBeGreaterThan(6.9);
  expect(seconds).toBeLessThan(30);
});

test('the metrics count gaps sent to clients', async () => {
  const gaps = 'comanda_feed_gaps_total';
  const before = await valueOf(gaps);
  const ofTheFuture = Buffer.from(`${10 ** 12}.any`).toString('base64url');
  await publishAfterCursor();

  await harness.connect(staff, { after: ofTheFuture }).untilStatus('live');

  await untilValue(gaps, before + 1);
});

test('the metrics count replays', async () => {
  const after = await publishAfterCursor();
  const replays = 'comanda_feed_replays_total{from="ring"';
  const before = await valueOf(replays);

  await harness.connect(staff, { after }).untilStatus('live');

  await untilValue(replays, before + 1);
});

test('the metrics count rejected clients by problem code', async () => {
  await harness.connectWith({ token: 'x' }).untilRefused();

  await untilValue('comanda_feed_refused_total{code="invalid_token"', 1);
});

test('the metrics show the number of connected clients', async () => {
  const clients = [harness.connect(staff), harness.connect(staff)];

  await Promise.all(clients.map((client) => client.untilStatus('live')));

  await untilValue('comanda_feed_live', 1);
  await untilValue('comanda_feed_sockets', clients.length);
});
