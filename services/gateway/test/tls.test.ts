import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { untilReady } from '@comanda/testing/until-ready';
import { rawCall } from '@comanda/testing/raw-socket';
import { getOverTls, makeTestCertificates, type TestCertificates } from '@comanda/testing/tls';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';
import { handshake } from './support/live-feed-harness.ts';

let files: TestCertificates;
beforeAll(async () => {
  files = await makeTestCertificates();
});
const opened: GatewayHarness[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});
async function start(settings: Record<string, string>): Promise<GatewayHarness> {
  const gateway = await startGatewayHarness(settings);
  opened.push(gateway);
  return gateway;
}
const plain = async (gateway: GatewayHarness, path: string, headers: Record<string, string> = {}): Promise<string> => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status, body } = await rawCall(gateway.url, `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`);
  return `${status} ${status >= 400 ? (JSON.parse(body) as { code: string }).code : ''}`.trim();
};

describe('a gateway with a certificate', () => {
  test('when a client calls over HTTPS, then the service and the browser are told so', async () => {
    const gateway = await start({ ...files.settings, NODE_ENV: 'production' });
    const answer = await getOverTls(`${gateway.url}/menu`, { ca: files.authority.cert });

    expect(gateway.url).toMatch(/^https:/);
    expect([answer.status, answer.headers['strict-transport-security']]).toEqual([200, expect.any(String)]);
    expect(gateway.peer.arrived.at(-1)?.headers['x-forwarded-proto']).toEqual(['https']);
  });

  test('when clients come and go, then their connections are counted as over HTTP', async () => {
    const gateway = await start({ ...files.settings, CONNECTION_LIMIT_ADDRESS: '1', UNFINISHED_LIMIT_ADDRESS: '1' });
    const get = () => getOverTls(`${gateway.url}/menu`, { ca: files.authority.cert }).catch(() => null);

    // Each connection is free again once the one before has ended.
    for (let count = 0; count < 4; count++)
      await until(async () => (await get())?.status === 200, { what: 'the place of the connection before' });
  });
});

describe('in production', () => {
  let gateway: GatewayHarness;
  beforeAll(async () => {
    gateway = await startGatewayHarness({ NODE_ENV: 'production', TRUSTED_PROXIES: '127.0.0.2' });
  });
  afterAll(() => gateway.close());

  test.each(['/menu', '/', '/.well-known/jwks.json', '/nothing'])(
    'when a client calls %s over plain HTTP, then 403, and no service gets it',
    async (path) => {
      expect(await plain(gateway, path, { Authorization: 'Bearer canary' })).toBe('403 tls_required');
      expect(gateway.peer.arrived).toEqual([]);
    },
  );

  test('when a client that is no trusted proxy says that it uses HTTPS, then 403 all the same', async () => {
    expect(await plain(gateway, '/menu', { 'X-Forwarded-Proto': 'https' })).toBe('403 tls_required');
  });

  test('when a live feed is opened over plain HTTP, then 403', async () => {
    expect((await rawCall(gateway.url, handshake())).body).toContain('"code":"tls_required"');
  });

  test('when its health is asked for, then plain HTTP is enough', async () => {
    await untilReady(gateway.metricsUrl);
    expect(await plain(gateway, '/livez')).toBe('200');
    expect(await plain(gateway, '/readyz')).toBe('200');
  });

  test('when the trusted proxy says how its client is connected, then that counts', async () => {
    const behind = await start({ NODE_ENV: 'production', TRUSTED_PROXIES: 'loopback' });

    expect(await plain(behind, '/menu', { 'X-Forwarded-Proto': 'https' })).toBe('200');
    expect(await plain(behind, '/menu', { 'X-Forwarded-Proto': 'http' })).toBe('403 tls_required');
    expect(await plain(behind, '/menu')).toBe('403 tls_required');
  });
});

test('when it is not production, then plain HTTP is enough', async () => {
  expect(await plain(await start({}), '/menu')).toBe('200');
});
