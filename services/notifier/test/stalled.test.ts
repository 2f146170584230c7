import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { orderCreated } from '@comanda/testing/event-factories';
import { startOwnBroker } from '@comanda/testing/own-broker';
import type { OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness } from './support/harness.ts';
import type { NotifierHarness } from './support/harness.ts';

let broker: OwnServer;
let harness: NotifierHarness;
beforeAll(async () => {
  broker = await startOwnBroker();
  harness = await startNotifierHarness({}, { brokerUrl: broker.url });
  // Of a stream that is empty nothing can be proven after a break.
  const client = harness.connect(staff);
  await client.untilStatus('live');
  await harness.publish(orderCreated({ orderId: 100 }));
  await client.untilEvents(1);
  client.close();
}, 60_000);
afterAll(async () => {
  broker.kill('SIGCONT');
  await harness.close();
  await broker.discard();
}, 30_000);

describe('a broker in trouble', () => {
  test('when it freezes, then clients hear `stalled` within 10 s and since when, and `live` again when it thaws', async () => {
    const client = harness.connect(staff);
    const customer = harness.connect({ sub: 5, role: 'customer' });
    await Promise.all([client.untilStatus('live'), customer.untilStatus('live')]);
    await harness.publish(orderCreated({ orderId: 1 }));
    await Promise.all([client.untilEvents(1), customer.untilEvents(1)]);

    const frozenAt = Date.now();
    broker.kill('SIGSTOP');
    const stalled = await client.untilStatus('stalled', 15_000);
    expect(Date.now() - frozenAt).toBeLessThan(10_000);
    expect(Date.parse(stalled.since ?? '')).toBeGreaterThan(frozenAt);
    expect(stalled.cursor).toBe(client.cursors[0]);
    expect((await fetch(`${harness.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${harness.url}/livez`)).status).toBe(200);

    // Who comes now is told the same, and is given what the ring has.
    const late = harness.connect(staff, { after: client.cursors[0] });
    expect((await late.untilStatus('stalled')).cursor).toBe(client.cursors[0]);
    const event = orderCreated({ orderId: 2 });
    const published = harness.publish(event);

    broker.kill('SIGCONT');
    await published;
    for (const each of [client, customer, late]) {
      await each.untilStatus('live', 20_000);
      await until(() => each.events.at(-1)?.id === event.id, { what: 'what was published meanwhile' });
      expect(each.received).not.toContain('gap');
    }
  }, 60_000);

  test('when it is killed and comes back, then clients hear `stalled`, `live` and what they missed, once', async () => {
    const client = harness.connect(staff);
    await client.untilStatus('live');
    broker.kill('SIGKILL');
    await broker.exited;
    await client.untilStatus('stalled', 15_000);
    const event = orderCreated({ orderId: 3 });
    const published = harness.publish(event);
    broker = await broker.startAgain();

    await published;
    await client.untilStatus('live', 20_000);
    await client.untilEvents(1);
    expect(new Set(client.events.map(({ id }) => id))).toEqual(new Set([event.id]));
    expect(client.received).not.toContain('gap');
  }, 60_000);

  test('when it is not there at the start, then the notifier waits, says so, and owns up to a gap', async () => {
    const client = harness.connect(staff);
    await client.untilStatus('live');
    const seen = orderCreated({ orderId: 4 });
    await harness.publish(seen);
    await until(() => client.events.at(-1)?.id === seen.id, { what: 'the first event' });
    const before = client.cursor();
    await harness.publish(orderCreated({ orderId: 5 }));
    client.close();
    broker.kill('SIGTERM');
    await broker.exited;
    const instance = await harness.startInstance({}, 'listening');
    const fresh = harness.connect(staff, { from: instance });
    const back = harness.connect(staff, { from: instance, after: before });
    expect(await fresh.untilStatus('stalled')).toMatchObject({ cursor: null, since: expect.any(String) });
    expect((await back.untilStatus('stalled')).cursor).toBe(before);
    expect((await fetch(`${instance.url}/readyz`)).status).toBe(503);
    broker = await broker.startAgain();

    await Promise.all([fresh.untilStatus('live', 20_000), back.untilStatus('live', 20_000)]);
    expect(fresh.received.slice(-2)).toEqual(['gap', 'live']); // it may have read the orders before the feed knew where it was
    expect(back.received).not.toContain('gap');
    expect(back.events).toHaveLength(1);
  }, 60_000);
});
