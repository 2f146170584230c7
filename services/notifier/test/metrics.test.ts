import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/events';
import { orderCreated } from '@comanda/testing/event-factories';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness } from './support/harness.ts';
import type { NotifierHarness } from './support/harness.ts';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

/** Resolves when the series is larger than it was by so much. */
const grows = (series: string, from: number, by: number): Promise<unknown> =>
  until(async () => (await harness.metric(series)) === from + by, { what: `${series} to grow by ${by}` });

test('when events are sent, then their lag is counted, each once, and how long an order waited to be seen', async () => {
  const lag = 'comanda_feed_lag_seconds_count';
  const seen = 'comanda_order_accepted_to_seen_seconds';
  const [lagBefore, seenBefore, sumBefore] = await Promise.all(
    [lag, `${seen}_count`, `${seen}_sum`].map((series) => harness.metric(series)),
  );
  const client = harness.connect(staff);
  await client.untilStatus('live');
  const created = orderCreated({ orderId: 1 });
  const acceptedAt = new Date(Date.now() - 7000).toISOString();
  const { order } = created.data;
  const event = {
    ...created,
    id: crypto.randomUUID(),
    type: 'order.seen',
    data: { order: { ...order, created_at: acceptedAt } },
  } as CloudEvent;
  await harness.publish(created, created, event);
  await client.untilEvents(3);
  await grows(lag, lagBefore ?? 0, 2);
  await grows(`${seen}_count`, seenBefore ?? 0, 1);
  const waitedS = (await harness.metric(`${seen}_sum`)) - (sumBefore ?? 0);
  expect(waitedS).toBeGreaterThan(6.9);
  expect(waitedS).toBeLessThan(30);
});

test('when a client is told of a gap, replayed to or refused, then that is counted', async () => {
  const first = harness.connect(staff);
  await first.untilStatus('live');
  const event = orderCreated({ orderId: 2 });
  await harness.publish(event);
  await until(() => first.events.some(({ id }) => id === event.id), { what: 'the event' });
  const after = Buffer.from(`${10 ** 12}.any`).toString('base64url');
  const replayAfter = first.cursor();
  await harness.publish(orderCreated({ orderId: 3 }));
  await until(() => first.cursor() !== replayAfter, { what: 'the next event' });

  const names = ['comanda_feed_gaps_total', 'comanda_feed_replays_total{from="ring"', 'comanda_feed_refused_total'];
  const [gaps = 0, ring = 0] = await Promise.all(names.map(async (name) => (await harness.metric(name)) || 0));
  await harness.connect(staff, { after }).untilStatus('live');
  await grows('comanda_feed_gaps_total', gaps, 1);
  await harness.connect(staff, { after: replayAfter }).untilStatus('live');
  await grows('comanda_feed_replays_total{from="ring"', ring, 1);
  await harness.connectWith({ token: 'x' }).untilRefused();
  await grows('comanda_feed_refused_total{code="invalid_token"', 0, 1);
  expect(await harness.metric('comanda_feed_live')).toBe(1);
  expect(await harness.metric('comanda_feed_sockets')).toBeGreaterThanOrEqual(3);
});
