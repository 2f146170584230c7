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
/** Asks the gateway at this path, and with this `Host`, as through a proxy on this machine. */
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

describe('with STAFF_URL, at its host', () => {
  test.each(filesOfKitchen)('when %s is requested, then it is there', async (path) => {
    expect(await ask(path, { host: staffHost })).toMatchObject({ status: 200 });
  });

  test.each([staffHost, 'STAFF.example.com', `${staffHost}:443`])(
    'when the host is written %s, then the kitchen app is there',
    async (host) => {
      expect((await ask('/kitchen', { host })).text).toContain('<title>kitchen</title>');
    },
  );

  test('when somebody opens the start page, then they are sent to the kitchen app', async () => {
    expect(await ask('/', { host: staffHost })).toMatchObject(redirect(`https://${staffHost}/kitchen`));
  });

  test.each(['/?t=a-table-token', ...filesOfTable, '/docs'])(
    'when %s is requested, then the browser is sent to PUBLIC_URL, where the guests’ app and the documentation are',
    async (path) => {
      const answer = await ask(path, { host: staffHost });

      expect(answer).toMatchObject({ ...redirect(`https://${publicHost}${path}`), body: '0\r\n\r\n' });
    },
  );
});

describe('with STAFF_URL, at every other host', () => {
  const others = [publicHost, '10.0.0.5:3000', `${staffHost}.evil.example`, `${staffHost}:8443`];

  test.each(others.flatMap((host) => filesOfKitchen.map((path) => ({ host, path }))))(
    'when $path is requested at $host, then the browser is sent to STAFF_URL',
    async ({ host, path }) => {
      const answer = await ask(path, { host });

      expect(answer).toMatchObject({ ...redirect(`https://${staffHost}${path}`), body: '0\r\n\r\n' });
    },
  );

  test.each(['/', '/?t=a-table-token', ...filesOfTable, '/docs'])(
    'when %s is requested, then it is there',
    async (path) => {
      expect(await ask(path, { host: publicHost })).toMatchObject({ status: 200 });
    },
  );

  test('when the path has a query, then it is kept', async () => {
    const answer = await ask('/kitchen?from=//evil.example', { host: publicHost });

    expect(answer).toMatchObject(redirect(`https://${staffHost}/kitchen?from=//evil.example`));
  });

  test.each([
    '//evil.example/kitchen',
    '/kitchen/../..//evil.example',
    '/kitchen/%0d%0aSet-Cookie:x',
    '/kitchen/none.js',
  ])('when %s is requested, then nobody is sent anywhere', async (path) => {
    const answer = await ask(path, { host: publicHost });

    expect([answer.status, answer.headers['location']]).toEqual([404, undefined]);
  });

  test('when a proxy or a client says another host in X-Forwarded-Host or Forwarded, then only Host counts', async () => {
    const headers = [`X-Forwarded-Host: ${staffHost}`, `Forwarded: host=${staffHost}`];
    const [kitchen, start] = await Promise.all([
      ask('/kitchen', { host: publicHost, headers }),
      ask('/', { host: staffHost, headers: [`X-Forwarded-Host: ${publicHost}`] }),
    ]);

    expect(kitchen).toMatchObject(redirect(`https://${staffHost}/kitchen`));
    expect(start).toMatchObject(redirect(`https://${staffHost}/kitchen`));
  });

  test.each(['POST', 'PUT', 'DELETE'])(
    'when the method is %s, then it is 405, and nobody is sent anywhere',
    async (method) => {
      const answer = await ask('/kitchen', { host: publicHost, method });

      expect([answer.status, answer.headers['location']]).toEqual([405, undefined]);
    },
  );
});

test.each([publicHost, staffHost])('when an app calls the API at %s, then it is answered', async (host) => {
  const answer = await ask('/menu', { host });

  expect(answer.status).toBe(200);
});

test.each([...filesOfKitchen, '/', ...filesOfTable, '/docs'])(
  'when there is no STAFF_URL, then %s is at every host',
  async (path) => {
    const hosts = [publicHost, staffHost, '10.0.0.5:3000'];
    const answers = await Promise.all(hosts.map((host) => ask(path, { host, url: withoutStaffUrl.url })));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  },
);

test.each([`https://${publicHost}`, `http://${publicHost}`, `https://${publicHost}:443`])(
  'when STAFF_URL is %s, which has the host of PUBLIC_URL, then the gateway does not start, and says why',
  (staffUrl) => {
    expect(() => createAppHosts({ publicUrl: `https://${publicHost}`, staffUrl })).toThrow(
      /STAFF_URL: has the host of PUBLIC_URL \(menu\.example\.com\)/,
    );
  },
);

test.each([`https://${staffHost}/`, `https://${staffHost}/kitchen`, 'https://Staff.example.com', staffHost])(
  'when STAFF_URL is %s, which no browser sends as an origin, then the setting is refused',
  (url) => {
    expect(() => loadConfig({ staffUrl: staffUrlSetting }, { STAFF_URL: url })).toThrow(/STAFF_URL: must /);
  },
);
