import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { managerCredentials } from '@comanda/testing/credentials';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { until } from '@comanda/testing/until';
import {
  allowedTransitions,
  CallFailure,
  createClient,
  type Client,
  type ClientOptions,
  type Storage,
} from '../src/index.ts';
import { memoryStorage } from '../src/session/storage.ts';
import { createNetwork } from './support/lossy-fetch.ts';

const pin = '739152';
let stack: Stack;
let account: Credentials;
const clients: Client[] = [];
beforeAll(async () => {
  stack = await startRestaurant('client-calls');
  account = await stack.customer('Ana');
});
afterAll(async () => {
  for (const client of clients) client.close();
  await stack?.close();
});

function newClient(options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ url: stack.gatewayUrl, ...options });
  clients.push(client);
  return client;
}
type Credentials = { email: string; password: string };
/** Signs the customer Ana in on a new device. */
async function signedIn(options: Partial<ClientOptions> = {}, credentials: Credentials = account): Promise<Client> {
  const client = newClient(options);
  await client.signIn({ email: credentials.email, password: credentials.password });
  return client;
}
/** Signs in a new customer, who has not ordered anything yet. */
const signedInAsNewCustomer = async (options: Partial<ClientOptions> = {}): Promise<Client> =>
  signedIn(options, await stack.customer('Bia'));
const failureOf = async (call: Promise<unknown>): Promise<CallFailure> => {
  const result = await call.catch((error: unknown) => error);
  if (!(result instanceof CallFailure)) throw new Error(`not a CallFailure: ${String(result)}`);
  return result;
};
const feijoada = { items: [{ name: 'Feijoada', quantity: 1 }], table: '12' };

describe('when a client makes calls', () => {
  test("placeOrder returns the customer's order", async () => {
    const ana = await signedIn();

    const order = await ana.calls.placeOrder(feijoada);

    expect(order).toMatchObject({ status: 'received', total: '62.00', allowed_transitions: ['cancelled'] });
  });

  test('`ask` needs no input if the call needs none', async () => {
    const { status, body } = await newClient().ask('listMenu');

    expect([status, body.length > 0]).toEqual([200, true]);
  });

  test('a read with the ETag from the previous response returns 304', async () => {
    const ana = await signedIn();
    const { id } = await ana.calls.placeOrder(feijoada);
    const { headers } = await ana.ask('getOrder', { id });

    const again = await ana.ask('getOrder', { id }, { ifNoneMatch: headers.get('etag') ?? '' });

    expect(again).toMatchObject({ status: 304, body: undefined });
  });

  test("a rejected call fails with the problem's code and fields", async () => {
    const ana = await signedIn();

    const failure = await failureOf(ana.calls.placeOrder({ items: [{ name: 'Nothing', quantity: 1 }] }));

    expect(failure).toMatchObject({ code: 'menu_item_unknown', outcome: 'none', problem: { items: [{ index: 0 }] } });
  });

  test('a call that needs a token fails when no user is signed in', async () => {
    const failure = await failureOf(newClient().calls.me());

    expect(failure.code).toBe('authentication_required');
  });

  test('an order with a lost response is retried, and placed once', async () => {
    const network = createNetwork();
    const ana = await signedInAsNewCustomer({ fetch: network.fetch });
    const sentOrders = () => network.requests.filter(({ method, path }) => method === 'POST' && path === '/orders');

    network.state = 'lost';
    const placing = ana.calls.placeOrder(feijoada);
    await until(() => sentOrders().length >= 2, { what: 'the second attempt' });
    network.state = 'up';
    const order = await placing;

    expect(new Set(sentOrders().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect((await ana.calls.listOrders()).map(({ id }) => id)).toEqual([order.id]);
  });

  test.each([
    { what: 'with an idempotency key for each', optionsOf: (client: Client) => ({ idempotencyKey: client.newKey() }) },
    { what: 'without idempotency keys', optionsOf: () => ({}) },
  ])('repeating an order on purpose after a lost response, $what, places two orders', async ({ optionsOf }) => {
    const network = createNetwork();
    const ana = await signedInAsNewCustomer({ fetch: network.fetch, patienceMs: 0 });
    network.state = 'lost';
    const failure = await failureOf(ana.calls.placeOrder(feijoada, optionsOf(ana)));
    network.state = 'up';

    const second = await ana.ask('placeOrder', feijoada, optionsOf(ana));

    expect(failure).toMatchObject({ code: 'unreachable', outcome: 'unknown' });
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(await ana.calls.listOrders()).toHaveLength(2);
  });

  test('a pending order that is retried after a reload is placed once', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const beforeReload = await signedInAsNewCustomer({ fetch: network.fetch, storage, patienceMs: 0 });
    const key = beforeReload.newKey();
    network.state = 'lost';
    await failureOf(beforeReload.calls.placeOrder(feijoada, { idempotencyKey: key }));
    network.state = 'up';

    const afterReload = newClient({ storage });
    const pending = afterReload.pendingCalls();
    const responses = await Promise.all(pending.map((each) => afterReload.askAgain(each)));

    expect(pending).toMatchObject([{ key, call: 'placeOrder', input: feijoada }]);
    expect(responses.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true']);
    expect(await afterReload.calls.listOrders()).toHaveLength(1);
    expect(afterReload.pendingCalls()).toEqual([]);
  });

  test('two tabs that lost the responses to equal orders place one order each', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const first = await signedInAsNewCustomer({ fetch: network.fetch, storage, patienceMs: 0 });
    const second = newClient({ fetch: network.fetch, storage, patienceMs: 0 });
    network.state = 'down';
    const tabs = [first, second].map((tab) => ({ tab, key: tab.newKey() }));
    for (const { tab, key } of tabs) await failureOf(tab.calls.placeOrder(feijoada, { idempotencyKey: key }));
    network.state = 'up';

    for (const { tab, key } of tabs) await tab.calls.placeOrder(feijoada, { idempotencyKey: key });

    expect(await first.calls.listOrders()).toHaveLength(2);
  });

  test('a rejected order is no longer pending', async () => {
    const ana = await signedInAsNewCustomer();

    await failureOf(ana.calls.placeOrder({ items: [{ name: 'Nothing', quantity: 1 }] }));

    expect(ana.pendingCalls()).toEqual([]);
  });

  test('two equal orders at the same time are both placed', async () => {
    const ana = await signedIn();

    const [first, second] = await Promise.all([ana.calls.placeOrder(feijoada), ana.calls.placeOrder(feijoada)]);

    expect(first.id).not.toBe(second.id);
  });

  test('a waiting order is not placed for another user who signs in', async () => {
    const network = createNetwork();
    const client = await signedInAsNewCustomer({ fetch: network.fetch, patienceMs: 600_000 });
    const other = await stack.customer('Rui');
    const isOrder = ({ url }: { url: string }): boolean => new URL(url).pathname === '/orders';
    network.stateFor = (request) => (isOrder(request) ? 'down' : 'up');
    const placing = failureOf(client.calls.placeOrder(feijoada));
    await client.signIn({ email: other.email, password: other.password });
    network.stateFor = () => 'up';

    const failure = await placing;

    expect(failure.code).toBe('authentication_required');
    expect(client.pendingCalls()).toEqual([]);
    expect(await client.calls.listOrders()).toEqual([]);
  });

  test('a write that may not be retried fails immediately when the server is unreachable', async () => {
    const network = createNetwork();
    const client = newClient({ fetch: network.fetch });
    network.state = 'down';

    const failure = await failureOf(
      client.calls.register({ name: 'Ana', email: 'a@example.test', password: 'long-enough-1' }),
    );

    expect(failure.code).toBe('unreachable');
    expect(network.requests.map(({ path }) => path)).toEqual(['/auth/register']);
  });

  test('a call with repeat "never" is not retried', async () => {
    const network = createNetwork();
    const ana = await signedInAsNewCustomer({ fetch: network.fetch });
    const once = { idempotencyKey: ana.newKey(), repeat: 'never' } as const;
    network.state = 'lost';
    const failure = await failureOf(ana.calls.placeOrder(feijoada, once));
    const attempts = network.requests.filter(({ method, path }) => method === 'POST' && path === '/orders');
    network.state = 'up';

    const { id } = await ana.calls.placeOrder(feijoada, once);

    expect([failure.isUndecided, attempts.length]).toEqual([true, 1]);
    expect((await ana.calls.listOrders()).map((order) => order.id)).toEqual([id]);
  });

  test('an aborted call ends immediately with the abort reason', async () => {
    const network = createNetwork();
    const ana = await signedIn({ fetch: network.fetch });
    network.state = 'down';
    const controller = new AbortController();
    const reason = new Error('the user left');

    const placing = ana.calls.placeOrder(feijoada, { signal: controller.signal });
    controller.abort(reason);

    await expect(placing).rejects.toBe(reason);
  });

  test('`pages` fetches all pages of a list', async () => {
    const ana = await signedInAsNewCustomer();
    const placed: number[] = [];
    for (let nth = 0; nth < 5; nth++) placed.push((await ana.calls.placeOrder(feijoada)).id);

    const pages: number[][] = [];
    for await (const page of ana.pages('listOrders', { limit: 2, sort: 'created_at' }))
      pages.push(page.map(({ id }) => id));

    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(placed);
  });

  test('allowedTransitions matches the server in each status for each role', async () => {
    const ana = await signedIn();
    const staff = newClient();
    await staff.signIn(managerCredentials);
    const expectSameTransitions = async (id: number): Promise<void> => {
      for (const client of [ana, staff]) {
        const order = await client.calls.getOrder({ id });
        const who = client.who();
        expect(who && allowedTransitions(order, who)).toEqual(order.allowed_transitions);
      }
    };
    const { id } = await ana.calls.placeOrder(feijoada);
    const cancelled = await ana.calls.placeOrder(feijoada);

    await expectSameTransitions(id);
    for (const status of ['preparing', 'ready', 'delivered'] as const) {
      await staff.calls.updateOrder({ id, status });
      await expectSameTransitions(id);
    }
    await ana.calls.updateOrder({ id: cancelled.id, status: 'cancelled' });
    await expectSameTransitions(cancelled.id);
  });
});

/** Changes the stored time so that the client treats its access token as expired. */
function expire(storage: Storage, url: string): void {
  const key = `comanda.session@${url}`;
  storage.setItem(key, JSON.stringify({ ...JSON.parse(storage.getItem(key) ?? ''), until: 0 }));
}

describe('when a session is stored', () => {
  test('one of two tabs refreshes an expired token for both', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const first = await signedIn({ fetch: network.fetch, storage });
    const second = newClient({ fetch: network.fetch, storage });
    expire(storage, stack.gatewayUrl);

    await Promise.all([first.calls.me(), second.calls.me(), first.calls.listOrders(), second.calls.listOrders()]);

    expect(network.requests.filter(({ path }) => path === '/auth/refresh')).toHaveLength(1);
    expect(second.who()).toEqual(first.who());
  });

  test('a session survives the lost response to a refresh', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const ana = await signedIn({ fetch: network.fetch, storage, patienceMs: 0 });
    expire(storage, stack.gatewayUrl);
    network.state = 'lost';
    const failure = await failureOf(ana.calls.me());
    network.state = 'up';
    const { name } = await ana.calls.me();

    expect(failure.code).toBe('unreachable');
    expect(name).toBe('Ana');
  });

  test('an order waits for a token refresh while the network is briefly down', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const ana = await signedIn({ fetch: network.fetch, storage });
    expire(storage, stack.gatewayUrl);
    network.state = 'down';
    const before = network.requests.length;

    const placing = ana.calls.placeOrder(feijoada);
    await until(() => network.requests.length > before, { what: 'the first attempt' });
    network.state = 'up';
    const { status } = await placing;

    expect(status).toBe('received');
  });

  test('a session gets a seat during a token refresh', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const ana = await signedIn({ fetch: network.fetch, storage });
    const table = await (await signedIn({}, managerCredentials)).calls.putTable({ table: `seat-${ana.who()?.userId}` });
    expire(storage, stack.gatewayUrl);

    const [seated] = await Promise.all([ana.takeSeat({ table_token: table.table_token }), ana.calls.me()]);

    expect(seated).toMatchObject({ table: table.table, isGuest: false });
    expire(storage, stack.gatewayUrl);
    expect((await ana.calls.me()).name).toBe('Ana');
    expect(ana.who()).toEqual(seated);
  });

  test('a session survives a lost response to taking a seat', async () => {
    const network = createNetwork();
    const ana = await signedIn({ fetch: network.fetch, patienceMs: 0 });
    const table = await (await signedIn({}, managerCredentials)).calls.putTable({ table: `lost-${ana.who()?.userId}` });
    network.state = 'lost';
    const failure = await failureOf(ana.takeSeat({ table_token: table.table_token }));
    network.state = 'up';

    expect(failure.code).toBe('unreachable');
    expect(await ana.takeSeat({ table_token: table.table_token })).toMatchObject({ table: table.table });
  });

  test('a session that was ended elsewhere is removed', async () => {
    const storage = memoryStorage();
    const ana = await signedInAsNewCustomer({ storage });
    const reported: unknown[] = [];
    ana.onWho((who) => reported.push(who));
    await ana.calls.endSessions();
    expire(storage, stack.gatewayUrl);

    const failure = await failureOf(ana.calls.me());

    expect(failure.code).toBe('authentication_required');
    expect(reported).toEqual([null]);
    expect(ana.who()).toBeNull();
  });

  test('a rejected token is renewed before the call is retried', async () => {
    const storage = memoryStorage();
    const ana = await signedIn({ storage });
    const key = `comanda.session@${stack.gatewayUrl}`;
    const kept = JSON.parse(storage.getItem(key) ?? '') as { access: string };
    storage.setItem(key, JSON.stringify({ ...kept, access: `${kept.access.slice(0, -8)}AAAAAAAA` }));

    const { name } = await ana.calls.me();

    expect(name).toBe('Ana');
  });

  test('a pending call from another release stays stored when the user signs out', async () => {
    const storage = memoryStorage();
    const ana = await signedIn({ storage });
    const key = `comanda.unanswered@${stack.gatewayUrl}`;
    const unknown = { key: 'k1', call: 'orderByPigeon', input: {}, userId: ana.who()?.userId, at: Date.now() };
    storage.setItem(key, JSON.stringify([unknown]));

    await ana.calls.placeOrder(feijoada);

    expect(ana.pendingCalls()).toEqual([]);
    expect(JSON.parse(storage.getItem(key) ?? '')).toEqual([unknown]);
    expect(await ana.signOut()).toEqual([]);
    expect(ana.who()).toBeNull();
  });

  test('signing out ends the session on this device and on the server', async () => {
    const ana = await signedIn();

    const signedOut = ana.signOut();
    const whoAtOnce = ana.who();
    await signedOut;

    expect(whoAtOnce).toBeNull();
    expect((await failureOf(ana.calls.me())).code).toBe('authentication_required');
  });
});

describe('when storage rejects every write', () => {
  const quotaExceeded = (): never => {
    throw new DOMException('the quota has been exceeded', 'QuotaExceededError');
  };

  test('the session lasts until the user leaves the page', async () => {
    const ana = await signedIn({ storage: { ...memoryStorage(), setItem: quotaExceeded } });

    const { status } = await ana.calls.placeOrder(feijoada);

    expect(status).toBe('received');
  });

  test('only this tab can use a refreshed token', async () => {
    const items = memoryStorage();
    const full = { isFull: false };
    const storage: Storage = {
      ...items,
      setItem: (key, value) => (full.isFull ? quotaExceeded() : items.setItem(key, value)),
    };
    const ana = await signedIn({ storage });
    expire(storage, stack.gatewayUrl);
    full.isFull = true;

    const { name } = await ana.calls.me();

    expect(name).toBe('Ana');
    expect(items.getItem(`comanda.session@${stack.gatewayUrl}`)).toBeNull();
    await expect(ana.calls.me()).resolves.toMatchObject({ name: 'Ana' });
  });
});

describe('when a call needs authorization', () => {
  /** Creates a customer who has a PIN and an account with a balance of 100.00. */
  async function customerWithMoney(options: Partial<ClientOptions>): Promise<{ client: Client; accountId: number }> {
    const manager = newClient({ onConsent: () => Promise.resolve({ transaction_password: pin }) });
    await manager.signIn(managerCredentials);
    if ((await manager.calls.transactionPassword()).status === 'absent')
      await manager.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
    const client = await signedInAsNewCustomer(options);
    await client.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
    const { id } = await client.calls.openAccount({ name: 'Ana' });
    await manager.calls.deposit({ id, amount: '100.00' });
    return { client, accountId: id };
  }

  test('the user is asked until the PIN is right, and one transfer is posted', async () => {
    const network = createNetwork();
    const asked: unknown[] = [];
    const { client, accountId } = await customerWithMoney({
      fetch: network.fetch,
      onConsent: ({ call, endpointKey, input, details, refused }) => {
        asked.push({ call, endpointKey, input, details, left: refused?.problem?.['attempts_remaining'] });
        return Promise.resolve({ transaction_password: refused ? pin : '918273' });
      },
    });
    const { client: recipient, accountId: to } = await customerWithMoney({});
    const input = { from_account_id: accountId, to_account_id: to, amount: '12.5' };

    const transfer = await client.calls.transferMoney(input);

    expect(transfer).toMatchObject({ amount: '12.50', status: 'posted' });
    // The input lacks the currency, because the account determines it. The user therefore authorizes any transfer.
    const challenge = { call: 'transferMoney', endpointKey: 'internal_transfer.create', input, details: null };
    expect(asked).toEqual([challenge, { ...challenge, left: 2 }]);
    const transfers = network.requests.filter(({ path }) => path === '/accounts/internal-transfers');
    expect(new Set(transfers.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect((await client.calls.getAccount({ id: accountId })).balance).toBe('87.50');
    expect((await recipient.calls.getAccount({ id: to })).balance).toBe('112.50');
  });

  test('shows the user exactly what the call will do when the input has all the details', async () => {
    const shown: unknown[] = [];
    const { client, accountId } = await customerWithMoney({
      onConsent: ({ details }) => {
        shown.push(details);
        return Promise.resolve({ transaction_password: pin });
      },
    });
    const { accountId: to } = await customerWithMoney({});
    const input = { from_account_id: accountId, to_account_id: to, amount: '12.5', currency: 'BRL' } as const;

    await client.calls.transferMoney(input);

    expect(shown).toEqual([{ type: 'internal_transfer', ...input }]);
    const events = await client.calls.securityEvents({ limit: 10 });
    expect(events.find(({ type }) => type === 'step_up_issued')?.authorization_details).toEqual([
      { type: 'internal_transfer', ...input, amount: '12.50' },
    ]);
  });

  test('the app can supply the details itself, as in earlier releases', async () => {
    const details = { type: 'internal_transfer', amount: '1', currency: 'BRL' };
    const { accountId: to } = await customerWithMoney({});
    const { client, accountId } = await customerWithMoney({
      onConsent: ({ challenge }) =>
        Promise.resolve(
          challenge.code === 'step_up_required'
            ? { transaction_password: pin, authorization_details: [{ ...details, to_account_id: to }] }
            : null,
        ),
    });
    const transfer = (amount: string) =>
      client.calls.transferMoney({ from_account_id: accountId, to_account_id: to, amount, currency: 'BRL' });

    const other = await failureOf(transfer('2'));

    expect(other.code).toBe('step_up_wrong_details');
    expect(await transfer('1')).toMatchObject({ amount: '1.00', status: 'posted' });
  });

  const agree = () => Promise.resolve({ transaction_password: pin });
  const refuse = () => Promise.resolve(null);
  test.each([
    { asker: 'client', onConsent: refuse, options: {} },
    { asker: 'call', onConsent: agree, options: { consent: refuse } },
  ])("no money moves when the user cancels the $asker's request for the PIN", async ({ onConsent, options }) => {
    const { client, accountId } = await customerWithMoney({ onConsent });
    const { accountId: to } = await customerWithMoney({});
    const input = { from_account_id: accountId, to_account_id: to, amount: '1' };

    const failure = await failureOf(client.calls.transferMoney(input, options));

    expect(failure.code).toBe('step_up_required');
    expect((await client.calls.getAccount({ id: accountId })).balance).toBe('100.00');
  });

  test('signing out settles each transfer that has had no response', async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const asked: unknown[] = [];
    const { client, accountId } = await customerWithMoney({
      fetch: network.fetch,
      storage,
      patienceMs: 0,
      onConsent: (request) => {
        asked.push(request);
        return Promise.resolve({ transaction_password: pin });
      },
    });
    const { client: recipient, accountId: to } = await customerWithMoney({});
    const transferOf = (amount: string) => ({ from_account_id: accountId, to_account_id: to, amount });
    network.stateFor = ({ headers }) => (headers.has('x-step-up-token') ? 'lost' : 'up');
    await failureOf(client.calls.transferMoney(transferOf('10')));
    network.stateFor = () => 'down';
    await failureOf(client.calls.transferMoney(transferOf('20')));
    network.stateFor = () => 'up';
    asked.length = 0;

    const settled = await client.signOut();

    expect(settled).toMatchObject([
      { call: 'transferMoney', input: { amount: '10' }, outcome: 'done' },
      { call: 'transferMoney', input: { amount: '20' }, outcome: 'not_done' },
    ]);
    expect(asked).toEqual([]);
    expect(client.who()).toBeNull();
    expect(storage.getItem(`comanda.unanswered@${stack.gatewayUrl}`)).toBeNull();
    expect((await recipient.calls.getAccount({ id: to })).balance).toBe('110.00');
  });

  test('a transfer that waits for authorization is made only once', async () => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const { client, accountId } = await customerWithMoney({
      onConsent: async () => {
        asked.resolve();
        await answered.promise;
        return { transaction_password: pin };
      },
    });
    const { accountId: to } = await customerWithMoney({});
    const transferring = client.calls.transferMoney({ from_account_id: accountId, to_account_id: to, amount: '10' });
    await asked.promise;

    const settled = await client.settlePendingCalls();

    answered.resolve();
    await transferring;
    expect(settled).toMatchObject([{ call: 'transferMoney', outcome: 'not_done' }]);
    expect((await client.calls.getAccount({ id: accountId })).balance).toBe('90.00');
    expect(await client.settlePendingCalls()).toEqual([]);
  });

  test("signing out without a server leaves a transfer's outcome unknown", async () => {
    const network = createNetwork();
    const storage = memoryStorage();
    const { client, accountId } = await customerWithMoney({ fetch: network.fetch, storage, patienceMs: 0 });
    network.state = 'down';
    const transfer = { from_account_id: accountId, to_account_id: accountId + 1, amount: '10' };
    await failureOf(client.calls.transferMoney(transfer));
    await failureOf(client.calls.placeOrder(feijoada));
    const before = client.pendingCalls();

    const settled = await client.signOut().catch((error: unknown) => error);

    expect(before).toHaveLength(2);
    expect(settled).toMatchObject([{ call: 'transferMoney', outcome: 'unknown' }]);
    expect(storage.getItem(`comanda.unanswered@${stack.gatewayUrl}`)).toBeNull();
  });
});
