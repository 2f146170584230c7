import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getProblem } from '@comanda/contracts/api-docs';
import { problems } from '@comanda/contracts/problems';
import { endpoints } from '@comanda/contracts/registry';
import { loadConfig } from '@comanda/shared/config/load-config';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { caller } from '@comanda/testing/call';
import { silentLogger } from '@comanda/testing/silent-logger';
import { gatewaySettings } from '../src/config.ts';
import { startGateway } from '../src/service.ts';

let gateway: Running;
beforeAll(async () => {
  const { redisUrl, redisPrefix } = await isolatedServers('documents');
  const env = { PORT: '0', REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix, PUBLIC_URL: 'http://house.test:3000' };
  gateway = await startGateway(loadConfig(gatewaySettings, env), silentLogger);
});
afterAll(() => gateway.close());
const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });

describe('the documents', () => {
  test('when a program asks for the contract, then it has every call that the gateway routes', async () => {
    const { status, headers, body } = await caller(gateway.url)('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const listed = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  test('when a program asks for the events, then it is told where the feed is for browsers', async () => {
    const { body } = await caller(gateway.url)('GET', '/asyncapi.json');
    expect(body).toMatchObject({
      asyncapi: '3.0.0',
      servers: { gateway: { host: 'house.test:3000', protocol: 'ws' } },
    });
  });

  test('when a document is asked for again, then it costs nothing', async () => {
    const first = await get('/v1/openapi.json');
    const again = await get('/openapi.json', { 'if-none-match': first.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const plain = { 'accept-encoding': 'identity' };
    const head = await fetch(`${gateway.url}/openapi.json`, { method: 'HEAD', headers: plain });
    expect(head.headers.get('content-length')).toBe(String((await first.arrayBuffer()).byteLength));
    expect(await head.text()).toBe('');
  });

  test('when a person opens the page, then all that it loads comes from here, and nothing runs in it but files', async () => {
    const page = await get('/docs');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await page.text();
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/unsafe|script-src '?https?:/);
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(loaded.length).toBeGreaterThan(3);
    for (const address of loaded) {
      expect(address).toMatch(/^\/[a-z]/);
      expect((await get(address)).status).toBe(200);
    }
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=/);
    const own = await (await get('/docs/docs.js')).text();
    expect(own).not.toMatch(/https?:\/\//);
  });

  test.each(Object.keys(problems))(
    'when somebody follows the type of %s, then a program and a person learn what to do',
    async (code) => {
      const { status, body } = await caller(gateway.url)('GET', `/problems/${code}`);
      expect({ status, code: body.code, example: body.example.type }).toEqual({
        status: 200,
        code,
        example: `/problems/${code}`,
      });
      const page = await get(`/problems/${code}`, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('vary')).toContain('Accept');
      expect(await page.text()).toContain(`<code>${code}</code>`);
    },
  );

  test('when there is no such problem or file, then 404; another method, then 405', async () => {
    const call = caller(gateway.url);
    expect((await call('GET', '/problems/constructor')).body.code).toBe('not_found');
    expect((await call('GET', '/docs/swagger-ui-bundle.js.map')).status).toBe(404);
    const posted = await call('POST', getProblem.path.replace('{code}', 'forbidden'));
    expect({ status: posted.status, allow: posted.headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
  });
});
