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

describe('the web apps', () => {
  test.each([
    ['/', 'table'],
    ['/index.html', 'table'],
    ['/?t=a-table-token', 'table'],
    ['/kitchen', 'kitchen'],
  ])('serve at %s the %s app', async (path, app) => {
    const response = await get(path);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toContain(`<title>${app}</title>`);
  });

  test('let files with a hash in their name be cached forever', async () => {
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
  ])('return to a client that accepts %s a file with the encoding %s', async (accepted, encoding) => {
    const response = await get('/assets/late-C3_7.js', { 'accept-encoding': accepted });

    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    expect(await response.text()).toBe(encoding === 'br' ? '// late, as Brotli' : '// late');
  });

  test("have no separate path for a file's Brotli version", async () => {
    expect((await get('/assets/late-C3_7.js.br')).status).toBe(404);
  });

  test("return an uncompressed file to a client that doesn't accept gzip", async () => {
    const response = await get('/kitchen/assets/app-B1x_9.js', { 'accept-encoding': 'identity' });

    expect(response.headers.has('content-encoding')).toBe(false);
    expect(await response.text()).toMatch(/^\/\/ kitchen\n/);
  });

  test('return a 304 to a client with a current copy', async () => {
    const etag = (await get('/')).headers.get('etag') ?? '';

    expect((await get('/', { 'if-none-match': etag })).status).toBe(304);
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test("redirect the staff app's path if it ends with a slash", async () => {
    const response = await fetch(`${gateway.url}/kitchen/`, { redirect: 'manual' });

    expect([response.status, response.headers.get('location')]).toEqual([308, '/kitchen']);
  });

  test("return a file's headers for HEAD", async () => {
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
  ])('return a 404 for %s', async (path) => {
    const response = await rawCall(gateway.url, `GET ${path} HTTP/1.1\r\nHost: gateway\r\n\r\n`);

    expect(response).toMatchObject({ status: 404, headers: { 'content-type': 'application/problem+json' } });
    expect(response.text).not.toContain('canary');
  });

  test('return a 405 for a PUT to a file', async () => {
    const response = await fetch(`${gateway.url}/index.html`, { method: 'PUT' });

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  test.each([
    ['/config.json', { build: 'table-7f3a' }],
    ['/kitchen/config.json', { build: 'kitchen-7f3a', notifier_url: 'http://192.168.0.5:3004' }],
  ])('name the build being served in %s', async (path, settings) => {
    const response = await get(path);

    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.json()).toEqual(settings);
  });

  test.each([
    ['/sw.js', null],
    ['/kitchen/sw.js', '/kitchen'],
  ])("let the service worker %s control its app's page", async (path, allowed) => {
    const response = await get(path);

    expect(response.headers.get('service-worker-allowed')).toBe(allowed);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  test("return a 404 for an app that wasn't built", async () => {
    const withoutApps = await startGatewayHarness({ TABLE_APP_FOLDER: join(folder, 'not-built') });

    const responses = await Promise.all(['/', '/kitchen'].map((path) => fetch(withoutApps.url + path)));

    for (const response of responses) expect(await response.json()).toMatchObject({ status: 404, code: 'not_found' });
    expect(withoutApps.lines).toContainEqual(expect.objectContaining({ level: 'warn', at: '/' }));
    await withoutApps.close();
  });
});
