import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getProblem } from '@comanda/contracts/api-docs';
import { problems } from '@comanda/contracts/problems';
import { endpoints } from '@comanda/contracts/registry';
import { undoDeliveryMinutes } from '@comanda/contracts/rules';
import { transitions } from '@comanda/contracts/transitions';
import { loadConfig } from '@comanda/shared/config/load-config';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import { root } from '@comanda/local-stack/root';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { caller } from '@comanda/testing/call';
import { silentLogger } from '@comanda/testing/silent-logger';
import { testServiceSettings } from '@comanda/testing/test-secrets';
import { gatewaySettings } from '../src/config.ts';
import { startGateway } from '../src/service.ts';

let gateway: Running;
beforeAll(async () => {
  const { redisUrl, redisPrefix } = await isolatedServers('api-docs');
  const env = {
    PORT: '0',
    METRICS_PORT: '0',
    REDIS_URL: redisUrl,
    REDIS_PREFIX: redisPrefix,
    PUBLIC_URL: 'http://restaurant.test:3000',
    ...testServiceSettings('gateway'),
  };
  gateway = await startGateway(loadConfig(gatewaySettings, env), silentLogger);
});
afterAll(() => gateway.close());
/** Fetches a path and reads the whole body, because an unread body keeps its connection open. */
async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('the API documents', () => {
  test('list every public endpoint in /openapi.json', async () => {
    const { status, headers, body } = await caller(gateway.url)('GET', '/openapi.json');

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const listed = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test("name the feed's public URL in /asyncapi.json", async () => {
    const { body } = await caller(gateway.url)('GET', '/asyncapi.json');

    expect(body).toMatchObject({
      asyncapi: '3.0.0',
      servers: { gateway: { host: 'restaurant.test:3000', protocol: 'ws' } },
    });
  });

  test('return a 304 to a client with a current copy', async () => {
    const first = await get('/v1/openapi.json');

    const second = await get('/openapi.json', { 'if-none-match': first.headers.get('etag') ?? '' });

    expect(second.status).toBe(304);
  });

  test('have no body in a response to HEAD', async () => {
    const plain = { 'accept-encoding': 'identity' };
    const { text } = await get('/openapi.json', plain);

    const head = await fetch(`${gateway.url}/openapi.json`, { method: 'HEAD', headers: plain });

    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(await head.text()).toBe('');
  });
});

describe('the page at /docs', () => {
  /** Returns the URLs that a browser loads from the page. `data:` is the URL of the empty icon. */
  const addressesIn = (html: string): string[] =>
    [...html.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, address = '']) => address);

  test('is reached by a redirect from its path with a trailing slash', async () => {
    const response = await fetch(`${gateway.url}/docs/`, { redirect: 'manual' });

    expect([response.status, response.headers.get('location')]).toEqual([308, '/docs']);
  });

  test('loads only files from this gateway', async () => {
    const page = await get('/docs');
    const addresses = addressesIn(page.text);
    const files = await Promise.all(addresses.map((address) => get(address)));

    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) expect(address).toMatch(/^\/[a-z]/);
    expect(files.map(({ status }) => status)).toEqual(addresses.map(() => 200));
  });

  test("uses the apps' fonts and colours", async () => {
    const { text } = await get('/docs/docs.css');
    const font = await fetch(`${gateway.url}/docs/inter.woff2`);

    const valuesIn = (css: string): Map<string, string> =>
      new Map(
        [...css.matchAll(/^ {2}(--[a-z0-9-]+): (light-dark.*);$/gm)].map(([, name = '', value = '']) => [name, value]),
      );
    const ofApps = valuesIn(readFileSync(join(root, 'packages/ui/src/tokens.css'), 'utf8'));
    const ofPage = valuesIn(text);
    expect(ofPage.size).toBeGreaterThan(10);
    for (const [name, value] of ofPage) expect([name, value]).toEqual([name, ofApps.get(name)]);
    expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    expect(
      Buffer.from(await font.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('wOF2');
  });

  test('allows no inline code', async () => {
    const page = await get('/docs');
    const policy = page.headers.get('content-security-policy');
    const script = await get('/docs/docs.js');
    const anotherPage = await get('/problems/not_found', { accept: 'text/html' });

    expect(policy?.split(';')).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "script-src-attr 'none'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
      ]),
    );
    expect(anotherPage.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=/);
    expect(script.text).not.toMatch(/https?:\/\//);
  });
});

describe("a problem's page", () => {
  const codes = Object.keys(problems);

  test.each(codes)('is JSON with an example for %s', async (code) => {
    const { status, body } = await caller(gateway.url)('GET', `/problems/${code}`);

    expect({ status, code: body.code, example: body.example.type }).toEqual({
      status: 200,
      code,
      example: `/problems/${code}`,
    });
    expect(body.about).toMatch(/\.$/);
    expect(body.next).toMatch(/\.$/);
  });

  test.each(codes)('is HTML for browsers for %s', async (code) => {
    const page = await get(`/problems/${code}`, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });

    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toContain('Accept');
    expect(page.text).toContain(`<code>${code}</code>`);
  });

  test('lists the few calls that return its problem', async () => {
    const page = await get('/problems/ordering_paused', { accept: 'text/html' });
    const { body } = await caller(gateway.url)('GET', '/problems/ordering_paused');

    expect(body.calls).toEqual(['POST /orders']);
    expect(page.text).toContain('<a href="/docs#tag/orders/POST/orders"><code>POST /orders</code></a>');
  });

  test('returns a 404 for an unknown code', async () => {
    const { status, body } = await caller(gateway.url)('GET', '/problems/constructor');

    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
  });

  test('returns a 405 for POST', async () => {
    const path = getProblem.path.replace('{code}', 'forbidden');

    const { status, headers } = await caller(gateway.url)('POST', path);

    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
  });
});

test('the script of the page at /docs is compressed', async () => {
  const first = await get('/docs/reader.js', { 'accept-encoding': 'gzip' });

  const second = await get('/docs/reader.js', { 'if-none-match': first.headers.get('etag') ?? '' });

  expect(first.status).toBe(200);
  expect(first.headers.get('content-encoding')).toBe('gzip');
  expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(first.text).toContain('createApiReference');
  expect(second.status).toBe(304);
});

test('every guide in docs/guides has a title and a description', async () => {
  const { body } = await caller(gateway.url)('GET', '/docs/guides.json');

  expect(body).toHaveLength(readdirSync(join(root, 'docs/guides')).length);
  for (const guide of body as unknown as { name: string; description: string }[])
    expect(guide).toEqual({
      name: expect.stringMatching(/^[A-Z][a-z, ]+$/),
      description: expect.stringContaining('```js'),
    });
});

describe('the diagram of order states', () => {
  test('shows each allowed transition as an arrow', async () => {
    const { text } = await get('/docs/order-states.svg');

    const arrows = [...text.matchAll(/<path id="(\w+-\w+)"/g)].map(([, name]) => name);

    const expected = Object.entries(transitions).flatMap(([from, next]) => next.map(({ to }) => `${from}-${to}`));
    expect(arrows).toHaveLength(expected.length);
    expect(new Set(arrows)).toEqual(new Set(expected));
    expect(text).toContain(`staff, for ${undoDeliveryMinutes} minutes`);
  });
});

test("a file that the page at /docs doesn't use returns a 404", async () => {
  expect((await caller(gateway.url)('GET', '/docs/reader.js.map')).status).toBe(404);
});
