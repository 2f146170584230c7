import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startStack } from '@comanda/testing/stack';
import type { Stack } from '@comanda/testing/stack';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { until } from '@comanda/testing/until';
import { allowedTransitions, CallFailure, createClient } from '../src/client.ts';
import type { Client, ClientOptions, Storage } from '../src/client.ts';
import { memoryStorage } from '../src/storage.ts';
import { createNetwork } from './support/lossy-fetch.ts';

const pin = '739152';
let stack: Stack;
let account: Credentials;
const clients: Client[] = [];
beforeAll(async () => {
  stack = await startStack(await isolatedServers('client'), { RATE_LIMIT_STEP_UP: '1000', RATE_LIMIT_SIGN_IN: '1000' });
  account = await stack.customer('Ana');
  const manager = clientOf();
  await manager.signIn({ email: 'manager@example.test', password: 'a-password-for-tests' });
  await manager.calls.createMenuItem({ name: 'Feijoada', price: '32.50' });
}, 60_000);
afterAll(async () => {
  for (const client of clients) client.close();
  await stack.close();
});

function clientOf(options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ url: stack.gatewayUrl, ...options });
  clients.push(client);
  return client;
}
type Credentials = { email: string; password: string };
/** Ana, on another device each time; `somebodyNew` has ordered nothing yet. */
async function customer(
  options: Partial<ClientOptions> = {},
  { email, password }: Credentials = account,
): Promise<Client> {
  const client = clientOf(options);
  await client.signIn({ email, password });
  return client;
}
const somebodyNew = async (options: Partial<ClientOptions> = {}): Promise<Client> =>
  customer(options, await stack.customer('Bia'));
const failureOf = async (call: Promise<unknown>): Promise<CallFailure> => {
  const failure = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof CallFailure)) throw new Error(`no failure: ${String(failure)}`);
  return failure;
};
const feijoada = { items: [{ name: 'Feijoada', quantity: 1 }], table: '12' };

describe('calls', () => {
  test('when a customer orders, then the answer is the order, and reading it again costs nothing', async () => {
    const ana = await customer();
    const order = await ana.calls.placeOrder(feijoada);
    expect(order).toMatchObject({ status: 'received', total: '32.50', allowed_transitions: ['cancelled'] });
    const { headers } = await ana.ask('getOrder', { id: order.id });
    const again = await ana.ask('getOrder', { id: order.id }, { ifNoneMatch: headers.get('etag') ?? '' });
    expect(again).toMatchObject({ status: 304, body: undefined });
  });

  test('when the house refuses, then the failure has its code and what it says besides', async () => {
    const ana = await customer();
    const unknown = await failureOf(ana.calls.placeOrder({ items: [{ name: 'Nothing', quantity: 1 }] }));
    expect(unknown).toMatchObject({ code: 'menu_item_unknown', outcome: 'none', problem: { items: [{ index: 0 }] } });
    expect((await failureOf(clientOf().calls.me())).code).toBe('authentication_required');
  });

  test('when the answer to an order is lost, then it is asked for again and the order is placed once', async () => {
    const network = createNetwork();
    const ana = await somebodyNew({ fetch: network.fetch });
    network.state = 'lost';
    const placing = ana.calls.placeOrder(feijoada);
    const posts = () => network.requests.filter(({ method, path }) => method === 'POST' && path === '/orders');
    await until(() => posts().length >= 2, { timeoutMs: 10_000, what: 'a second try' });
    network.state = 'up';
    const order = await placing;
    expect(new Set(posts().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect((await ana.calls.listOrders()).map(({ id }) => id)).toEqual([order.id]);
  });

  test('when a page is loaded anew before the answer came, then the same order made again is the first one', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const before = await customer({ fetch: network.fetch, storage, patienceMs: 0 });
    network.state = 'lost';
    expect(await failureOf(before.calls.placeOrder(feijoada))).toMatchObject({
      code: 'unreachable',
      outcome: 'unknown',
    });
    network.state = 'up';
    const after = clientOf({ storage });
    const { headers, body } = await after.ask('placeOrder', feijoada);
    expect(headers.get('idempotent-replayed')).toBe('true');
    const second = await after.ask('placeOrder', feijoada);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(second.body.id).not.toBe(body.id);
  });

  test('when two like orders are placed at the same time, then they are two orders', async () => {
    const ana = await customer();
    const [one, other] = await Promise.all([ana.calls.placeOrder(feijoada), ana.calls.placeOrder(feijoada)]);
    expect(one.id).not.toBe(other.id);
  });

  test('when there is nothing to reach, then a write that may not be repeated fails at once', async () => {
    const network = createNetwork();
    const ana = clientOf({ fetch: network.fetch });
    network.state = 'down';
    const begun = performance.now();
    const failure = await failureOf(
      ana.calls.register({ name: 'Ana', email: 'a@example.test', password: 'long-enough-1' }),
    );
    expect(failure.code).toBe('unreachable');
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  test('when a call is given up, then it ends at once with the reason that was given', async () => {
    const network = createNetwork();
    const ana = await customer({ fetch: network.fetch });
    network.state = 'down';
    const reason = new Error('the user left');
    const giveUp = new AbortController();
    const placing = ana.calls.placeOrder(feijoada, { signal: giveUp.signal });
    giveUp.abort(reason);
    await expect(placing).rejects.toBe(reason);
  });

  test('when a list has more than one page, then all pages are read, each when it is asked for', async () => {
    const ana = await somebodyNew();
    const placed = [];
    for (let nth = 0; nth < 5; nth++) placed.push((await ana.calls.placeOrder(feijoada)).id);
    const read = [];
    for await (const page of ana.pages('listOrders', { limit: 2, sort: 'created_at' })) {
      expect(page.length).toBeLessThanOrEqual(2);
      read.push(...page.map(({ id }) => id));
    }
    expect(read).toEqual(placed);
  });

  test('when an order stands anywhere, then the client allows each caller what the house allows', async () => {
    const ana = await customer();
    const staff = clientOf();
    await staff.signIn({ email: 'manager@example.test', password: 'a-password-for-tests' });
    const compare = async (id: number): Promise<void> => {
      for (const client of [ana, staff]) {
        const order = await client.calls.getOrder({ id });
        const who = client.who();
        expect(who && allowedTransitions(order, who)).toEqual(order.allowed_transitions);
      }
    };
    const { id } = await ana.calls.placeOrder(feijoada);
    await compare(id);
    for (const status of ['preparing', 'ready', 'delivered'] as const) {
      await staff.calls.updateOrder({ id, status });
      await compare(id);
    }
    const cancelled = await ana.calls.placeOrder(feijoada);
    await ana.calls.updateOrder({ id: cancelled.id, status: 'cancelled' });
    await compare(cancelled.id);
  });
});

/** As if the access token had run out: the client looks at its own note of when. */
function expire(storage: Storage, url: string): void {
  const key = `comanda.session@${url}`;
  storage.setItem(key, JSON.stringify({ ...JSON.parse(storage.getItem(key) ?? ''), until: 0 }));
}

describe('sessions', () => {
  test('when the token has run out in two tabs at once, then one of them refreshes for both', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const tab = await customer({ fetch: network.fetch, storage });
    const other = clientOf({ fetch: network.fetch, storage });
    expire(storage, stack.gatewayUrl);
    const calls = [tab.calls.me(), other.calls.me(), tab.calls.listOrders(), other.calls.listOrders()];
    await Promise.all(calls);
    expect(network.requests.filter(({ path }) => path === '/auth/refresh')).toHaveLength(1);
    expect(other.who()).toEqual(tab.who());
  });

  test('when the answer to a refresh is lost, then the session lives on', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const ana = await customer({ fetch: network.fetch, storage, patienceMs: 0 });
    expire(storage, stack.gatewayUrl);
    network.state = 'lost';
    expect((await failureOf(ana.calls.me())).code).toBe('unreachable');
    network.state = 'up';
    expect((await ana.calls.me()).name).toBe('Ana');
  });

  test('when the token has run out and there is no network for a moment, then an order waits for both', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const ana = await customer({ fetch: network.fetch, storage });
    expire(storage, stack.gatewayUrl);
    network.state = 'down';
    const before = network.requests.length;
    const placing = ana.calls.placeOrder(feijoada);
    await until(() => network.requests.length > before, { timeoutMs: 5000, what: 'a try' });
    network.state = 'up';
    expect((await placing).status).toBe('received');
  });

  test('when the session was ended elsewhere, then the client says so and forgets it', async () => {
    const storage = memoryStorage();
    const ana = await somebodyNew({ storage });
    const heard: unknown[] = [];
    ana.onWho((who) => heard.push(who));
    await ana.calls.endSessions();
    expire(storage, stack.gatewayUrl);
    expect((await failureOf(ana.calls.me())).code).toBe('authentication_required');
    expect(heard).toEqual([null]);
    expect(ana.who()).toBeNull();
  });

  test('when the house no longer takes a token, then it is renewed and the call made again', async () => {
    const storage = memoryStorage();
    const ana = await customer({ storage });
    const key = `comanda.session@${stack.gatewayUrl}`;
    const kept = JSON.parse(storage.getItem(key) ?? '') as { access: string };
    storage.setItem(key, JSON.stringify({ ...kept, access: `${kept.access.slice(0, -8)}AAAAAAAA` }));
    expect((await ana.calls.me()).name).toBe('Ana');
  });

  test('when a user signs out, then nobody is signed in, here at once', async () => {
    const ana = await customer();
    const leaving = ana.signOut();
    expect(ana.who()).toBeNull();
    await leaving;
    expect((await failureOf(ana.calls.me())).code).toBe('authentication_required');
  });
});

describe('consent', () => {
  async function rich(options: Partial<ClientOptions>): Promise<{ client: Client; accountId: number }> {
    const manager = clientOf({ onConsent: () => Promise.resolve({ transaction_password: pin }) });
    await manager.signIn({ email: 'manager@example.test', password: 'a-password-for-tests' });
    if ((await manager.calls.transactionPassword()).status === 'absent')
      await manager.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
    const client = await somebodyNew(options);
    await client.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
    const { id } = await client.calls.openAccount({ name: 'Ana' });
    await manager.calls.deposit({ id, amount: '100.00' });
    return { client, accountId: id };
  }

  test('when a transfer needs consent, then the user is asked, told of a wrong PIN, and the transfer is made once', async () => {
    const network = createNetwork();
    const asked: unknown[] = [];
    const { client, accountId } = await rich({
      fetch: network.fetch,
      onConsent: ({ call, endpointKey, input, refused }) => {
        asked.push({ call, endpointKey, input, left: refused?.problem?.['attempts_remaining'] });
        return Promise.resolve({ transaction_password: refused ? pin : '918273' });
      },
    });
    const { client: other, accountId: to } = await rich({});
    const input = { from_account_id: accountId, to_account_id: to, amount: '12.5' };
    const made = await client.calls.transferMoney(input);
    expect(made).toMatchObject({ amount: '12.50', status: 'posted' });
    const challenge = { call: 'transferMoney', endpointKey: 'internal_transfer.create', input };
    expect(asked).toEqual([challenge, { ...challenge, left: 2 }]);
    const transfers = network.requests.filter(({ path }) => path === '/accounts/internal-transfers');
    expect(new Set(transfers.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect((await client.calls.getAccount({ id: accountId })).balance).toBe('87.50');
    expect((await other.calls.getAccount({ id: to })).balance).toBe('112.50');
  }, 40_000);

  test('when the user does not agree, then nothing moves and the failure says what was missing', async () => {
    const { client, accountId } = await rich({ onConsent: () => Promise.resolve(null) });
    const input = { from_account_id: accountId, to_account_id: accountId + 1, amount: '1' };
    const { accountId: to } = await rich({});
    const failure = await failureOf(client.calls.transferMoney({ ...input, to_account_id: to }));
    expect(failure.code).toBe('step_up_required');
    expect((await client.calls.getAccount({ id: accountId })).balance).toBe('100.00');
  }, 40_000);
});
