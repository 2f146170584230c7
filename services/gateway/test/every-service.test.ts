import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '@comanda/contracts/registry';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { caller } from '@comanda/testing/call';
import { invalidTokens } from '@comanda/testing/invalid-tokens';
import { rawCall } from '@comanda/testing/raw-socket';
import { signWith } from '@comanda/testing/test-issuer';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStackWithAuthCommands } from '@comanda/testing/stack';
import type { StackWithAuthCommands } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';

let stack: StackWithAuthCommands;
let token: string;
let refusedTokens: Record<string, string> = {};
beforeAll(async () => {
  stack = await startStackWithAuthCommands(await isolatedServers('every-service'), withoutLimits);
  const { auth } = stack;
  token = (await auth.manager()).token;
  // Signed with the service's own key: nothing is wrong with a token except what its name says.
  const sign = signWith(await auth.signingKey());
  refusedTokens = await invalidTokens({ jwksUrl: auth.jwksUrl, issuer: 'comanda', audience: 'comanda', sign });
}, 60_000);
afterAll(() => stack.close());

const concrete = ({ path }: AnyEndpoint): string => path.replaceAll(/\{\w+\}/g, '999999');
/** A read and a write of this service, both for a manager. */
const samples = (service: string): { read: string; write: string; both: string } => {
  const own = endpoints.filter((each) => each.service === service && each.who !== 'anyone');
  const read = own.find(({ method }) => method === 'GET');
  const write = own.find(({ method, body }) => method === 'POST' && body);
  if (!read || !write) throw new Error(`${service} has no calls to try`);
  return { read: concrete(read), write: concrete(write), both: concrete(read) };
};

// The gateway keeps all of this from them; they hold without it.
describe.each(['orders', 'auth-stepup', 'transfers', 'gateway'] as const)('%s, asked directly', (name) => {
  const H = 'Host: service\r\n';
  const at = (): { url: string; read: string; write: string } => ({
    url: stack.services[name].url,
    ...samples(name === 'gateway' ? 'orders' : name),
  });
  const auth = (): string => `Authorization: Bearer ${token}\r\n`;
  const read = (header: string, target = at().read) =>
    rawCall(at().url, `GET ${target} HTTP/1.1\r\n${H}${auth()}${header}\r\n`);

  test('when the call is honest, then it is answered', async () => {
    const { status } = await read('');
    expect([200, 404]).toContain(status);
    const { url, write } = at();
    expect((await caller(url, { token })('POST', write, { body: { unknown_key: 1 } })).body).toMatchObject({
      code: 'validation_failed',
    });
  });
  test.each([
    ['two step-up tokens', 'X-Step-Up-Token: a\r\nX-Step-Up-Token: b\r\n'],
    ['two Authorization headers', 'Authorization: Bearer b\r\n'],
    ['two hosts', 'Host: other\r\n'],
    ['a body on GET', 'Content-Length: 2\r\n'],
    ['a chunked body on GET', 'Transfer-Encoding: chunked\r\n'],
    ['an unknown Connection token', 'Connection: X-Request-Id\r\n'],
  ])('when it has %s, then it is 400', async (_what, header) => {
    expect(await read(header)).toMatchObject({ status: 400, body: expect.stringContaining('malformed_request') });
  });
  test('when the target is not written out plainly, then it is 404', async () => {
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
  test('when the method is another, then it is 405 with Allow', async () => {
    const { url, read: path } = at();
    const answer = await rawCall(url, `PATCH ${path} HTTP/1.1\r\n${H}\r\n`);
    expect(answer).toMatchObject({ status: 405, headers: { allow: expect.stringContaining('GET, HEAD') } });
  });
  test.each([
    ['a key twice', '{"a":1,"a":2}', 400, 'malformed_json'],
    ['__proto__', '{"__proto__":{"role":"manager"}}', 400, 'malformed_json'],
    ['15,000 levels', '['.repeat(15_000), 400, 'malformed_json'],
    ['half of it', '{"a":', 400, 'malformed_json'],
    ['a list', '[]', 400, 'validation_failed'],
    ['more than 32 KB', `{"a":"${'a'.repeat(33_000)}"}`, 413, 'body_too_large'],
    // oxlint-disable-next-line max-params -- a table
  ])('when the body has %s, then it is refused', async (_what, body, status, code) => {
    const { url, write } = at();
    const head = `POST ${write} HTTP/1.1\r\n${H}${auth()}Content-Type: application/json\r\n`;
    const refused = { status, end: 'complete', body: expect.stringContaining(`"code":"${code}"`) };
    expect(await rawCall(url, `${head}Content-Length: ${body.length}\r\n\r\n${body}`)).toMatchObject(refused);
    const chunked = `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    expect(await rawCall(url, head + chunked)).toMatchObject(refused);
  });
  test('when the body is not JSON by its type, then it is 415', async () => {
    const { url, write } = at();
    const answer = await rawCall(
      url,
      `POST ${write} HTTP/1.1\r\n${H}${auth()}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(answer).toMatchObject({ status: 415 });
  });
  test('when anything is wrong with the token, then it is 401 invalid_token', async () => {
    const { url, read: path } = at();
    for (const [what, bad] of Object.entries(refusedTokens)) {
      const { status, body } = await caller(url)('GET', path, { token: bad });
      expect({ what, status, code: body.code }).toEqual({ what, status: 401, code: 'invalid_token' });
    }
  });
});

test('when the notifier is asked plainly, then it has nothing but its health', async () => {
  const notifier = stack.services.notifier.url;
  expect((await fetch(`${notifier}/livez`)).status).toBe(200);
  for (const path of ['/orders', '/%2e%2e/livez', '/LIVEZ'])
    expect(await rawCall(notifier, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatchObject({ status: 404 });
});
