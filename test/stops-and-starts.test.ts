import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { caller, created } from '@comanda/testing/call';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { startStack, type Stack } from '@comanda/testing/stack';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import { until } from '@comanda/testing/until';

// Does not check whether anything is lost when services are killed under load. That is in cluster.test.ts.

let stack: Stack;
let kitchenFeed: FeedClient;
const opened: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  stack = await startStack(await isolatedServers('stops'), {}, serviceNames);
  opened.push(stack.close);
  kitchenFeed = openFeedClient(stack.notifierUrl, { token: stack.managerToken, retryRefused: true });
  opened.push(kitchenFeed.close);
  await kitchenFeed.untilStatus('live', 20_000);
});
afterAll(async () => {
  for (const close of opened.toReversed()) await close();
});

test('all services become ready again after being stopped and started in a random order', async () => {
  const shuffled = () =>
    serviceNames
      .map((name) => ({ name, at: Math.random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ name }) => name);
  const [stopping, starting] = [shuffled(), shuffled()];
  for (const name of stopping) await stack.processOf(name).end('SIGTERM');
  for (const name of starting) await stack.processOf(name).start();
  await Promise.all(serviceNames.map((name) => stack.services[name].ready())).catch((error: unknown) => {
    throw new Error(`stopped ${stopping.join()}, started ${starting.join()}`, { cause: error });
  });
  const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  const { id: dish } = created(await manager('POST', '/menu', { body: { name: randomUUID(), price: '32.50' } }));

  const { id } = created(await manager('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } }));

  const arrived = () => kitchenFeed.events.filter(({ type }) => type === 'order.created').map(({ subject }) => subject);
  await until(() => arrived().length > 0, { what: 'the order on the feed', timeoutMs: 30_000 });
  expect(arrived()).toEqual([String(id)]);
});
