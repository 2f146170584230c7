import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { orderingChanged } from '@comanda/testing/event-factories';
import type { TestClaims } from '@comanda/testing/test-issuer';
import { startNotifierHarness, type NotifierHarness } from './support/harness.ts';
import type { FeedClient } from '@comanda/testing/feed-client';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

const waiter = { sub: 1, role: 'waiter' } as const;

async function connectLive(claims: TestClaims): Promise<FeedClient> {
  const client = harness.connect(claims);
  await client.untilStatus('live');
  return client;
}
/** Sends a new token. Returns the reply: null, or a problem. */
const renew = (client: FeedClient, token: unknown): Promise<Record<string, unknown> | null> =>
  client.socket.timeout(5000).emitWithAck('token', token) as Promise<Record<string, unknown> | null>;

describe('an expiring token', () => {
  test('closes its socket', async () => {
    const client = await connectLive({ ...waiter, lifetimeS: 2 });

    const reason = await client.untilClosed();

    expect(reason).toBe('io server disconnect');
    expect(client.socket.active).toBe(false);
  });

  test("doesn't close its socket if the client has sent a new one", async () => {
    const client = await connectLive({ ...waiter, lifetimeS: 2 });
    const closed = client.untilClosed();
    const reply = await renew(client, harness.token({ ...waiter, lifetimeS: 4 }));

    await harness.connect({ sub: 2, role: 'waiter', lifetimeS: 3 }).untilClosed(); // one second after the first token
    await harness.publish(orderingChanged('still connected'));

    expect(reply).toBeNull();
    await client.untilEvents(1);
    await closed;
  });
});

describe('a new token', () => {
  test('closes the socket immediately if it is for another user', async () => {
    const client = await connectLive(waiter);

    client.socket.emit('token', harness.token({ sub: 2, role: 'waiter' }));

    expect(await client.untilClosed()).toBe('io server disconnect');
  });

  test('closes the socket immediately if its role may see different events', async () => {
    const client = await connectLive(waiter);

    client.socket.emit('token', harness.token({ sub: 1, role: 'customer' }));

    expect(await client.untilClosed()).toBe('io server disconnect');
  });

  test.each([
    ['text that is not a token', 'x'],
    ['missing', undefined],
    ['an object', { $ne: null }],
  ])('is rejected if it is %s', async (_what, token) => {
    const client = await connectLive(waiter);

    const reply = await renew(client, token);
    await harness.publish(orderingChanged('still connected'));

    expect(reply).toMatchObject({ code: 'invalid_token', status: 401 });
    await client.untilEvents(1);
  });

  test("doesn't close the socket if it is sent without a callback", async () => {
    const client = await connectLive(waiter);

    client.socket.emit('token');
    await harness.publish(orderingChanged('still connected'));
    await client.untilEvents(1);
    client.socket.emit('token', 'x', 'not a function');
    await harness.publish(orderingChanged('still connected'));
    await client.untilEvents(2);

    expect(await renew(client, harness.token(waiter))).toBeNull();
  });
});

describe('a client that keeps the notifier busy', () => {
  test('is disconnected after more than ten tokens in a minute', async () => {
    const client = await connectLive(waiter);
    for (let count = 1; count <= 10; count++) expect(await renew(client, 'x')).toMatchObject({ code: 'invalid_token' });

    client.socket.emit('token', harness.token(waiter));

    expect(await client.untilClosed()).toBe('io server disconnect');
  });

  test('is disconnected after any event other than a token', async () => {
    const client = await connectLive(waiter);

    client.socket.emit('unknown', { a: 1 });

    expect(await client.untilClosed()).toBe('io server disconnect');
  });
});
