import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
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

describe('an instance that closes', () => {
  test('when it has many sockets, then it ends them one by one over its window, serving the others meanwhile', async () => {
    const closing = await harness.startInstance({ DRAIN_WINDOW_MS: '2000', SOCKETS_PER_USER: '1000' });
    const clients = Array.from({ length: 200 }, () => harness.connect(staff, { from: closing }));
    const closedAt: number[] = [];
    for (const client of clients) client.socket.once('disconnect', () => closedAt.push(performance.now()));
    await Promise.all(clients.map((client) => client.untilStatus('live', 15_000)));

    const begun = performance.now();
    const closed = closing.close();
    await until(() => closedAt.length > 20, { what: 'the first to be closed' });
    const event = orderCreated({ orderId: 1 });
    await harness.publish(event);
    await closed;

    await until(() => closedAt.length === 200, { what: 'all to be closed' });
    const inWindow = closedAt.map((at) => (at - begun) / 2000);
    for (const quarter of [0, 1, 2, 3]) {
      const share = inWindow.filter((at) => Math.floor(at * 4) === quarter).length / 200;
      expect(share).toBeLessThan(0.4);
    }
    expect(clients.filter(({ events }) => events.length === 1).length).toBeGreaterThan(50);
    expect(clients.every(({ socket }) => socket.active)).toBe(true); // they try again by themselves
  }, 30_000);

  test('when it has few, then it does not take its time', async () => {
    const closing = await harness.startInstance({ DRAIN_WINDOW_MS: '15000' });
    const client = harness.connect(staff, { from: closing });
    await client.untilStatus('live');
    const begun = performance.now();
    await closing.close();
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  test('when it closes, then nobody new gets in', async () => {
    const closing = await harness.startInstance({ DRAIN_WINDOW_MS: '1000', SOCKETS_PER_USER: '1000' });
    const clients = Array.from({ length: 100 }, () => harness.connect(staff, { from: closing }));
    await Promise.all(clients.map((client) => client.untilStatus('live', 15_000)));
    const closed = closing.close();
    await expect(fetch(`${closing.url}/livez`)).rejects.toThrow('fetch failed');
    await closed;
  });
});
