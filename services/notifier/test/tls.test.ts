import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import { rawCall } from '@comanda/testing/raw-socket';
import { startServiceProcess } from '@comanda/testing/service-process';
import { makeTestCertificates, type TestCertificates } from '@comanda/testing/tls';
import { serverUrls } from '@comanda/testing/environment';
import { staff, startNotifierHarness, type NotifierHarness } from './support/harness.ts';

let harness: NotifierHarness;
let files: TestCertificates;
beforeAll(async () => {
  [harness, files] = await Promise.all([startNotifierHarness(), makeTestCertificates()]);
});
const clients: FeedClient[] = [];
afterAll(async () => {
  for (const client of clients) client.close();
  await harness.close();
});

/** Connects a screen that trusts the test's certificate authority. */
function connect(url: string): FeedClient {
  const socketOptions = { ca: files.authority.cert } as Record<string, unknown>;
  const client = openFeedClient(url, { token: harness.token(staff), socketOptions });
  clients.push(client);
  return client;
}

describe('a notifier with a certificate', () => {
  test('serves kitchen screens over WSS', async () => {
    const { url } = await harness.startInstance({ ...files.settings, NODE_ENV: 'production' }, 'listening');
    const gateway = await startServiceProcess('gateway', {
      ...files.settings,
      NODE_EXTRA_CA_CERTS: files.caFile,
      REDIS_URL: serverUrls().REDIS_URL,
      NOTIFIER_URL: url,
    });
    try {
      await connect(url).untilStatus('live');
      await connect(gateway.url).untilStatus('live');
      expect([url, gateway.url].map((each) => new URL(each).protocol)).toEqual(['https:', 'https:']);
    } finally {
      for (const client of clients) client.close();
      await gateway.end('SIGTERM');
    }
  });
});

describe('a notifier in production', () => {
  const handshake = (headers = ''): string =>
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: notifier\r\nUpgrade: websocket\r\n' +
    `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers}\r\n`;

  test('returns a 403 for a handshake over plain HTTP', async () => {
    const { url } = await harness.startInstance({ NODE_ENV: 'production' }); // the instance trusts proxies on this machine

    expect((await rawCall(url, handshake())).body).toContain('"code":"tls_required"');
    expect((await rawCall(url, handshake('X-Forwarded-Proto: http\r\n'))).status).toBe(403);
    expect((await rawCall(url, handshake('X-Forwarded-Proto: https\r\n'), { timeoutMs: 1000 })).status).toBe(101);
    expect((await rawCall(url, 'GET /livez HTTP/1.1\r\nHost: notifier\r\n\r\n')).status).toBe(200);
  });
});
