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

/** A new instance with this many live clients. */
async function startInstanceWithClients(settings: { DRAIN_WINDOW_MS: string }, clientCount: number) {
  const instance = await harness.startInstance({ ...settings, SOCKETS_PER_USER: '1000' });
  const clients = Array.from({ length: clientCount }, () => harness.connect(staff, { from: instance }));
  const closedAt: number[] = [];
  for (const client of clients) client.socket.once('disconnect', () => closedAt.push(performance.now()));
  await Promise.all(clients.map((client) => client.untilStatus('live', 15_000)));
  return { instance, clients, closedAt };
}

/** Keeps the event loop busy, so that every timer is late by up to `ms`. */
function blockEventLoop(ms: number): { stop: () => void } {
  const timer = setInterval(() => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  }, 1);
  return { stop: () => clearInterval(timer) };
}

describe('an instance that closes', () => {
  test('when it has many sockets, then it closes them evenly over its window and serves the others meanwhile', async () => {
    const { instance, clients, closedAt } = await startInstanceWithClients({ DRAIN_WINDOW_MS: '2000' }, 200);

    const startedAt = performance.now();
    const closed = instance.close();
    await until(() => closedAt.length > 20, { what: 'the first sockets to be closed' });
    await harness.publish(orderCreated({ orderId: 1 }));
    await closed;
    await until(() => closedAt.length === 200, { what: 'all sockets to be closed' });

    const quarters = closedAt.map((at) => Math.floor((4 * (at - startedAt)) / 2000));
    for (const quarter of [0, 1, 2, 3])
      expect(quarters.filter((each) => each === quarter).length / 200).toBeLessThan(0.4);
    expect(clients.filter(({ events }) => events.length === 1).length).toBeGreaterThan(50);
    expect(clients.every(({ socket }) => socket.active)).toBe(true); // they connect again by themselves
  }, 30_000);

  test('when it has few sockets, then it closes without waiting for its window to end', async () => {
    const { instance } = await startInstanceWithClients({ DRAIN_WINDOW_MS: '15000' }, 1);

    const startedAt = performance.now();
    await instance.close();

    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  test('when the machine is so busy that every timer is late, then the window is kept', async () => {
    const { instance, closedAt } = await startInstanceWithClients({ DRAIN_WINDOW_MS: '2000' }, 200);
    const load = blockEventLoop(100);

    const startedAt = performance.now();
    await instance.close().finally(load.stop);
    await until(() => closedAt.length === 200, { what: 'all sockets to be closed' });

    // Step by step, each of them 100 ms late, it would take 6 s.
    expect((closedAt.at(-1) ?? NaN) - startedAt).toBeLessThan(4000);
  }, 30_000);

  test('when it closes, then it takes no new connections', async () => {
    const { instance } = await startInstanceWithClients({ DRAIN_WINDOW_MS: '1000' }, 100);

    const closed = instance.close();

    await expect(fetch(`${instance.url}/livez`)).rejects.toThrow('fetch failed');
    await closed;
  });
});
