import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { orderingChanged } from '@comanda/testing/event-factories';
import { startNotifierHarness } from './support/harness.ts';
import type { NotifierHarness } from './support/harness.ts';
import type { FeedClient } from '@comanda/testing/feed-client';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

const renew = (client: FeedClient, token: unknown): Promise<Record<string, unknown> | null> =>
  client.socket.timeout(5000).emitWithAck('token', token) as Promise<Record<string, unknown> | null>;

describe('the life of a token', () => {
  test('when it expires, then the socket is closed, and does not connect again by itself', async () => {
    const client = harness.connect({ sub: 1, role: 'waiter', lifetimeS: 2 });
    await client.untilStatus('live');
    expect(await client.untilClosed()).toBe('io server disconnect');
    expect(client.socket.active).toBe(false);
  });

  test('when another one of the same user came before that, then the socket lives on with it', async () => {
    const client = harness.connect({ sub: 1, role: 'waiter', lifetimeS: 2 });
    await client.untilStatus('live');
    const first = client.untilClosed();
    expect(await renew(client, harness.token({ sub: 1, role: 'waiter', lifetimeS: 4 }))).toBeNull();
    const second = harness.connect({ sub: 2, role: 'waiter', lifetimeS: 3 });
    await second.untilClosed(); // outlives the first token by a second

    await harness.publish(orderingChanged('still here'));
    await client.untilEvents(1);
    await first; // the second token has expired as well
  });

  test("when it is another user's, then the socket is closed at once", async () => {
    const client = harness.connect({ sub: 1, role: 'waiter' });
    await client.untilStatus('live');
    client.socket.emit('token', harness.token({ sub: 2, role: 'waiter' }));
    expect(await client.untilClosed()).toBe('io server disconnect');
  });

  test('when the user has become somebody else to the feed, then the socket is closed at once', async () => {
    const client = harness.connect({ sub: 1, role: 'waiter' });
    await client.untilStatus('live');
    client.socket.emit('token', harness.token({ sub: 1, role: 'customer' }));
    await client.untilClosed();
  });

  test.each([
    ['no token', 'x'],
    ['nothing', undefined],
    ['an object', { $ne: null }],
  ])('when it is %s, then the client is told, and the token that it has counts on', async (_what, token) => {
    const client = harness.connect({ sub: 1, role: 'waiter' });
    await client.untilStatus('live');
    expect(await renew(client, token)).toMatchObject({ code: 'invalid_token', status: 401 });
    await harness.publish(orderingChanged('still here'));
    await client.untilEvents(1);
  });

  test('when nobody wants an answer, or not as a function, then that is no harm', async () => {
    const client = harness.connect({ sub: 1, role: 'waiter' });
    await client.untilStatus('live');
    client.socket.emit('token');
    client.socket.emit('token', 'x', 'no function');
    client.socket.emit('unknown', { a: 1 });
    expect(await renew(client, harness.token({ sub: 1, role: 'waiter' }))).toBeNull();
  });
});
