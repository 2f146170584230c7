import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { orderingChanged } from '@comanda/testing/event-factories';
import { until } from '@comanda/testing/until';
import { staff, startNotifierHarness } from './support/harness.ts';
import type { NotifierHarness } from './support/harness.ts';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness({ SOCKETS_PER_USER: '3', ALLOWED_ORIGINS: 'https://kitchen.example' });
});
afterEach(() => harness.reset());
afterAll(() => harness.close());

describe('who may connect', () => {
  test('when there is no token, then it is refused', async () => {
    const client = harness.connectWith({});
    expect(await client.untilRefused()).toMatchObject({ code: 'authentication_required', status: 401 });
  });

  test.each([
    ['is none', () => 'x'],
    ['is no text', () => ({ $gt: '' })],
    ['has expired', () => harness.token({ ...staff, lifetimeS: -10 })],
    ['is for somebody else', () => harness.sign({ iss: 'other', aud: 'comanda', sub: '1', role: 'manager' })],
    ['is of another kind', () => harness.sign({ sub: '1', endpoint_key: 'internal_transfer.create' })],
  ])('when the token %s, then it is refused, and told why without the token', async (_what, make) => {
    const token: unknown = make();
    const client = harness.connectWith({ token });
    const refusal = await client.untilRefused();
    expect(['invalid_token', 'authentication_required']).toContain(refusal.code);
    expect(refusal.status).toBe(401);
    expect(JSON.stringify(refusal)).not.toContain(typeof token === 'string' && token.length > 1 ? token : 'no token');
  });

  test('when the token stands in the query string, then it is refused, though it is good', async () => {
    const token = harness.token(staff);
    const client = harness.connectWith({ token }, { query: { token } });
    expect(await client.untilRefused()).toMatchObject({ code: 'invalid_token' });
  });

  test('when the password must be changed first, then it is refused', async () => {
    const client = harness.connect({ ...staff, mustChangePassword: true });
    expect(await client.untilRefused()).toMatchObject({ code: 'password_change_required', status: 403 });
  });

  test.each(['', 'x', 'a.b', '!', 'x'.repeat(5000), 7, {}, [], Buffer.from('12').toString('base64url')])(
    'when the cursor is %p, then it is refused as malformed',
    async (after) => {
      const client = harness.connect(staff, { after });
      expect(await client.untilRefused()).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/after' }] });
    },
  );

  test.each(['http://127.0.0.1:3000', 'https://kitchen.example'])(
    'when a browser connects from a page of %s, of this host or named, then it may',
    async (origin) => {
      const client = harness.connectWith({ token: harness.token(staff) }, { extraHeaders: { origin } });
      await client.untilStatus('live');
      expect(client.refusals).toEqual([]);
    },
  );

  test.each(['https://evil.example', 'http://kitchen.example', 'null'])(
    'when a browser connects from a page of %s, then it may not',
    async (origin) => {
      const client = harness.connectWith({ token: harness.token(staff) }, { extraHeaders: { origin } });
      expect(await client.untilRefused()).toMatchObject({ code: 'forbidden', status: 403 });
    },
  );

  test('when a user has as many sockets as one may, then the next is refused until one is closed', async () => {
    const clients = [1, 2, 3].map(() => harness.connect({ sub: 77, role: 'customer' }));
    await Promise.all(clients.map((client) => client.untilStatus('live')));
    expect(await harness.connect({ sub: 77, role: 'customer' }).untilRefused()).toMatchObject({ code: 'rate_limited' });
    await harness.connect({ sub: 78, role: 'customer' }).untilStatus('live');

    clients[0]?.close();
    await until(
      async () => {
        const again = harness.connect({ sub: 77, role: 'customer' });
        await until(() => again.notices.length > 0 || again.refusals.length > 0, { what: 'an answer' });
        return again.notices.length > 0;
      },
      { what: 'a place to be free' },
    );
  });
});

describe('the way in', () => {
  test.each(['/socket.io/?EIO=4&transport=polling', '/socket.io', '/socket.io/?EIO=4&transport=websocket'])(
    'when %s is not asked over a WebSocket, then it is 400 and says so',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(harness.url + path, { method });
        expect(answer.status).toBe(400);
        expect(answer.headers.get('content-type')).toBe('application/problem+json');
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
        expect(await answer.json()).toMatchObject({ code: 'upgrade_required', request_id: expect.any(String) });
      }
    },
  );

  test('when a client polls, then it hears that it must not', async () => {
    const client = harness.connectWith({ token: harness.token(staff) }, { transports: ['polling'], reconnection: false });
    const error = new Promise<Error>((resolve) => client.socket.on('connect_error', resolve));
    expect((await error).message).toContain('xhr poll error');
  });

  test('when a path is unknown, then it is a 404 problem', async () => {
    const answer = await fetch(`${harness.url}/socket.iox`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'not_found' });
  });

  test('when a packet is larger than 16 KB, then the connection is closed, and others go on', async () => {
    const other = harness.connect({ sub: 2, role: 'waiter' });
    const client = harness.connect({ sub: 3, role: 'waiter' });
    await Promise.all([other.untilStatus('live'), client.untilStatus('live')]);
    client.socket.emit('token', 'x'.repeat(17 * 1024));
    await client.untilClosed();

    await harness.publish(orderingChanged('still here'));
    await other.untilEvents(1);
  });

  test('when bytes come that are no WebSocket, then they do no harm', async () => {
    const { port } = new URL(harness.url);
    for (const bytes of [
      'GET /socket.io/ HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      '\u0000'.repeat(100),
    ]) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined); // refused in whatever way
      const ended = new Promise((resolve) => socket.on('close', resolve));
      socket.write(bytes);
      socket.resume();
      await ended;
    }
    await harness.connect(staff).untilStatus('live');
  });
});
