import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { orderingChanged } from '@comanda/testing/events';
import { startHarness } from './support/harness.ts';
import type { Harness } from './support/harness.ts';
import type { Screen } from './support/screen.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

const renew = (screen: Screen, token: unknown): Promise<Record<string, unknown> | null> =>
  screen.socket.timeout(5000).emitWithAck('token', token) as Promise<Record<string, unknown> | null>;

describe('the life of a token', () => {
  test('when it expires, then the socket is closed, and does not connect again by itself', async () => {
    const screen = harness.screen({ sub: 1, role: 'waiter', lifetimeS: 2 });
    await screen.is('live');
    expect(await screen.closed()).toBe('io server disconnect');
    expect(screen.socket.active).toBe(false);
  });

  test('when another one of the same user came before that, then the socket lives on with it', async () => {
    const screen = harness.screen({ sub: 1, role: 'waiter', lifetimeS: 2 });
    await screen.is('live');
    const first = screen.closed();
    expect(await renew(screen, harness.token({ sub: 1, role: 'waiter', lifetimeS: 4 }))).toBeNull();
    const second = harness.screen({ sub: 2, role: 'waiter', lifetimeS: 3 });
    await second.closed(); // outlives the first token by a second

    await harness.publish(orderingChanged('still here'));
    await screen.has(1);
    await first; // the second token has expired as well
  });

  test("when it is another user's, then the socket is closed at once", async () => {
    const screen = harness.screen({ sub: 1, role: 'waiter' });
    await screen.is('live');
    screen.socket.emit('token', harness.token({ sub: 2, role: 'waiter' }));
    expect(await screen.closed()).toBe('io server disconnect');
  });

  test('when the user has become somebody else to the feed, then the socket is closed at once', async () => {
    const screen = harness.screen({ sub: 1, role: 'waiter' });
    await screen.is('live');
    screen.socket.emit('token', harness.token({ sub: 1, role: 'customer' }));
    await screen.closed();
  });

  test.each([
    ['no token', 'x'],
    ['nothing', undefined],
    ['an object', { $ne: null }],
  ])('when it is %s, then the client is told, and the token that it has counts on', async (_what, token) => {
    const screen = harness.screen({ sub: 1, role: 'waiter' });
    await screen.is('live');
    expect(await renew(screen, token)).toMatchObject({ code: 'invalid_token', status: 401 });
    await harness.publish(orderingChanged('still here'));
    await screen.has(1);
  });

  test('when nobody wants an answer, or not as a function, then that is no harm', async () => {
    const screen = harness.screen({ sub: 1, role: 'waiter' });
    await screen.is('live');
    screen.socket.emit('token');
    screen.socket.emit('token', 'x', 'no function');
    screen.socket.emit('unknown', { a: 1 });
    expect(await renew(screen, harness.token({ sub: 1, role: 'waiter' }))).toBeNull();
  });
});
