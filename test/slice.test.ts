import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller } from '@comanda/testing/call';
import { startStack } from '@comanda/testing/stack';
import type { Stack } from '@comanda/testing/stack';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { openFeedClient } from '@comanda/testing/feed-client';
import type { FeedClient } from '@comanda/testing/feed-client';
import { until } from '@comanda/testing/until';

describe('an order', () => {
  let stack: Stack;
  const opened: (() => Promise<void> | void)[] = [];
  const openFeed = async (url: string, token: string): Promise<FeedClient> => {
    const feed = openFeedClient(url, { token, retryRefused: true });
    opened.push(feed.close);
    await feed.untilStatus('live', 20_000);
    return feed;
  };
  beforeAll(async () => {
    stack = await startStack(await isolatedServers('slice'));
    opened.push(stack.close);
    const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
    await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } });
  }, 120_000);
  afterAll(async () => {
    for (const close of opened.toReversed()) await close();
  });
  const typesOf = (feed: FeedClient, orderId: number): string[] =>
    feed.events.filter(({ subject }) => subject === String(orderId)).map(({ type }) => type);

  test('when a customer places it and the kitchen moves it, then both receive each event, and nobody else does', async () => {
    const ana = await stack.customer('Ana');
    const bia = await stack.customer('Bia');
    const kitchen = await openFeed(stack.notifierUrl, stack.managerToken);
    const throughGateway = await openFeed(stack.gatewayUrl, stack.managerToken);
    const own = await openFeed(stack.gatewayUrl, ana.token);
    const others = await openFeed(stack.gatewayUrl, bia.token);

    const placed = await stack.call('POST', '/orders', {
      token: ana.token,
      body: { items: [{ name: 'Feijoada', quantity: 2, remarks: 'sem pimenta' }], table: '12' },
    });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({ status: 'received', version: 1, total: '65.00', table: '12' });
    const { id } = placed.body;
    expect(placed.headers.get('location')).toBe(`/orders/${id}`);

    for (const status of ['preparing', 'ready', 'delivered']) {
      const moved = await stack.call('PUT', `/orders/${id}`, { token: stack.managerToken, body: { status } });
      expect(moved).toMatchObject({ status: 200, body: { status } });
    }
    const types = ['order.created', ...Array.from({ length: 3 }, () => 'order.status_changed')];
    for (const feed of [kitchen, throughGateway, own]) {
      await until(() => typesOf(feed, id).filter((type) => type === 'order.status_changed').length === 3, {
        timeoutMs: 10_000,
        what: 'three status changes in the feed',
      });
      expect(typesOf(feed, id).filter((type) => types.includes(type))).toEqual(types);
    }
    expect(typesOf(others, id)).toEqual([]);

    const read = await stack.call('GET', `/orders/${id}`, { token: ana.token });
    expect(read.body).toMatchObject({ id, status: 'delivered', version: 4 });
    const delivered = await stack.call('GET', '/orders?status=delivered', { token: stack.managerToken });
    expect(delivered.body.map((order: { id: number }) => order.id)).toContain(id);
    const another = await stack.call('GET', `/orders/${id}`, { token: bia.token });
    expect(another).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
