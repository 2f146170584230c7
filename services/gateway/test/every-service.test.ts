import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '@comanda/contracts/registry';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { caller } from '@comanda/testing/call';
import { invalidTokens } from '@comanda/testing/invalid-tokens';
import { rawCall } from '@comanda/testing/raw-socket';
import { signWith } from '@comanda/testing/test-issuer';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';

let stack: Stack;
let token: string;
let refusedTokens: Record<string, string> = {};
beforeAll(async () => {
  stack = await startRestaurant('every-service');
  const { auth } = stack;
  token = (await auth.manager()).token;
  // The tokens are signed with the service's own key, so that each one has only the fault that its name describes.
  const sign = signWith(await auth.signingKey());
  refusedTokens = await invalidTokens({ jwksUrl: auth.jwksUrl, issuer: 'comanda', audience: 'comanda', sign });
});
afterAll(() => stack?.close());

const concrete = ({ path }: AnyEndpoint): string => path.replaceAll(/\{\w+\}/g, '999999');
/** Returns a path to read and a path to write in this service. Managers have access to both. */
const samplePaths = (service: string): { read: string; write: string } => {
  const own = endpoints.filter((each) => each.service === service && each.who !== 'anyone');
  const read = own.find(({ method }) => method === 'GET');
  const write = own.find(({ method, body }) => method === 'POST' && body);
  if (!read || !write) throw new Error(`${service} has no read or no write`);
  return { read: concrete(read), write: concrete(write) };
};

// The gateway rejects these requests before they reach a service. Each service must reject them as well.
describe.each(['orders', 'auth-stepup', 'transfers', 'gateway'] as const)('%s, called directly', (name) => {
  const host = 'Host: service\r\n';
  const at = (): { url: string; read: string; write: string } => ({
    url: stack.services[name].url,
    ...samplePaths(name === 'gateway' ? 'orders' : name),
  });
  const auth = (): string => `Authorization: Bearer ${token}\r\n`;
  const read = (header: string, target = at().read) =>
    rawCall(at().url, `GET ${target} HTTP/1.1\r\n${host}${auth()}${header}\r\n`);

  test('accepts a valid request', async () => {
    const { status } = await read('');

    expect([200, 404]).toContain(status);
  });

  test('validates the JSON body of a request that writes', async () => {
    const { url, write } = at();

    const { body } = await caller(url, { token })('POST', write, { body: { unknown_key: 1 } });

    expect(body).toMatchObject({ code: 'validation_failed' });
  });

  test.each([
    ['two step-up tokens', 'X-Step-Up-Token: a\r\nX-Step-Up-Token: b\r\n'],
    ['two Authorization headers', 'Authorization: Bearer b\r\n'],
    ['two hosts', 'Host: other\r\n'],
    ['a body on GET', 'Content-Length: 2\r\n'],
    ['a chunked body on GET', 'Transfer-Encoding: chunked\r\n'],
    ['an unknown Connection token', 'Connection: X-Request-Id\r\n'],
  ])('rejects a request that has %s', async (_what, header) => {
    expect(await read(header)).toMatchObject({ status: 400, body: expect.stringContaining('malformed_request') });
  });

  test('rejects a target with escapes, empty segments or dot segments', async () => {
    const { read: path } = at();
    for (const target of [
      `/${path}`,
      `${path}/`,
      `${path}/../x`,
      `/x/..${path}`,
      path.replace('/', '/%2e/'),
      `http://evil.example${path}`,
    ])
      expect({ target, ...(await read('', target)) }).toMatchObject({ target, status: 404 });
  });

  test('returns a 405 for an unknown method', async () => {
    const { url, read: path } = at();
    const response = await rawCall(url, `PATCH ${path} HTTP/1.1\r\n${host}\r\n`);
    expect(response).toMatchObject({ status: 405, headers: { allow: expect.stringContaining('GET, HEAD') } });
  });
  const refusedBodies = [
    { what: 'a duplicate key', body: '{"a":1,"a":2}', status: 400, code: 'malformed_json' },
    { what: '__proto__', body: '{"__proto__":{"role":"manager"}}', status: 400, code: 'malformed_json' },
    { what: '15,000 nested arrays', body: '['.repeat(15_000), status: 400, code: 'malformed_json' },
    { what: 'only half of its JSON', body: '{"a":', status: 400, code: 'malformed_json' },
    { what: 'an array', body: '[]', status: 400, code: 'validation_failed' },
    { what: 'more than 32 KB', body: `{"a":"${'a'.repeat(33_000)}"}`, status: 413, code: 'body_too_large' },
  ];

  test.each(refusedBodies)('rejects a body that has $what with $status', async ({ body, status, code }) => {
    const { url, write } = at();
    const head = `POST ${write} HTTP/1.1\r\n${host}${auth()}Content-Type: application/json\r\n`;
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

    const withLength = await rawCall(url, `${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    const inChunks = await rawCall(url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`);

    const refused = { status, end: 'complete', body: expect.stringContaining(`"code":"${code}"`) };
    expect(withLength).toMatchObject(refused);
    expect(inChunks).toMatchObject(refused);
  });

  test("returns a 415 for a body that isn't JSON", async () => {
    const { url, write } = at();
    const response = await rawCall(
      url,
      `POST ${write} HTTP/1.1\r\n${host}${auth()}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(response).toMatchObject({ status: 415 });
  });

  test('returns a 401 for every kind of invalid token', async () => {
    const { url, read: path } = at();
    for (const [what, bad] of Object.entries(refusedTokens)) {
      const { status, body } = await caller(url)('GET', path, { token: bad });
      expect({ what, status, code: body.code }).toEqual({ what, status: 401, code: 'invalid_token' });
    }
  });
});

test("the notifier's HTTP port serves only health checks", async () => {
  const notifier = stack.services.notifier.url;
  expect((await fetch(`${notifier}/livez`)).status).toBe(200);
  for (const path of ['/orders', '/%2e%2e/livez', '/LIVEZ'])
    expect(await rawCall(notifier, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatchObject({ status: 404 });
});
