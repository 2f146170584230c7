import { Writable } from 'node:stream';
import { noTraces } from '../tracing/tracer.ts';
import Joi from 'joi';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';
import { roles, endpoint, manager } from '@comanda/contracts/endpoint';
import { id, line, object, optional, secret, tableName } from '@comanda/contracts/schema';
import { createLogger } from '../runtime/logger.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { createApi } from './api.ts';
import { serve, type Listening } from './serve.ts';
import { createTokenVerifier, type TokenVerifier } from './token-verifier.ts';

const thing = object({ id: id(), name: line(20) });
const contract = { service: 'orders', summary: 'A thing', problems: [] } as const;
const getThing = endpoint({
  ...contract,
  method: 'GET',
  path: '/things/{id}',
  name: 'getThing',
  who: 'anyone',
  params: { id: id() },
  query: { table: optional(tableName()), limit: optional(id()) },
  responses: { 200: { about: 'It', body: thing } },
});
const addThing = endpoint({
  ...contract,
  method: 'POST',
  path: '/things',
  name: 'addThing',
  who: manager,
  idempotencyKey: 'accepted',
  body: object({ name: line(20), password: optional(secret(10)), tags: optional(Joi.array().items(id())) }),
  responses: { 201: { about: 'It', body: thing, headers: ['Location'] } },
});
const mine = endpoint({
  ...contract,
  method: 'DELETE',
  path: '/mine',
  name: 'mine',
  who: roles,
  account: 'required',
  responses: { 204: { about: 'Removed', body: null } },
});
const ownPassword = endpoint({
  ...contract,
  method: 'GET',
  path: '/own-password',
  name: 'ownPassword',
  who: roles,
  mustChangePassword: 'allowed',
  passwordSignIn: 'required',
  responses: { 204: { about: 'Nothing', body: null } },
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests read fields of any body
type Body = any;

describe('an API created from contracts', () => {
  let issuer: TestIssuer;
  let tokens: TokenVerifier;
  let server: Listening;
  let calls: unknown[] = [];
  let lines: Record<string, unknown>[] = [];
  const metrics = createMetrics('test');
  const dependency = { name: 'store', need: 'hard' as const, up: true };

  beforeAll(async () => {
    issuer = await startTestIssuer();
    const log = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
        done();
      },
    });
    const logger = createLogger({ service: 'test', level: 'info' }, log);
    tokens = createTokenVerifier({ ...issuer, logger });
    const { app, handle } = createApi({
      tracer: noTraces,
      logger,
      version: '1.2.3',
      metrics,
      tokens,
      translate: [],
      dependencies: [{ ...dependency, isUp: () => dependency.up }],
    });
    const reply = <T>(call: unknown, response: T): T => {
      calls.push(call);
      return response;
    };
    handle(getThing, (call) => reply(call, { status: 200, body: { id: call.params.id, name: 'Pão' } }));
    handle(addThing, (call) =>
      reply(call, { status: 201, body: { id: 1, name: call.body.name }, headers: { Location: '/things/1' } }),
    );
    handle(mine, (call) => reply(call, { status: 204 }));
    handle(ownPassword, (call) => reply(call, { status: 204 }));
    server = await serve(app, { port: 0, host: '127.0.0.1' });
  });
  beforeEach(() => {
    calls = [];
    lines = [];
    dependency.up = true;
  });
  afterAll(async () => {
    await server.close();
    tokens.close();
    await issuer.close();
  });

  type Sent = { body?: string; token?: string; headers?: Record<string, string> };
  const call = async (method: string, path: string, { body, token, headers }: Sent = {}) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? null : (JSON.parse(text) as unknown as Body),
    };
  };
  const asManager = (body: string, headers: Record<string, string> = {}) =>
    call('POST', '/things', { body, headers, token: issuer.token({ sub: 3, role: 'manager' }) });

  test('passes parameters, context and caller to the handler and sends its reply', async () => {
    const response = await call('GET', '/things/7?table=A-1', { headers: { 'x-request-id': 'abcdefgh-1' } });

    expect(response).toMatchObject({ status: 200, body: { id: 7, name: 'Pão' } });
    expect(response.headers.get('x-request-id')).toBe('abcdefgh-1');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(calls).toMatchObject([
      { params: { id: 7 }, query: { table: 'A-1' }, caller: null, context: { requestId: 'abcdefgh-1' } },
    ]);
  });
  test('responds to HEAD with the headers for GET and no body', async () => {
    const raw = await rawCall(server.url, 'HEAD /things/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', {
      until: 'close',
    });

    expect(raw).toMatchObject({ status: 200, body: '', headers: { 'content-length': '22' } });
  });
  test('passes the body and the idempotency key to the handler', async () => {
    const response = await asManager('{"name":"Pão"}', { 'idempotency-key': 'k-1' });

    expect(response).toMatchObject({ status: 201, body: { id: 1, name: 'Pão' } });
    expect(response.headers.get('location')).toBe('/things/1');
    expect(calls).toMatchObject([
      { body: { name: 'Pão' }, idempotency: { key: 'k-1' }, caller: { userId: 3, role: 'manager' } },
    ]);
  });

  test.each([
    { sent: {}, code: 'authentication_required', challenge: 'Bearer' },
    { sent: { token: 'a.b.c' }, code: 'invalid_token', challenge: 'Bearer error="invalid_token"' },
  ])('returns 401 with WWW-Authenticate when the token is $sent', async ({ sent, code, challenge }) => {
    const response = await call('DELETE', '/mine', sent);

    expect(response).toMatchObject({ status: 401, body: { code } });
    expect(response.headers.get('www-authenticate')).toBe(challenge);
    expect(calls).toEqual([]);
  });
  test('returns 403 for a wrong role, for a guest without an account, and for a user who must change the password', async () => {
    const refusedAs = async (method: string, path: string, claims: Parameters<TestIssuer['token']>[0]) =>
      (await call(method, path, { token: issuer.token(claims), ...(method === 'POST' && { body: '{}' }) })).body?.code;
    expect(await refusedAs('POST', '/things', { sub: 1, role: 'waiter' })).toBe('forbidden');
    expect(await refusedAs('DELETE', '/mine', { sub: 1, role: 'customer', table: '1', seating: 2 })).toBe(
      'account_required',
    );
    expect(await refusedAs('DELETE', '/mine', { sub: 1, role: 'waiter', mustChangePassword: true })).toBe(
      'password_change_required',
    );
    expect(calls).toEqual([]);
    expect(
      await refusedAs('GET', '/own-password', { sub: 1, role: 'waiter', mustChangePassword: true }),
    ).toBeUndefined();
  });
  test.each([
    { signedInWith: 'the password', amr: ['pwd'], code: undefined },
    { signedInWith: 'a tablet PIN', amr: ['pin'], code: 'reauthentication_required' },
    { signedInWith: 'a method that an earlier release did not record', amr: [], code: undefined },
  ])(
    'returns the problem $code when a user who signed in with $signedInWith makes a call that requires a sign-in with the password',
    async ({ amr, code }) => {
      const response = await call('GET', '/own-password', { token: issuer.token({ sub: 1, role: 'waiter', amr }) });

      expect(response.body?.code).toBe(code);
      expect(calls).toHaveLength(code === undefined ? 1 : 0);
    },
  );

  test.each([
    ['/things/0', 'path'],
    ['/things/1e3', 'path'],
    ['/things/9007199254740993', 'path'],
    ['/things/7?limit=x', 'query'],
    ['/things/7?limt=5', 'query'],
    ['/things/7?table=1&table=2', 'query'],
    ['/things/7?__proto__=1', 'query'],
    ['/things/7?table[$gt]=', 'query'],
  ])('returns 400 for %s and names the invalid part', async (path, paramIn) => {
    const response = await call('GET', path);

    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ in: paramIn }] } });
    expect(calls).toEqual([]);
  });
  test.each([
    ['an unknown key', '{"name":"a","price":1}', '/price'],
    ['a number instead of text', '{"name":{"$gt":""}}', '/name'],
    ['a number for text', '{"name":5}', '/name'],
    ['text instead of a number', '{"name":"a","tags":["1"]}', '/tags/0'],
    ['1e400', '{"name":"a","tags":[1e400]}', '/tags/0'],
    ['a missing key', '{}', '/name'],
    ['a list', '[]', ''],
    ['null', 'null', ''],
  ])('returns 400 with a pointer when the body has %s', async (_what, body, pointer) => {
    const response = await asManager(body);

    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(response.body.errors).toContainEqual(expect.objectContaining({ pointer }));
  });
  test.each([
    { what: 'a duplicate key', sent: '{"name":"a","name":"b"}', code: '400 malformed_json' },
    {
      what: 'another content type',
      sent: '{"name":"a"}',
      headers: { 'content-type': 'text/plain' },
      code: '415 unsupported_media_type',
    },
    { what: 'more than 32 KB', sent: `"${'a'.repeat(40_000)}"`, code: '413 body_too_large' },
  ])('rejects a body with $what', async ({ sent, headers = {}, code }) => {
    const { status, body } = await asManager(sent, headers);

    expect(`${status} ${body.code}`).toBe(code);
    expect(calls).toEqual([]);
  });
  test.each(['', ' ', 'ключ', 'a b', 'k'.repeat(129)])('returns 400 for the idempotency key %j', async (key) => {
    const raw = await rawCall(
      server.url,
      `POST /things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${issuer.token({ sub: 3, role: 'manager' })}\r\n` +
        `Idempotency-Key: ${Buffer.from(key).toString('latin1')}\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"a"}`,
    );

    expect(raw).toMatchObject({ status: 400, body: expect.stringContaining('Idempotency-Key') });
  });

  test.each([
    ['GET', '/nothing', 404],
    ['GET', '/things/7/', 404],
    ['GET', '/LIVEZ', 404],
    ['PATCH', '/things', 405],
  ])('responds to %s %s with %i', async (method, path, status) => {
    const response = await call(method, path);

    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
  });
  test('returns 405 for a wrong method, even if the request has a body', async () => {
    const raw = await rawCall(server.url, 'DELETE /things HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');

    expect(raw).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });
  test.each([
    ['two Authorization headers', 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'],
    ['a body on GET', 'Content-Length: 2\r\n'],
  ])('returns 400 malformed_request when the request has %s', async (_what, header) => {
    const raw = await rawCall(server.url, `GET /things/7 HTTP/1.1\r\nHost: a\r\n${header}\r\n{}`);

    expect(raw).toMatchObject({ status: 400, body: expect.stringContaining('malformed_request') });
    expect(calls).toEqual([]);
  });

  test("doesn't show an invalid secret in the response or in the log", async () => {
    const response = await asManager('{"name":"a","password":"canary-secret-too-long"}');

    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/password' }] } });
    expect(response.text + JSON.stringify(lines)).not.toContain('canary');
  });
  test("isn't ready while a hard dependency is down, and names that dependency", async () => {
    expect(await call('GET', '/livez')).toMatchObject({ status: 200 });
    expect(await call('GET', '/readyz')).toMatchObject({ status: 200, body: { dependencies: { store: 'up' } } });

    dependency.up = false;

    expect(await call('GET', '/readyz')).toMatchObject({
      status: 503,
      body: { status: 'unready', dependencies: { store: 'down' } },
    });
  });
});
