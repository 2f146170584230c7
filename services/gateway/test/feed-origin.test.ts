import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceHere } from '@comanda/testing/service-here';
import type { RunningService } from '@comanda/testing/service-process';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';

let issuer: TestIssuer;
let notifier: RunningService;
let gateway: GatewayHarness;
beforeAll(async () => {
  const { rabbitmqUrl } = await isolatedServers('feed-origin');
  issuer = await startTestIssuer();
  const common = { JWKS_URL: issuer.jwksUrl, ALLOWED_ORIGINS: 'https://menu.example.com' };
  notifier = await startServiceHere('notifier', { env: { ...common, PORT: '0', RABBITMQ_URL: rabbitmqUrl } });
  await notifier.ready();
  gateway = await startGatewayHarness({ ...common, NOTIFIER_URL: notifier.url });
});
const clients: FeedClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  await gateway.close();
  await notifier.close();
  await issuer.close();
});

/** Opens the feed like a browser that shows a page from `origin` and connects to `host`. */
function openFrom(url: string, headers: { origin: string; host: string; 'x-forwarded-host'?: string }): FeedClient {
  const token = issuer.token({ sub: 5, role: 'waiter' });
  const client = openFeedClient(url, { token, socketOptions: { extraHeaders: headers, reconnection: false } });
  clients.push(client);
  return client;
}
const connectError = async ({ socket }: FeedClient): Promise<Error & { description?: unknown }> =>
  new Promise((resolve) => socket.once('connect_error', resolve));

describe('the feed through the gateway and the notifier', () => {
  test.each([
    ['http://laptop.local:3000', 'laptop.local:3000'],
    ['http://192.168.0.5:3000', '192.168.0.5:3000'],
    ['http://localhost:8080', 'localhost:8080'],
    ['https://restaurant.example', 'restaurant.example'],
    ['https://menu.example.com', 'restaurant.example'],
  ])('accepts a page from %s that connects to the host %s', async (origin, host) => {
    const client = openFrom(gateway.url, { origin, host });

    await client.untilStatus('live');

    expect(client.refusals).toEqual([]);
  });

  test.each(['https://evil.example', 'http://laptop.local.evil.example', 'null'])(
    'rejects a page from %s, even if the client claims another host',
    async (origin) => {
      const headers = { origin, host: 'laptop.local:3000', 'x-forwarded-host': 'evil.example' };
      const client = openFrom(gateway.url, headers);

      await connectError(client);

      expect(client.notices).toEqual([]);
      expect(gateway.lines).toContainEqual(
        expect.objectContaining({ msg: 'live feed refused', status: 403, code: 'forbidden' }),
      );
    },
  );
});

describe("the notifier's own feed", () => {
  test('accepts a page from the host that is called, even on another port', async () => {
    const client = openFrom(notifier.url, { origin: 'http://laptop.local:3000', host: 'laptop.local:3004' });

    await client.untilStatus('live');
  });

  test('rejects a page from another host', async () => {
    const client = openFrom(notifier.url, { origin: 'http://evil.example', host: 'laptop.local:3004' });

    expect(await client.untilRefused()).toMatchObject({ code: 'forbidden' });
  });
});
