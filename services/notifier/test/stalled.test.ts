import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { orderCreated } from '@comanda/testing/events';
import { startOwnBroker } from '@comanda/testing/own-broker';
import type { OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { staff, startHarness } from './support/harness.ts';
import type { Harness } from './support/harness.ts';

let broker: OwnServer;
let harness: Harness;
beforeAll(async () => {
  broker = await startOwnBroker();
  harness = await startHarness({}, { brokerUrl: broker.url });
  // Of a stream that is empty nothing can be proven after a break.
  const screen = harness.screen(staff);
  await screen.is('live');
  await harness.publish(orderCreated({ orderId: 100 }));
  await screen.has(1);
  screen.close();
}, 60_000);
afterAll(async () => {
  broker.kill('SIGCONT');
  await harness.close();
  await broker.discard();
}, 30_000);

describe('a broker in trouble', () => {
  test('when it freezes, then screens hear `stalled` within 10 s and since when, and `live` again when it thaws', async () => {
    const screen = harness.screen(staff);
    const customer = harness.screen({ sub: 5, role: 'customer' });
    await Promise.all([screen.is('live'), customer.is('live')]);
    await harness.publish(orderCreated({ orderId: 1 }));
    await Promise.all([screen.has(1), customer.has(1)]);

    const frozenAt = Date.now();
    broker.kill('SIGSTOP');
    const stalled = await screen.is('stalled', 15_000);
    expect(Date.now() - frozenAt).toBeLessThan(10_000);
    expect(Date.parse(stalled.since ?? '')).toBeGreaterThan(frozenAt);
    expect(stalled.cursor).toBe(screen.cursors[0]);
    expect((await fetch(`${harness.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${harness.url}/livez`)).status).toBe(200);

    // Who comes now is told the same, and is given what the ring has.
    const late = harness.screen(staff, { after: screen.cursors[0] });
    expect((await late.is('stalled')).cursor).toBe(screen.cursors[0]);
    const event = orderCreated({ orderId: 2 });
    const published = harness.publish(event);

    broker.kill('SIGCONT');
    await published;
    for (const each of [screen, customer, late]) {
      await each.is('live', 20_000);
      await until(() => each.events.at(-1)?.id === event.id, { what: 'what was published meanwhile' });
      expect(each.told).not.toContain('gap');
    }
  }, 60_000);

  test('when it is killed and comes back, then screens hear `stalled`, `live` and what they missed, once', async () => {
    const screen = harness.screen(staff);
    await screen.is('live');
    broker.kill('SIGKILL');
    await broker.exited;
    await screen.is('stalled', 15_000);
    const event = orderCreated({ orderId: 3 });
    const published = harness.publish(event);
    broker = await broker.startAgain();

    await published;
    await screen.is('live', 20_000);
    await screen.has(1);
    expect(new Set(screen.events.map(({ id }) => id))).toEqual(new Set([event.id]));
    expect(screen.told).not.toContain('gap');
  }, 60_000);

  test('when it is not there at the start, then the notifier waits, says so, and owns up to a gap', async () => {
    const screen = harness.screen(staff);
    await screen.is('live');
    const seen = orderCreated({ orderId: 4 });
    await harness.publish(seen);
    await until(() => screen.events.at(-1)?.id === seen.id, { what: 'the first event' });
    const before = screen.cursor();
    await harness.publish(orderCreated({ orderId: 5 }));
    screen.close();
    broker.kill('SIGTERM');
    await broker.exited;
    const instance = await harness.startInstance({}, 'listening');
    const fresh = harness.screen(staff, { from: instance });
    const back = harness.screen(staff, { from: instance, after: before });
    expect(await fresh.is('stalled')).toMatchObject({ cursor: null, since: expect.any(String) });
    expect((await back.is('stalled')).cursor).toBe(before);
    expect((await fetch(`${instance.url}/readyz`)).status).toBe(503);
    broker = await broker.startAgain();

    await Promise.all([fresh.is('live', 20_000), back.is('live', 20_000)]);
    expect(fresh.told.slice(-2)).toEqual(['gap', 'live']); // it may have read the orders before the feed knew where it was
    expect(back.told).not.toContain('gap');
    expect(back.events).toHaveLength(1);
  }, 60_000);
});
