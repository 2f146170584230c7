import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';
import { echo } from './support/peer.ts';
import { untilReady } from '@comanda/testing/until-ready';

const packageFile = new URL('../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

let gateway: GatewayHarness;
beforeAll(async () => {
  gateway = await startGatewayHarness();
  await untilReady(gateway.url);
});
beforeEach(() => {
  gateway.peer.response = echo;
});
afterAll(() => gateway.close());

const readMetrics = async (): Promise<string> => (await fetch(`${gateway.metricsUrl}/metrics`)).text();

describe('in health checks, logs and metrics', () => {
  test('/livez returns 200', async () => {
    const response = await fetch(`${gateway.url}/livez`);

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  test('/readyz hides which dependency is down', async () => {
    const withoutRedis = await startGatewayHarness({ REDIS_URL: 'redis://127.0.0.1:1' });
    for (const { url } of [gateway, withoutRedis]) {
      await untilReady(url); // waits until the gateway has loaded the key set
      const response = await fetch(`${url}/readyz`);

      expect({ status: response.status, text: await response.text() }).toEqual({
        status: 200,
        text: '{"status":"ready"}',
      });
    }
    await withoutRedis.close();
  });

  test('metrics are available only on the inner port', async () => {
    const { status } = await fetch(`${gateway.url}/metrics`);
    const ready = await fetch(`${gateway.metricsUrl}/readyz`);

    expect(status).toBe(404);
    expect(await ready.json()).toMatchObject({ status: 'ready', version, dependencies: { redis: expect.any(String) } });
    expect(await readMetrics()).toContain(`comanda_build_info{version="${version}",`);
  });

  test("log lines about an order contain the order's id", async () => {
    const token = gateway.issuer.token({ sub: 1042, role: 'waiter' });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ items: [{ item_id: 1, quantity: 1 }] });
    gateway.peer.response = (_req, res) => void res.writeHead(201, { location: '/orders/1043' }).end();
    await fetch(`${gateway.url}/orders`, { method: 'POST', headers, body });
    gateway.peer.response = echo;
    await fetch(`${gateway.url}/orders/1042/history`, { headers });
    await fetch(`${gateway.url}/orders`, { headers });

    const ids = () => gateway.lines.filter(({ user_id: user }) => user === 1042).map(({ order_id: id }) => id);
    await until(() => ids().length === 3, { what: 'three request lines' });

    expect(ids()).toEqual([1043, 1042, undefined]);
  });

  test('metrics have labels for routes, but not for paths', async () => {
    await fetch(`${gateway.url}/menu/4711`);

    const metrics = await readMetrics();

    expect(metrics).toMatch(
      /http_request_duration_seconds_count\{service="gateway",route="GET \/menu\/\{id\}",status="200"\}/,
    );
    // Only the labels are checked, because a value may contain any digits.
    expect(metrics).not.toMatch(/="[^"]*4711/);
  });
});

test('secrets in requests never appear in logs, metrics or responses', async () => {
  gateway.peer.response = (_req, res) => void res.writeHead(500).end('{}');
  const token = gateway.issuer.token({ sub: 5, role: 'manager' });
  const secrets = ['canary-password', 'canary-query', 'canary-step-up', 'canary-bad-token', token];
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'a@b.test', password: 'canary-password' });

  const responses = await Promise.all([
    fetch(`${gateway.url}/auth/login?x=canary-query`, { method: 'POST', headers: json, body }),
    fetch(`${gateway.url}/auth/login`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body }),
    fetch(`${gateway.url}/orders`, { headers: { authorization: 'Bearer canary-bad-token' } }),
    fetch(`${gateway.url}/accounts/internal-transfers`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}`, 'x-step-up-token': 'canary-step-up' },
      body,
    }),
    fetch(`${gateway.url}/canary-query`),
  ]);

  const texts = await Promise.all(responses.map((response) => response.text()));
  const requestLines = () => gateway.lines.filter(({ msg }) => msg === 'request');
  await until(() => requestLines().length >= responses.length, { what: 'the log lines of the requests' });
  const written = JSON.stringify(gateway.lines) + (await readMetrics()) + texts.join('');
  for (const secret of secrets) expect(written.includes(secret)).toBe(false);
});
