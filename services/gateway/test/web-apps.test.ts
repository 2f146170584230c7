import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';

let gateway: GatewayHarness;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'comanda-apps-'));
  for (const app of ['table', 'kitchen']) writeApp(app);
  writeFileSync(join(folder, 'outside.txt'), 'canary');
  gateway = await startGatewayHarness({
    NOTIFIER_PUBLIC_URL: 'http://192.168.0.5:3004',
    TABLE_APP_FOLDER: join(folder, 'table'),
    KITCHEN_APP_FOLDER: join(folder, 'kitchen'),
  });
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

function writeApp(app: string): void {
  mkdirSync(join(folder, app, 'assets'), { recursive: true });
  writeFileSync(
    join(folder, app, 'index.html'),
    `<!doctype html><meta name="build" content="${app}-7f3a" /><title>${app}</title>`,
  );
  writeFileSync(join(folder, app, 'assets', 'app-B1x_9.js'), `// ${app}\n${'console.log(1);\n'.repeat(200)}`);
  writeFileSync(join(folder, app, 'assets', 'late-C3_7.js'), '// late');
  writeFileSync(join(folder, app, 'assets', 'late-C3_7.js.br'), brotliCompressSync('// late, as Brotli'));
  writeFileSync(join(folder, app, 'sw.js'), '// worker');
  writeFileSync(join(folder, app, 'bell.mp3'), Buffer.from([1, 2, 3]));
  writeFileSync(join(folder, app, '.secret'), 'canary');
  writeFileSync(join(folder, app, 'notes.bak'), 'canary');
}
const get = (path: string, headers: Record<string, string> = {}) => fetch(gateway.url + path, { headers });

describe('for the web apps', () => {
  test.each([
    ['/', 'table'],
    ['/index.html', 'table'],
    ['/?t=a-table-token', 'table'],
    ['/kitchen', 'kitchen'],
  ])('%s is the %s app', async (path, app) => {
    const response = await get(path);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain(`<title>${app}</title>`);
  });

  test('files with a hash in their name may be cached forever', async () => {
    const response = await get('/kitchen/assets/app-B1x_9.js');

    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(await response.text()).toMatch(/^\/\/ kitchen\n/);
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br', 'br'],
    ['gzip, br;q=0', null],
    ['gzip', null],
    ['identity', null],
  ])('a client that accepts %s gets the encoding %s', async (accepted, encoding) => {
    const response = await get('/assets/late-C3_7.js', { 'accept-encoding': accepted });

    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    expect(await response.text()).toBe(encoding === 'br' ? '// late, as Brotli' : '// late');
  });

  test("a file's Brotli version has no path of its own", async () => {
    expect((await get('/assets/late-C3_7.js.br')).status).toBe(404);
  });

  test('a client that does not accept gzip gets an uncompressed file', async () => {
    const response = await get('/kitchen/assets/app-B1x_9.js', { 'accept-encoding': 'identity' });

    expect(response.headers.has('content-encoding')).toBe(false);
    expect(await response.text()).toMatch(/^\/\/ kitchen\n/);
  });

  test('a client with a current copy gets a 304', async () => {
    const etag = (await get('/')).headers.get('etag') ?? '';

    expect((await get('/', { 'if-none-match': etag })).status).toBe(304);
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test("the staff app's path with a slash at the end is redirected", async () => {
    const response = await fetch(`${gateway.url}/kitchen/`, { redirect: 'manual' });

    expect([response.status, response.headers.get('location')]).toEqual([308, '/kitchen']);
  });

  test("HEAD returns the file's headers", async () => {
    const response = await fetch(`${gateway.url}/bell.mp3`, { method: 'HEAD' });

    expect(response.headers.get('content-length')).toBe('3');
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
  });

  test.each([
    '/.secret',
    '/notes.bak',
    '/../outside.txt',
    '/kitchen/../index.html',
    '/assets',
    '/assets/',
    '/kitchen/index',
    '/Index.html',
    '/assets/app-B1x_9.js%00',
    '//index.html',
  ])('%s gets a 404', async (path) => {
    const response = await rawCall(gateway.url, `GET ${path} HTTP/1.1\r\nHost: gateway\r\n\r\n`);

    expect(response).toMatchObject({ status: 404, headers: { 'content-type': 'application/problem+json' } });
    expect(response.text).not.toContain('canary');
  });

  test('PUT to a file gets a 405', async () => {
    const response = await fetch(`${gateway.url}/index.html`, { method: 'PUT' });

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  test.each([
    ['/config.json', { build: 'table-7f3a' }],
    ['/kitchen/config.json', { build: 'kitchen-7f3a', notifier_url: 'http://192.168.0.5:3004' }],
  ])('%s contains the served build', async (path, settings) => {
    const response = await get(path);

    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.json()).toEqual(settings);
  });

  test.each([
    ['/sw.js', null],
    ['/kitchen/sw.js', '/kitchen'],
  ])("the service worker %s may control its app's page", async (path, allowed) => {
    const response = await get(path);

    expect(response.headers.get('service-worker-allowed')).toBe(allowed);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  test('an app that was not built gets a 404', async () => {
    const withoutApps = await startGatewayHarness({ TABLE_APP_FOLDER: join(folder, 'not-built') });

    const responses = await Promise.all(['/', '/kitchen'].map((path) => fetch(withoutApps.url + path)));

    for (const response of responses) expect(await response.json()).toMatchObject({ status: 404, code: 'not_found' });
    expect(withoutApps.lines).toContainEqual(expect.objectContaining({ level: 'warn', at: '/' }));
    await withoutApps.close();
  });
});
