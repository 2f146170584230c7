import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadConfig, staffUrlSetting } from '@comanda/shared/config/load-config';
import { rawCall } from '@comanda/testing/raw-socket';
import { createAppHosts } from '../src/local-routes/app-hosts.ts';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';

const publicHost = 'menu.example.com';
const staffHost = 'staff.example.com';
let folder: string;
let gateway: GatewayHarness;
let withoutStaffUrl: GatewayHarness;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'comanda-hosts-'));
  for (const app of ['table', 'kitchen']) {
    mkdirSync(join(folder, app, 'assets'), { recursive: true });
    writeFileSync(join(folder, app, 'index.html'), `<!doctype html><title>${app}</title>`);
    for (const file of ['sw.js', 'manifest.webmanifest', 'assets/app-B1x_9.js'])
      writeFileSync(join(folder, app, file), `/* ${app} */`);
  }
  const common = {
    PUBLIC_URL: `https://${publicHost}`,
    TABLE_APP_FOLDER: join(folder, 'table'),
    KITCHEN_APP_FOLDER: join(folder, 'kitchen'),
    TRUSTED_PROXIES: 'loopback',
  };
  [gateway, withoutStaffUrl] = await Promise.all([
    startGatewayHarness({ ...common, STAFF_URL: `https://${staffHost}` }),
    startGatewayHarness(common),
  ]);
});
afterAll(async () => {
  await Promise.all([gateway.close(), withoutStaffUrl.close()]);
  rmSync(folder, { recursive: true });
});

type Asked = { host: string; method?: string; headers?: readonly string[]; url?: string };
/** Requests this path with this `Host` header, like a proxy on this machine. */
const ask = (path: string, { host, method = 'GET', headers = [], url = gateway.url }: Asked) =>
  rawCall(url, [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n'));
const filesOfKitchen = [
  '/kitchen',
  '/kitchen/index.html',
  '/kitchen/assets/app-B1x_9.js',
  '/kitchen/sw.js',
  '/kitchen/manifest.webmanifest',
  '/kitchen/config.json',
];
const filesOfTable = ['/index.html', '/assets/app-B1x_9.js', '/sw.js', '/manifest.webmanifest', '/config.json'];
const redirect = (location: string) => ({ status: 308, headers: { location, 'cache-control': 'no-store' } });

describe("the staff app's host", () => {
  test.each(filesOfKitchen)('serves %s', async (path) => {
    expect(await ask(path, { host: staffHost })).toMatchObject({ status: 200 });
  });

  test.each([staffHost, 'STAFF.example.com', `${staffHost}:443`])(
    'serves the staff app if the Host header is %s',
    async (host) => {
      expect((await ask('/kitchen', { host })).text).toContain('<title>kitchen</title>');
    },
  );

  test('redirects its start page to the staff app', async () => {
    expect(await ask('/', { host: staffHost })).toMatchObject(redirect(`https://${staffHost}/kitchen`));
  });

  test.each(['/?t=a-table-token', ...filesOfTable, '/docs'])('redirects %s to PUBLIC_URL', async (path) => {
    const response = await ask(path, { host: staffHost });

    expect(response).toMatchObject({ ...redirect(`https://${publicHost}${path}`), body: '0\r\n\r\n' });
  });
});

describe("hosts other than the staff app's", () => {
  const others = [publicHost, '10.0.0.5:3000', `${staffHost}.evil.example`, `${staffHost}:8443`];

  test.each(others.flatMap((host) => filesOfKitchen.map((path) => ({ host, path }))))(
    'redirect $path at $host to STAFF_URL',
    async ({ host, path }) => {
      const response = await ask(path, { host });

      expect(response).toMatchObject({ ...redirect(`https://${staffHost}${path}`), body: '0\r\n\r\n' });
    },
  );

  test.each(['/', '/?t=a-table-token', ...filesOfTable, '/docs'])('serve %s', async (path) => {
    expect(await ask(path, { host: publicHost })).toMatchObject({ status: 200 });
  });

  test('keep the query in redirects', async () => {
    const response = await ask('/kitchen?from=//evil.example', { host: publicHost });

    expect(response).toMatchObject(redirect(`https://${staffHost}/kitchen?from=//evil.example`));
  });

  test.each([
    '//evil.example/kitchen',
    '/kitchen/../..//evil.example',
    '/kitchen/%0d%0aSet-Cookie:x',
    '/kitchen/none.js',
  ])("don't redirect %s", async (path) => {
    const response = await ask(path, { host: publicHost });

    expect([response.status, response.headers['location']]).toEqual([404, undefined]);
  });

  test('are recognized only by the Host header', async () => {
    const headers = [`X-Forwarded-Host: ${staffHost}`, `Forwarded: host=${staffHost}`];
    const [kitchen, start] = await Promise.all([
      ask('/kitchen', { host: publicHost, headers }),
      ask('/', { host: staffHost, headers: [`X-Forwarded-Host: ${publicHost}`] }),
    ]);

    expect(kitchen).toMatchObject(redirect(`https://${staffHost}/kitchen`));
    expect(start).toMatchObject(redirect(`https://${staffHost}/kitchen`));
  });

  test.each(['POST', 'PUT', 'DELETE'])('return a 405 for %s', async (method) => {
    const response = await ask('/kitchen', { host: publicHost, method });

    expect([response.status, response.headers['location']]).toEqual([405, undefined]);
  });
});

test.each([publicHost, staffHost])('the API at %s responds to requests from an app', async (host) => {
  const response = await ask('/menu', { host });

  expect(response.status).toBe(200);
});

test.each([...filesOfKitchen, '/', ...filesOfTable, '/docs'])(
  '%s is served at every host if STAFF_URL is not set',
  async (path) => {
    const hosts = [publicHost, staffHost, '10.0.0.5:3000'];
    const responses = await Promise.all(hosts.map((host) => ask(path, { host, url: withoutStaffUrl.url })));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  },
);

test.each([`https://${publicHost}`, `http://${publicHost}`, `https://${publicHost}:443`])(
  "the gateway doesn't start with the STAFF_URL %s, because PUBLIC_URL has the same host",
  (staffUrl) => {
    expect(() => createAppHosts({ publicUrl: `https://${publicHost}`, staffUrl })).toThrow(
      /STAFF_URL: has the host of PUBLIC_URL \(menu\.example\.com\)/,
    );
  },
);

test.each([`https://${staffHost}/`, `https://${staffHost}/kitchen`, 'https://Staff.example.com', staffHost])(
  'the STAFF_URL %s is rejected because no browser sends it as an origin',
  (url) => {
    expect(() => loadConfig({ staffUrl: staffUrlSetting }, { STAFF_URL: url })).toThrow(/STAFF_URL: must /);
  },
);
