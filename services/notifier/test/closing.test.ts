import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { orderCreated } from '@comanda/testing/event-factories';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness, type NotifierHarness } from './support/harness.ts';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

async function startInstanceWithClients(settings: { DRAIN_WINDOW_MS: string }, clientCount: number) {
  const instance = await harness.startInstance({ ...settings, SOCKETS_PER_USER: '1000' });
  const clients = Array.from({ length: clientCount }, () => harness.connect(staff, { from: instance }));
  const state = { closed: 0 };
  for (const client of clients) client.socket.once('disconnect', () => state.closed++);
  await Promise.all(clients.map((client) => client.untilStatus('live')));
  return { instance, clients, state };
}

describe('an instance that is shutting down', () => {
  test('closes its many sockets gradually', async () => {
    const { instance, clients, state } = await startInstanceWithClients({ DRAIN_WINDOW_MS: '2000' }, 200);

    const closed = instance.close();
    await until(() => state.closed > 20, { what: 'the first sockets to be closed' });
    await harness.publish(orderCreated({ orderId: 1 }));
    await closed;
    await until(() => state.closed === 200, { what: 'all sockets to be closed' });

    expect(clients.filter(({ events }) => events.length === 1).length).toBeGreaterThan(0);
    expect(clients.every(({ socket }) => socket.active)).toBe(true); // clients reconnect automatically
  });

  test('rejects new connections', async () => {
    const { instance } = await startInstanceWithClients({ DRAIN_WINDOW_MS: '1000' }, 100);

    const closed = instance.close();

    await expect(fetch(`${instance.url}/livez`)).rejects.toThrow('fetch failed');
    await closed;
  });
});
