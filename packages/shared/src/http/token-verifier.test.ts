import { createHmac, generateKeyPairSync, randomUUID, sign as signBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endSigned } from '@comanda/testing/signed-response';
import { testService } from '@comanda/testing/test-secrets';
import { createLogger } from '../runtime/logger.ts';
import { createTokenVerifier, type TokenVerifier } from './token-verifier.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  return { kid, privateKey, publicKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' } };
};
type Key = ReturnType<typeof newKey>;

const start = 1_800_000_000;
let nowMs = start * 1000;
const claims = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  iss: 'comanda',
  aud: 'comanda',
  sub: '7',
  role: 'waiter',
  name: 'Ana',
  jti: randomUUID(),
  auth_time: start - 60,
  iat: start,
  exp: start + 900,
  ...more,
});
const without = (name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name));
/** Signs any payload and header, even those that a JWT library would refuse to sign. */
const sign = (payload: object, key: Key, header: Record<string, unknown> = {}): string => {
  const signed = `${part({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })}.${part(payload)}`;
  const signature = signBytes('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
};
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the token verifier', () => {
  let key: Key;
  let served: { status: number; keys: unknown[]; unsigned?: true };
  let fetches = 0;
  let source: Server;
  let jwksUrl: string;
  let tokens: TokenVerifier;
  const verifier = (url = jwksUrl): TokenVerifier =>
    createTokenVerifier({
      jwksUrl: url,
      service: testService('orders'),
      issuer: 'comanda',
      audience: 'comanda',
      logger,
      clock: () => nowMs,
    });
  const refused = (token: string) =>
    expect(tokens.verify(token)).rejects.toMatchObject({
      code: 'invalid_token',
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    });

  beforeAll(async () => {
    source = createServer((req, res) => {
      fetches++;
      res.statusCode = served.status;
      const text = JSON.stringify({ keys: served.keys });
      if (served.unsigned) res.end(text);
      else endSigned(req, res, text);
    });
    source.listen(0, '127.0.0.1');
    await once(source, 'listening');
    jwksUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`;
  });
  beforeEach(() => {
    nowMs = start * 1000;
    fetches = 0;
    key = newKey();
    served = { status: 200, keys: [key.jwk] };
    tokens = verifier();
  });
  afterAll(async () => {
    source.closeAllConnections();
    source.close();
    await once(source, 'close');
  });

  test('rejects tokens if the key set comes from a sender without the secret', async () => {
    served = { ...served, unsigned: true };
    expect(tokens.dependency.isUp()).toBe(false);
    await expect(tokens.verify(sign(claims(), key))).rejects.toMatchObject({ code: 'service_unavailable' });

    served = { status: 200, keys: [key.jwk] };
    nowMs += 1000;
    expect(await tokens.verify(sign(claims(), key))).toMatchObject({ userId: 7 });
    expect(tokens.dependency.isUp()).toBe(true);

    const forged = newKey();
    served = { status: 200, keys: [forged.jwk], unsigned: true };
    nowMs += 10_000;
    await refused(sign(claims(), forged));
  });

  test.each(['courier', 'constructor'])('returns 403 forbidden for a token with the unknown role %s', async (role) => {
    await expect(tokens.verify(sign(claims({ role }), key))).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('returns the caller of a valid token', async () => {
    const guest = claims({ sub: '12', role: 'customer', table: 'T-1', seating: 88 });

    expect(await tokens.verify(sign(guest, key))).toEqual({
      userId: 12,
      role: 'customer',
      name: 'Ana',
      table: 'T-1',
      seating: 88,
      jti: guest['jti'],
      authTime: start - 60,
      expiresAt: start + 900,
      amr: [],
      mustChangePassword: false,
      guest: true,
    });
  });
  test.each([
    ['a table and the claim guest', { table: 'T-1', guest: true }, true],
    ['a table, as the last release wrote it', { table: 'T-1' }, true],
    ['a table, and belongs to a customer with an account', { table: 'T-1', guest: false }, false],
    ['no table', {}, false],
  ])('returns whether the caller is a guest if the token has %s: %#', async (_what, seat, guest) => {
    expect(await tokens.verify(sign(claims(seat), key))).toMatchObject({ guest });
  });
  test('returns how the user signed in', async () => {
    expect(await tokens.verify(sign(claims({ amr: ['pin'] }), key))).toMatchObject({ amr: ['pin'] });
  });
  test('marks a caller whose password must be changed', async () => {
    expect(await tokens.verify(sign(claims({ must_change_password: true }), key))).toMatchObject({
      mustChangePassword: true,
      guest: false,
    });
  });
  test('rejects a token that is not signed with ES256', async () => {
    await refused(`${part({ alg: 'none', typ: 'at+jwt', kid: key.kid })}.${part(claims())}.`);
    await refused(`${part({ alg: 'ES256', typ: 'at+jwt', kid: key.kid })}.${part(claims())}.`);
    for (const alg of ['HS256', 'ES256'])
      for (const secret of [
        key.publicKey.export({ type: 'spki', format: 'pem' }),
        key.publicKey.export({ type: 'spki', format: 'der' }),
        JSON.stringify(key.jwk),
      ]) {
        const signed = `${part({ alg, typ: 'at+jwt', kid: key.kid })}.${part(claims())}`;
        await refused(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`);
      }
  });
  test('rejects a token that contains its own key', async () => {
    const foreign = newKey();
    const { jwk } = foreign;
    await refused(sign(claims(), foreign));
    await refused(sign(claims(), foreign, { kid: key.kid }));
    await refused(sign(claims(), foreign, { kid: key.kid, jwk }));
    await refused(sign(claims(), foreign, { kid: foreign.kid, jku: jwksUrl, jwk }));
    await refused(sign(claims(), foreign, { kid: '../../dev/null', x5u: jwksUrl }));
  });
  test.each([
    ['typ', { typ: 'JWT' }],
    ['typ of step-up', { typ: 'step-up+jwt' }],
    ['no typ', { typ: undefined }],
    ['typ as object', { typ: { a: 1 } }],
    ['crit', { crit: ['exp'] }],
    ['empty crit', { crit: [] }],
    ['no kid', { kid: undefined }],
    ['kid as array', { kid: ['a'] }],
    ['a long kid', { kid: 'k'.repeat(129) }],
  ])('rejects a wrong header: %s', async (_what, header) => {
    await refused(sign(claims(), key, header));
  });
  test.each([
    ['iss', { iss: 'other' }],
    ['iss as array', { iss: ['comanda'] }],
    ['aud', { aud: 'other' }],
    ['aud as array', { aud: ['comanda', 'other'] }],
    ['sub', { sub: '0' }],
    ['sub as number', { sub: 7 }],
    ['sub as object', { sub: { $gt: '' } }],
    ['a sub that is too large for an exact number', { sub: '9999999999999999' }],
    ['role as array', { role: ['manager'] }],
    ['name as object', { name: { first: 'Ana' } }],
    ['jti as array', { jti: ['a'] }],
    ['table as object', { table: { name: '1' } }],
    ['an empty table', { table: '' }],
    ['seating as text', { table: '1', seating: '88' }],
    ['guest as text', { table: '1', guest: 'false' }],
    ['iat in the future', { iat: start + 60 }],
    ['iat as fraction', { iat: start - 0.5 }],
    ['exp as text', { exp: String(start + 900) }],
    ['nbf in the future', { nbf: start + 60 }],
    ['auth_time as text', { auth_time: 'yesterday' }],
  ])('rejects a wrong claim: %s', async (_what, more) => {
    await refused(sign(claims(more), key));
  });
  test.each(['iss', 'aud', 'sub', 'role', 'name', 'jti', 'auth_time', 'iat', 'exp'])(
    'rejects a token without the claim %s',
    async (name) => {
      await refused(sign(without(name), key));
    },
  );
  test.each([
    '',
    '.',
    '..',
    'a.b.c',
    'bnVsbA.bnVsbA.x',
    `${part([])}.${part({})}.x`,
    `${part('ES256')}.${part({})}.x`,
    'x'.repeat(8192),
  ])('rejects text that is not a JWT', async (token) => {
    await refused(token);
  });
  test('rejects a valid token padded to 8 KB', async () => {
    await refused(sign(claims({ name: 'A'.repeat(8192) }), key));
    await refused(sign(claims(), key, { 'x-padding': 'A'.repeat(8192) }));
  });
  test('rejects a token from the second in which it expires, cached or not', async () => {
    const token = sign(claims(), key);
    await tokens.verify(token);
    nowMs = (start + 900) * 1000 - 1;
    await tokens.verify(token);
    nowMs = (start + 900) * 1000;
    await refused(token);
    tokens = verifier();
    await refused(token);
  });
  test('rejects a cached token with a changed signature', async () => {
    const token = sign(claims(), key);
    await tokens.verify(token);
    await refused(`${token.slice(0, -8)}AAAAAAAA`);
  });

  test('rejects tokens with a removed key after 5 minutes without use, cached or not', async () => {
    const token = sign(claims(), key);
    await tokens.verify(token);
    served.keys = [newKey().jwk];
    nowMs += 299_999 - 60_000; // too early for the next fetch in the background
    await tokens.verify(token);
    nowMs += 60_001;

    expect(tokens.findCached(token)).toBeNull();

    await Promise.all([refused(token), refused(token), refused(sign(claims(), key))]);

    expect(fetches).toBe(2);
  });
  test('reports a removed key within 5 minutes if asked every 15 s, but none while the source is down', async () => {
    const token = sign(claims(), key);
    await tokens.verify(token);
    served = { status: 500, keys: [] };
    const responses: boolean[] = [];
    for (; nowMs < (start + 400) * 1000; nowMs += 15_000) responses.push(await tokens.isKeyRemoved(token));
    const rotated = verifier();
    served = { status: 200, keys: [key.jwk, newKey().jwk] };
    await rotated.verify(token);
    nowMs += 300_000;
    responses.push(await rotated.isKeyRemoved(token));

    expect(new Set(responses)).toEqual(new Set([false]));

    served.keys = [newKey().jwk];
    const removedAt = nowMs;
    do nowMs += 15_000;
    while (!(await rotated.isKeyRemoved(token)));

    expect(nowMs - removedAt).toBeLessThanOrEqual(300_000);
  });
});
