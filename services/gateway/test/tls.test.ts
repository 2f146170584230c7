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
  test('reports HTTPS to the service and the browser', async () => {
    const gateway = await start({ ...files.settings, NODE_ENV: 'production' });
    const response = await getOverTls(`${gateway.url}/menu`, { ca: files.authority.cert });

    expect(gateway.url).toMatch(/^https:/);
    expect([response.status, response.headers['strict-transport-security']]).toEqual([200, expect.any(String)]);
    expect(gateway.peer.arrived.at(-1)?.headers['x-forwarded-proto']).toEqual(['https']);
  });

  test("frees a connection's place when that connection ends", async () => {
    const gateway = await start({ ...files.settings, CONNECTION_LIMIT_ADDRESS: '1', UNFINISHED_LIMIT_ADDRESS: '1' });
    const get = () => getOverTls(`${gateway.url}/menu`, { ca: files.authority.cert }).catch(() => null);

    // A new connection gets a place only once the previous connection has ended.
    for (let count = 0; count < 4; count++)
      await until(async () => (await get())?.status === 200, { what: 'the place of the connection before' });
  });
});

describe('a gateway in production', () => {
  let gateway: GatewayHarness;
  beforeAll(async () => {
    gateway = await startGatewayHarness({ NODE_ENV: 'production', TRUSTED_PROXIES: '127.0.0.2' });
  });
  afterAll(() => gateway.close());

  test.each(['/menu', '/', '/.well-known/jwks.json', '/nothing'])(
    'returns a 403 for %s over plain HTTP',
    async (path) => {
      expect(await plain(gateway, path, { Authorization: 'Bearer canary' })).toBe('403 tls_required');
      expect(gateway.peer.arrived).toEqual([]);
    },
  );

  test("ignores an untrusted client's claim to use HTTPS", async () => {
    expect(await plain(gateway, '/menu', { 'X-Forwarded-Proto': 'https' })).toBe('403 tls_required');
  });

  test('returns a 403 for a live feed over plain HTTP', async () => {
    expect((await rawCall(gateway.url, handshake())).body).toContain('"code":"tls_required"');
  });

  test('reports its health even over plain HTTP', async () => {
    await untilReady(gateway.metricsUrl);
    expect(await plain(gateway, '/livez')).toBe('200');
    expect(await plain(gateway, '/readyz')).toBe('200');
  });

  test("trusts a proxy's claim that its client uses HTTPS", async () => {
    const behind = await start({ NODE_ENV: 'production', TRUSTED_PROXIES: 'loopback' });

    expect(await plain(behind, '/menu', { 'X-Forwarded-Proto': 'https' })).toBe('200');
    expect(await plain(behind, '/menu', { 'X-Forwarded-Proto': 'http' })).toBe('403 tls_required');
    expect(await plain(behind, '/menu')).toBe('403 tls_required');
  });
});

test('a gateway outside production accepts plain HTTP', async () => {
  expect(await plain(await start({}), '/menu')).toBe('200');
});
