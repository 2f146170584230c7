import { Transform } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { managerCredentials, password } from '@comanda/testing/credentials';
import { startStack, type Stack } from '@comanda/testing/stack';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceHere } from '@comanda/testing/service-here';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { startTcpProxy } from '@comanda/testing/tcp-proxy';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import { until } from '@comanda/testing/until';
import {
  createClient,
  type Client,
  type ClientOptions,
  type FeedEvent,
  type FeedStanding,
  type LiveOrder,
  type Storage,
} from '../src/index.ts';
import { memoryStorage } from '../src/session/storage.ts';
import { createNetwork } from './support/lossy-fetch.ts';

const feijoada = { items: [{ name: 'Feijoada', quantity: 1 }], table: '12' };
let stack: Stack;
let staff: Client;
let ana: Client;
const clients: Client[] = [];
const newClient = (): Client => {
  const client = createClient({ url: stack.gatewayUrl, feedUrls: [stack.notifierUrl, stack.gatewayUrl] });
  clients.push(client);
  return client;
};
const placeOrder = async (): Promise<string> => String((await ana.calls.placeOrder(feijoada)).id);
async function placeOrders(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth++) ids.push(await placeOrder());
  return ids;
}
beforeAll(async () => {
  stack = await startStack(await isolatedServers('client-feed'), withoutLimits, ['notifier']);
  staff = newClient();
  await staff.signIn(managerCredentials);
  await staff.calls.createMenuItem({ name: 'Feijoada', price: '32.50' });
  ana = newClient();
  const { email } = await stack.customer('Ana');
  await ana.signIn({ email, password });
});
const opened: { close: () => void | Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
afterAll(async () => {
  for (const client of clients) client.close();
  await stack.close();
});

/** Starts a notifier that checks tokens with these keys. */
async function startNotifier(jwksUrl: string) {
  const { rabbitmqUrl } = await isolatedServers('client-keys');
  return startServiceHere('notifier', { env: { PORT: '0', RABBITMQ_URL: rabbitmqUrl, JWKS_URL: jwksUrl } });
}

/** Opens a feed and records everything that its handlers are called with. */
function openRecordedFeed(client: Client, after?: string) {
  const events: FeedEvent[] = [];
  const statuses: FeedStanding['status'][] = [];
  const feed = client.feed({
    onEvent: (event) => void events.push(event),
    onStanding: ({ status }) => void statuses.push(status),
    ...(after !== undefined && { after }),
  });
  opened.push(feed);
  return {
    feed,
    statuses,
    untilStatus: (status: FeedStanding['status']) =>
      until(() => feed.standing().status === status, { timeoutMs: 20_000, what: `the status ${status}` }),
    /** Returns the ids of the orders that the feed has reported as created. */
    createdOrders: (): string[] => events.filter(({ type }) => type === 'order.created').map(({ subject }) => subject),
  };
}

describe('the feed', () => {
  test('receives each order once and in order when the notifier is killed twice', async () => {
    const { untilStatus, createdOrders } = openRecordedFeed(staff);
    await untilStatus('live');

    const placed: string[] = [];
    for (let kill = 0; kill < 2; kill++) {
      placed.push(...(await placeOrders(5)));
      await stack.processOf('notifier').end('SIGKILL');
      placed.push(...(await placeOrders(5)));
      await stack.processOf('notifier').start();
    }
    placed.push(...(await placeOrders(5)));

    await until(() => createdOrders().length >= placed.length, { timeoutMs: 30_000, what: 'every order in the feed' });
    expect(createdOrders()).toEqual(placed);
  });

  test('reports one gap and becomes live when the cursor is invalid', async () => {
    const { statuses, untilStatus, createdOrders } = openRecordedFeed(staff, 'nonsense!');
    await untilStatus('live');

    const id = await placeOrder();

    await until(() => createdOrders().includes(id), { what: 'the order' });
    expect(statuses.filter((status) => status === 'gap')).toHaveLength(1);
  });

  test('receives exactly the events after its cursor', async () => {
    const before = openRecordedFeed(staff);
    await before.untilStatus('live');
    const first = await placeOrder();
    await until(() => before.createdOrders().includes(first), { what: 'the first order' });
    const cursor = before.feed.cursor() ?? '';
    before.feed.close();
    const second = await placeOrder();

    const { createdOrders } = openRecordedFeed(staff, cursor);

    await until(() => createdOrders().length > 0, { what: 'the order that was missed' });
    expect(createdOrders()).toEqual([second]);
  });

  test('waits for a sign-in if no user is signed in', async () => {
    const { email } = await stack.customer('Bia');
    const client = newClient();
    const { untilStatus } = openRecordedFeed(client);

    await untilStatus('signed_out');
    await client.signIn({ email, password });
    await untilStatus('live');
    await client.signOut();

    await untilStatus('signed_out');
  });

  test('renews expiring tokens and keeps the socket open', async () => {
    const issuer = await startTestIssuer();
    const notifier = await startNotifier(issuer.jwksUrl);
    let issuedCount = 0;
    const issuePair = () => ({
      issued: issuedCount++,
      access_token: issuer.token({ sub: 1, role: 'manager', lifetimeS: 8 }),
      token_type: 'Bearer',
      expires_in: 8,
      refresh_token: 'any',
    });
    // In this test, the client gets its tokens from the test's own issuer instead of auth-stepup.
    const client = createClient({
      url: 'http://127.0.0.1:1',
      feedUrls: [notifier.url],
      storage: memoryStorage(),
      fetch: () => Promise.resolve(Response.json(issuePair())),
    });
    try {
      await client.signIn({ email: '', password: '' });
      const { feed, statuses, untilStatus } = openRecordedFeed(client);
      await untilStatus('live');
      statuses.length = 0; // Only changes after the first connection matter.
      const before = issuedCount;

      await until(() => issuedCount >= before + 3, { timeoutMs: 30_000, what: 'the first token to have expired' });

      expect(statuses.filter((status) => status === 'connecting')).toEqual([]);
      expect(feed.standing().status).toBe('live');
    } finally {
      client.close();
      await notifier.close();
      await issuer.close();
    }
  });
});

describe("a client's shared connection", () => {
  test('uses one socket to the notifier for all lists and feeds', async () => {
    const client = newClient();
    await client.signIn(managerCredentials);
    const socketCount = async (): Promise<number> => {
      const metrics = await (await fetch(`${stack.services.notifier.metricsUrl}/metrics`)).text();
      return Number(/^\w*sockets\{?.*\}? (\d+)$/m.exec(metrics)?.[1]);
    };
    const before = await socketCount();
    const orders = client.liveOrders({ onChange: () => {} });
    const menu = client.liveMenu({ onChange: () => {} });
    opened.push(orders, menu);
    await until(() => orders.isComplete() && menu.isComplete(), { timeoutMs: 20_000, what: 'both lists' });
    const late = openRecordedFeed(client);
    await until(() => late.statuses.includes('live'), { what: 'the standing, for who comes late' });
    await until(async () => (await socketCount()) === before + 1, { what: 'one socket more' });

    orders.close();
    const id = await placeOrder();
    await until(() => late.createdOrders().includes(id), { what: 'the order' });
    late.feed.close();
    menu.close();
    await until(async () => (await socketCount()) === before, { what: 'the socket to be closed' });
  });

  test('notifies the app when the user must change the password', async () => {
    const issuer = await startTestIssuer();
    const notifier = await startNotifier(issuer.jwksUrl);
    let mustChange = true;
    const pair = () => ({
      access_token: issuer.token({ sub: 7, role: 'waiter', ...(mustChange && { mustChangePassword: true as const }) }),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: 'any',
    });
    const onPasswordChangeRequired = jest.fn();
    const client = createClient({
      url: 'http://127.0.0.1:1',
      feedUrls: [notifier.url],
      storage: memoryStorage(),
      fetch: () => Promise.resolve(Response.json(pair())),
      onPasswordChangeRequired,
    });
    try {
      await client.signIn({ email: '', password: '' });
      const { untilStatus } = openRecordedFeed(client);
      await untilStatus('refused');
      expect(onPasswordChangeRequired).toHaveBeenCalledTimes(1);
      mustChange = false;
      await client.signIn({ email: '', password: '' });
      await untilStatus('live');
    } finally {
      client.close();
      await notifier.close();
      await issuer.close();
    }
  });
});

describe('a client without a live feed', () => {
  /** Creates a client with a single feed URL that does not respond. */
  async function clientWithoutFeed(options: Partial<ClientOptions> = {}): Promise<Client> {
    const client = createClient({ url: stack.gatewayUrl, feedUrls: ['http://127.0.0.1:1'], ...options });
    clients.push(client);
    await client.signIn(managerCredentials);
    return client;
  }

  test("shows the server's orders in a list that is not live", async () => {
    const openedAt = Date.now();
    const id = Number(await placeOrder());
    const client = await clientWithoutFeed();

    const live = client.liveOrders({ onChange: () => {} });
    opened.push(live);
    await until(() => live.all().some((order) => order.id === id), { what: 'the order' });

    const { status, since = '' } = live.feed.standing();
    expect({ status, isComplete: live.isComplete() }).toEqual({ status: 'connecting', isComplete: false });
    expect(Date.parse(since)).toBeGreaterThan(openedAt);
  });

  test('reports when its connection was lost', async () => {
    const { feed, untilStatus } = openRecordedFeed(staff);
    await untilStatus('live');
    const whileLive = feed.standing();
    const killedAt = feed.now();
    await stack.processOf('notifier').end('SIGKILL');
    await untilStatus('connecting');
    const { since = '' } = feed.standing();
    const seenAt = feed.now();
    await stack.processOf('notifier').start();

    await untilStatus('live');

    expect(whileLive).toEqual({ status: 'live' });
    expect(Date.parse(since)).toBeGreaterThanOrEqual(Math.floor(killedAt));
    expect(Date.parse(since)).toBeLessThanOrEqual(seenAt);
  });

  test('reconnects when the connection is dead after a sleep', async () => {
    let connections = 0;
    let isDead = (_connection: number): boolean => false;
    const proxy = await startTcpProxy(stack.notifierUrl, {
      fromServer: () => {
        const connection = ++connections;
        return new Transform({
          transform: (chunk: Buffer, _encoding, done) => done(null, isDead(connection) ? undefined : chunk),
        });
      },
    });
    opened.push(proxy);
    const client = await clientWithoutFeed({ feedUrls: [proxy.url] });
    const { statuses, untilStatus } = openRecordedFeed(client);
    const live = client.liveOrders({ onChange: () => {}, compareEveryMs: 3_600_000 });
    opened.push(live);
    await until(() => live.isComplete(), { timeoutMs: 20_000, what: 'the list' });
    const before = connections;
    isDead = (connection) => connection <= before;
    const id = Number(await placeOrder());
    statuses.length = 0;
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
    opened.push({ close: () => clock.mockRestore() });

    // Without the wake-up, the client would notice the dead connection only after more than 10 s.
    await until(() => live.all().some((order) => order.id === id), { what: 'the order' });

    await untilStatus('live');
    expect([statuses[0], statuses.at(-1), connections]).toEqual(['connecting', 'live', before + 1]);
  });

  test('becomes live when the storage is full during a token refresh', async () => {
    const items = memoryStorage();
    const full = { isFull: false };
    const storage: Storage = {
      ...items,
      setItem: (key, value) => {
        if (full.isFull) throw new DOMException('the quota has been exceeded', 'QuotaExceededError');
        items.setItem(key, value);
      },
    };
    const client = await clientWithoutFeed({ feedUrls: [stack.notifierUrl], storage });
    const key = `comanda.session@${stack.gatewayUrl}`;
    storage.setItem(key, JSON.stringify({ ...JSON.parse(storage.getItem(key) ?? ''), until: 0 }));
    full.isFull = true;

    const { untilStatus } = openRecordedFeed(client);

    await untilStatus('live');
  });

  test.each([
    ['does not respond', 'http://127.0.0.1:1'],
    ['is rejected by the browser', 'ftp://127.0.0.1'],
  ])('connects to the next URL when the first %s', async (_what, url) => {
    const client = await clientWithoutFeed({ feedUrls: [url, stack.gatewayUrl] });

    const { untilStatus } = openRecordedFeed(client);

    await untilStatus('live');
  });

  /** Starts a proxy to the notifier that adds the Origin header of a page on another host. */
  async function notifierForForeignPage(): Promise<string> {
    const originHeader = 'Origin: https://elsewhere.example\r\n';
    const proxy = await startTcpProxy(stack.notifierUrl, {
      fromClient: () => {
        let isFirst = true;
        return new Transform({
          transform: (chunk: Buffer, _encoding, done) => {
            const text = chunk.toString('latin1');
            done(null, isFirst ? Buffer.from(text.replace('\r\n', `\r\n${originHeader}`), 'latin1') : chunk);
            isFirst = false;
          },
        });
      },
    });
    opened.push(proxy);
    return proxy.url;
  }
  /** Starts a notifier or gateway that can't reach one of the servers that the feed needs. */
  async function startWithout(name: 'notifier' | 'gateway', settings: Record<string, string>): Promise<string> {
    const { rabbitmqUrl, redisUrl } = await isolatedServers('client-refusals');
    const env = { PORT: '0', RABBITMQ_URL: rabbitmqUrl, REDIS_URL: redisUrl, ...settings };
    const service = await startServiceHere(name, { env });
    opened.push(service);
    return service.url;
  }

  test.each([
    { what: 'is a notifier that rejects the page with 403', start: notifierForForeignPage },
    {
      what: 'is a notifier that cannot check tokens and returns 503',
      start: () => startWithout('notifier', { JWKS_URL: 'http://127.0.0.1:1/' }),
    },
    {
      what: 'is a gateway that returns 503 because it has no notifier',
      start: () => startWithout('gateway', { NOTIFIER_URL: 'http://127.0.0.1:1', JWKS_URL: 'http://127.0.0.1:1/' }),
    },
  ])('connects to the next URL when the first $what', async ({ start }) => {
    const client = await clientWithoutFeed({ feedUrls: [await start(), stack.gatewayUrl] });

    const { statuses, untilStatus } = openRecordedFeed(client);

    await untilStatus('live');
    expect(statuses).not.toContain('refused');
  });

  test('reports that it is refused when every URL rejects the page', async () => {
    const url = await notifierForForeignPage();
    const client = await clientWithoutFeed({ feedUrls: [url, url] });

    const { feed, untilStatus } = openRecordedFeed(client);

    await untilStatus('refused');
    expect(feed.standing().reason).toBe('forbidden');
  });
});

describe('with live lists', () => {
  test('orders on the screen are reported as seen after a network failure', async () => {
    const network = createNetwork();
    const client = createClient({ url: stack.gatewayUrl, fetch: network.fetch });
    clients.push(client);
    await client.signIn(managerCredentials);
    const ids = (await placeOrders(2)).map(Number);
    network.state = 'down';
    const reporter = client.seenReporter({ device: 'kitchen-1' });
    opened.push(reporter);
    const before = network.requests.length;
    reporter.painted(ids);
    reporter.painted(ids);
    await until(() => network.requests.length > before, { what: 'the first report' });
    network.state = 'up';

    const isSeen = async (id: number): Promise<boolean> => (await staff.calls.getOrder({ id })).seen_at !== null;
    for (const id of ids) await until(() => isSeen(id), { what: `order ${id} to be seen` });

    expect(network.requests.slice(before).filter(({ path }) => path === '/orders/seen')).toHaveLength(2);
  });

  test('a screen that switches stations reports an order for each station', async () => {
    const client = createClient({ url: stack.gatewayUrl });
    clients.push(client);
    await client.signIn(managerCredentials);
    await staff.calls.createMenuItem({ name: 'Chope', price: '9.00', station: 'bar' });
    const { id } = await ana.calls.placeOrder({ items: [...feijoada.items, { name: 'Chope', quantity: 1 }] });
    const reporter = client.seenReporter({ device: 'wall' });
    opened.push(reporter);
    const shownAt = async (): Promise<string[]> =>
      ((await staff.calls.getOrder({ id })).stations ?? []).flatMap(({ station, seen_on: screen }) =>
        screen === 'wall' ? station : [],
      );

    reporter.painted([id], ['bar']);
    await until(async () => (await shownAt()).join() === 'bar', { what: 'the bar to show it' });
    reporter.painted([id], ['kitchen']);
    await until(async () => (await shownAt()).join() === 'kitchen,bar', { what: 'the kitchen to show it too' });
  });

  test("an order leaves the list when it no longer has one of the list's statuses", async () => {
    let orders: readonly LiveOrder[] = [];
    const live = staff.liveOrders({ statuses: ['received', 'preparing'], onChange: (all) => (orders = all) });
    opened.push(live);
    await until(() => live.isComplete(), { timeoutMs: 20_000, what: 'the list' });
    const { id } = await ana.calls.placeOrder(feijoada);
    const inList = (): LiveOrder | undefined => orders.find((order) => order.id === id);
    const untilListed = (status: LiveOrder['status'] | undefined) =>
      until(() => inList()?.status === status, { what: `the status ${status} in the list` });

    await untilListed('received');
    expect(inList()).toEqual(await staff.calls.getOrder({ id }));

    await staff.calls.updateOrder({ id, status: 'preparing' });
    await untilListed('preparing');

    await staff.calls.updateOrder({ id, status: 'ready' });
    await untilListed(undefined);
  });

  test('a dish enters the live menu when it is added and leaves it when it is deleted', async () => {
    const live = ana.liveMenu({ onChange: () => {} });
    opened.push(live);
    await until(() => live.isComplete(), { timeoutMs: 20_000, what: 'the menu' });
    const isListed = (id: number): boolean => live.all().some((dish) => dish.id === id);

    const { id } = await staff.calls.createMenuItem({ name: 'Moqueca', price: '48.00' });
    await until(() => isListed(id), { what: 'the dish in the menu' });

    await staff.calls.deleteMenuItem({ id });
    await until(() => !isListed(id), { what: 'the dish to leave the menu' });
  });
});
