import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startStack } from '@comanda/testing/stack';
import type { Stack } from '@comanda/testing/stack';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceProcess } from '@comanda/testing/service-process';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import { createClient } from '../src/client.ts';
import type { Client, FeedEvent, FeedStanding, LiveOrder } from '../src/client.ts';
import { memoryStorage } from '../src/storage.ts';

const password = 'a-password-for-tests';
const feijoada = { items: [{ name: 'Feijoada', quantity: 1 }], table: '12' };
let stack: Stack;
let staff: Client;
let ana: Client;
const clients: Client[] = [];
const clientOf = (): Client => {
  const client = createClient({ url: stack.gatewayUrl, feedUrls: [stack.notifierUrl, stack.gatewayUrl] });
  clients.push(client);
  return client;
};
beforeAll(async () => {
  stack = await startStack(await isolatedServers('client-feed'));
  staff = clientOf();
  await staff.signIn({ email: 'manager@example.test', password });
  await staff.calls.createMenuItem({ name: 'Feijoada', price: '32.50' });
  ana = clientOf();
  const { email } = await stack.customer('Ana');
  await ana.signIn({ email, password });
}, 60_000);
const open: { close: () => void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});
afterAll(async () => {
  for (const client of clients) client.close();
  await stack.close();
});

function watch(client: Client, after?: string) {
  const heard = { events: [] as FeedEvent[], standings: [] as FeedStanding['status'][] };
  const feed = client.feed({
    onEvent: (event) => void heard.events.push(event),
    onStanding: ({ status }) => void heard.standings.push(status),
    ...(after !== undefined && { after }),
  });
  open.push(feed);
  const live = () =>
    until(() => feed.standing().status === 'live', { timeoutMs: 20_000, what: `live: ${heard.standings.join()}` });
  const created = (): string[] =>
    heard.events.filter(({ type }) => type === 'order.created').map(({ subject }) => subject);
  return { ...heard, feed, live, created };
}

describe('the feed', () => {
  test('when the notifier is killed twice among orders, then each is heard once, in order', async () => {
    const screen = watch(staff);
    await screen.live();
    const placed: string[] = [];
    const place = async (count: number): Promise<void> => {
      for (let nth = 0; nth < count; nth++) placed.push(String((await ana.calls.placeOrder(feijoada)).id));
    };
    for (let kill = 0; kill < 2; kill++) {
      await place(5);
      await stack.services.notifier.end('SIGKILL');
      await place(5);
      await stack.services.notifier.start();
    }
    await place(5);
    await until(() => screen.created().length >= placed.length, {
      timeoutMs: 30_000,
      what: 'every order on the screen',
    });
    expect(screen.created()).toEqual(placed);
    expect(Math.abs(screen.feed.now() - Date.now())).toBeLessThan(1000);
  }, 60_000);

  test('when a cursor is not one, then the client says gap once and goes on live', async () => {
    const screen = watch(staff, 'nonsense!');
    await screen.live();
    expect(screen.standings.filter((status) => status === 'gap')).toHaveLength(1);
    const { id } = await ana.calls.placeOrder(feijoada);
    await until(() => screen.created().includes(String(id)), { timeoutMs: 10_000, what: 'the order' });
  }, 40_000);

  test('when a screen goes on from a cursor, then it hears exactly what came after', async () => {
    const before = watch(staff);
    await before.live();
    const first = String((await ana.calls.placeOrder(feijoada)).id);
    await until(() => before.created().includes(first), { timeoutMs: 10_000, what: 'the order' });
    const cursor = before.feed.cursor() ?? '';
    before.feed.close();
    const second = String((await ana.calls.placeOrder(feijoada)).id);
    const after = watch(staff, cursor);
    await until(() => after.created().length > 0, { timeoutMs: 10_000, what: 'what was missed' });
    expect(after.created()).toEqual([second]);
  }, 40_000);

  test('when nobody is signed in, then the feed waits for somebody', async () => {
    const client = clientOf();
    const screen = watch(client);
    await until(() => screen.feed.standing().status === 'signed_out', { timeoutMs: 5000, what: 'signed_out' });
    const { email } = await stack.customer('Bia');
    await client.signIn({ email, password });
    await screen.live();
    await client.signOut();
    await until(() => screen.feed.standing().status === 'signed_out', { timeoutMs: 5000, what: 'signed_out' });
  }, 40_000);

  test('when tokens live shorter than the socket, then they are renewed and the socket stays', async () => {
    const issuer = await startTestIssuer();
    const { rabbitmqUrl } = await isolatedServers('client-tokens');
    const notifier = await startServiceProcess('notifier', { RABBITMQ_URL: rabbitmqUrl, JWKS_URL: issuer.jwksUrl });
    let issued = 0;
    const pair = () => ({
      issued: issued++,
      access_token: issuer.token({ sub: 1, role: 'manager', lifetimeS: 8 }),
      token_type: 'Bearer',
      expires_in: 8,
      refresh_token: 'any',
    });
    // The issuer of tokens for tests, where a house would have its own.
    const client = createClient({
      url: 'http://127.0.0.1:1',
      feedUrls: [notifier.url],
      storage: memoryStorage(),
      fetch: () => Promise.resolve(Response.json(pair())),
    });
    try {
      await client.signIn({ email: '', password: '' });
      const screen = watch(client);
      await screen.live();
      const before = issued;
      await until(() => issued >= before + 3, { timeoutMs: 30_000, what: 'longer than the first token lives' });
      expect(screen.standings.filter((status) => status === 'connecting')).toEqual([]);
      expect(screen.feed.standing().status).toBe('live');
    } finally {
      client.close();
      await notifier.end('SIGTERM');
      await issuer.close();
    }
  }, 60_000);
});

describe('live orders', () => {
  test('when orders are placed and moved, then they are followed as the house has them, the finished ones gone', async () => {
    let shown: readonly LiveOrder[] = [];
    const live = staff.liveOrders({ statuses: ['received', 'preparing'], onChange: (orders) => (shown = orders) });
    open.push(live);
    await until(() => live.isComplete(), { timeoutMs: 20_000, what: 'the list' });
    const { id } = await ana.calls.placeOrder(feijoada);
    const byId = () => shown.find((order) => order.id === id);
    await until(() => byId()?.status === 'received', { timeoutMs: 10_000, what: 'the order' });
    expect(byId()).toEqual(await staff.calls.getOrder({ id }));
    await staff.calls.updateOrder({ id, status: 'preparing' });
    await until(() => byId()?.status === 'preparing', { timeoutMs: 10_000, what: 'the move' });
    await staff.calls.updateOrder({ id, status: 'ready' });
    await until(() => byId() === undefined, { timeoutMs: 10_000, what: 'the order gone' });
  }, 40_000);

  test('when the feed brings nothing though there is something, then comparing finds it, and it is told', async () => {
    const drifted: number[] = [];
    const live = staff.liveOrders({ onChange: () => {}, onDrift: (ids) => drifted.push(...ids), compareEveryMs: 200 });
    open.push(live);
    await until(() => live.isComplete(), { timeoutMs: 20_000, what: 'the list' });
    const { notifier } = stack.services;
    process.kill(notifier.pid(), 'SIGSTOP');
    try {
      const { id } = await ana.calls.placeOrder(feijoada);
      await until(() => drifted.includes(id), { timeoutMs: 15_000, what: 'the drift' });
      expect(live.all().some((order) => order.id === id)).toBe(true);
    } finally {
      process.kill(notifier.pid(), 'SIGCONT');
    }
  }, 40_000);

  test('when a dish is written and taken off, then the menu follows', async () => {
    const live = ana.liveMenu({ onChange: () => {} });
    open.push(live);
    await until(() => live.isComplete(), { timeoutMs: 20_000, what: 'the menu' });
    const { id } = await staff.calls.createMenuItem({ name: 'Moqueca', price: '48.00' });
    await until(() => live.all().some((dish) => dish.id === id), { timeoutMs: 10_000, what: 'the dish' });
    await staff.calls.deleteMenuItem({ id });
    await until(() => !live.all().some((dish) => dish.id === id), { timeoutMs: 10_000, what: 'the dish gone' });
  }, 40_000);
});
