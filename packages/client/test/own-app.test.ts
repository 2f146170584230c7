import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { managerCredentials } from '@comanda/testing/credentials';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Customer, Stack } from '@comanda/testing/stack';
import { createClient, type Client, type ClientOptions, type OwnApp, type Storage } from '../src/index.ts';
import { memoryStorage } from '../src/session/storage.ts';
import { createNetwork } from './support/lossy-fetch.ts';

let stack: Stack;
let ana: Customer;
const clients: Client[] = [];
beforeAll(async () => {
  stack = await startRestaurant('client-own-app');
  ana = await stack.customer('Ana');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => stack?.close());

const staffApp: OwnApp = { name: 'kitchen', takesOver: ({ role }) => role !== 'customer' };
const guestsApp: OwnApp = { name: 'table', takesOver: ({ role }) => role === 'customer' };

/** Opens a program on the device with this storage. Without `app`, the program shares its session with all other programs. */
function open(storage: Storage, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ url: stack.gatewayUrl, storage, ...options });
  clients.push(client);
  return client;
}
type Credentials = { email: string; password: string };
const signIn = (client: Client, { email, password }: Credentials) => client.signIn({ email, password });
const nameOf = async (client: Client): Promise<string> => (await client.calls.me()).name;
const sharedKey = (name: string): string => `comanda.${name}@${stack.gatewayUrl}`;

describe('an app with a name', () => {
  test('does not share its session with another app on the same origin', async () => {
    const storage = memoryStorage();
    const [guests, staff, other] = [open(storage, { app: guestsApp }), open(storage, { app: staffApp }), open(storage)];

    await signIn(guests, ana);
    await signIn(staff, managerCredentials);

    expect([guests.who()?.role, staff.who()?.role, other.who()]).toEqual(['customer', 'manager', null]);
    expect([await nameOf(guests), await nameOf(staff)]).toEqual(['Ana', 'Marta']);
    await staff.signOut();
    expect([await nameOf(guests), staff.who()]).toEqual(['Ana', null]);
  });

  test('shares its session with another tab of the same app', async () => {
    const storage = memoryStorage();
    await signIn(open(storage, { app: staffApp }), managerCredentials);

    expect(await nameOf(open(storage, { app: staffApp }))).toBe('Marta');
  });
});

describe('a session that was stored before apps had names', () => {
  const apps = [guestsApp, staffApp];
  /** Signs a user in with an earlier release, and then opens both apps on that device in this order. */
  async function upgrade(user: Credentials, order: readonly OwnApp[]) {
    const storage = memoryStorage();
    await signIn(open(storage), user);
    const opened = order.map((app) => [app.name, open(storage, { app })] as const);
    return { storage, ...(Object.fromEntries(opened) as Record<'table' | 'kitchen', Client>) };
  }

  test.each([
    ['the guests’ app is opened first', apps],
    ['the staff’s app is opened first', apps.toReversed()],
  ])("moves to the staff's app if it belongs to staff and %s", async (_which, order) => {
    const { storage, kitchen, table } = await upgrade(managerCredentials, order);

    expect([await nameOf(kitchen), table.who()]).toEqual(['Marta', null]);
    expect(storage.getItem(sharedKey('session'))).toBeNull();
    await kitchen.renewTokens();
    expect(await nameOf(open(storage, { app: staffApp }))).toBe('Marta');
  });

  test.each([
    ['the guests’ app is opened first', apps],
    ['the staff’s app is opened first', apps.toReversed()],
  ])("moves to the guests' app if it belongs to a guest and %s", async (_which, order) => {
    const { storage, kitchen, table } = await upgrade(ana, order);

    expect([await nameOf(table), kitchen.who()]).toEqual(['Ana', null]);
    expect(storage.getItem(sharedKey('session'))).toBeNull();
  });

  test('is removed if the app already has its own session', async () => {
    const storage = memoryStorage();
    await signIn(open(storage, { app: guestsApp }), ana);
    const [before, bia] = [open(storage), await stack.customer('Bia')];
    await signIn(before, bia);

    expect(open(storage, { app: guestsApp }).who()?.name).toBe('Ana');
    expect(before.who()).toBeNull();
  });

  test('moves even if the storage has no room for two sessions', async () => {
    const items = memoryStorage();
    await signIn(open(items), ana);
    const size = (items.getItem(sharedKey('session')) ?? '').length;
    const storage: Storage = {
      ...items,
      setItem: (key, value) => {
        const used = (items.getItem(sharedKey('session')) ?? '').length;
        if (used + value.length > size) throw new DOMException('the quota has been exceeded', 'QuotaExceededError');
        items.setItem(key, value);
      },
    };
    open(storage, { app: guestsApp });

    expect(open(items, { app: guestsApp }).who()?.name).toBe('Ana');
  });

  test('stays where it is if the stored text is not a session', () => {
    const storage = memoryStorage();
    storage.setItem(sharedKey('session'), '{"access":"a.b.c"}');

    expect(open(storage, { app: staffApp }).who()).toBeNull();
    expect(storage.getItem(sharedKey('session'))).toBe('{"access":"a.b.c"}');
  });
});

describe('a call without a response that was stored before apps had names', () => {
  /** Places an order as this user with an earlier release, whose response is lost. */
  async function loseAnswer(storage: Storage, user: Credentials): Promise<Client> {
    const network = createNetwork();
    const client = open(storage, { fetch: network.fetch, patienceMs: 0 });
    await signIn(client, user);
    network.state = 'lost';
    await client.calls.placeOrder({ items: [{ name: 'Feijoada', quantity: 1 }], table: '12' }).catch(() => undefined);
    network.state = 'up';
    return client;
  }

  test('moves to the app where its user is signed in, and is made once', async () => {
    const storage = memoryStorage();
    await loseAnswer(storage, await stack.customer('Rui'));

    const [kitchen, table] = [open(storage, { app: staffApp }), open(storage, { app: guestsApp })];

    const [pending, ...others] = table.pendingCalls();
    expect([pending?.call, others, kitchen.pendingCalls()]).toEqual(['placeOrder', [], []]);
    expect(storage.getItem(sharedKey('unanswered'))).toBeNull();
    if (pending) await table.askAgain(pending);
    expect([table.pendingCalls(), await table.calls.listOrders()]).toMatchObject([[], [{ status: 'received' }]]);
  });

  test('waits until its own user signs in', async () => {
    const storage = memoryStorage();
    const eva = await stack.customer('Eva');
    const before = await loseAnswer(storage, eva);
    const kept = storage.getItem(sharedKey('unanswered'));
    storage.removeItem(sharedKey('session'));
    const [kitchen, table] = [open(storage, { app: staffApp }), open(storage, { app: guestsApp })];
    await Promise.all([signIn(table, ana), signIn(kitchen, managerCredentials)]);

    expect([table.pendingCalls(), kitchen.pendingCalls()]).toEqual([[], []]);
    expect([kept === null, storage.getItem(sharedKey('unanswered'))]).toEqual([false, kept]);
    before.close();
    await signIn(table, eva);
    expect(table.pendingCalls()).toMatchObject([{ call: 'placeOrder' }]);
    expect(storage.getItem(sharedKey('unanswered'))).toBeNull();
  });
});
