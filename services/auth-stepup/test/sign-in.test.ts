import { getRounds } from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import jwt from 'jsonwebtoken';
import { dummyHash, productionHashCost } from '../src/passwords/hasher.ts';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { newEmail, password } from '@comanda/testing/credentials';

let auth: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
});
afterAll(() => auth.close());

describe('registering', () => {
  test('stores a customer with the field names in the data dictionary', async () => {
    const email = newEmail('Ana');
    const { status, body } = await auth.call('POST', '/auth/register', { body: { name: 'Ana', email, password } });
    expect([status, body.role, body.status, body.must_change_password]).toEqual([201, 'customer', 'active', false]);
    const stored = await auth.connection.collection('usuarios').findOne({ usuarioID: body.id });
    expect(stored).toMatchObject({ nome: 'Ana', email, papel: 'customer' });
    expect(stored?.['senhaHash']).toMatch(/^\$2b\$/);
  });

  test('rejects an e-mail address that differs only in case', async () => {
    const email = newEmail('Bia');
    const first = await auth.call('POST', '/auth/register', { body: { name: 'Bia', email, password } });
    const again = await auth.call('POST', '/auth/register', {
      body: { name: 'Bia', email: email.toUpperCase(), password },
    });
    expect(codeOf(again)).toBe('409 email_taken');
    const next = await auth.call('POST', '/auth/register', { body: { name: 'Bia', email: newEmail('Bia'), password } });
    expect(next.body.id).toBe(first.body.id + 1);
  });

  test.each(['2028', '2029', '202e', '200b', '7f'])(
    'rejects the invisible character U+%s in an e-mail address',
    async (code) => {
      const email = newEmail('Dora').replace('@', `${String.fromCodePoint(Number.parseInt(code, 16))}@`);
      const response = await auth.call('POST', '/auth/register', { body: { name: 'Dora', email, password } });
      expect([codeOf(response), response.body.errors[0].pointer]).toEqual(['400 validation_failed', '/email']);
    },
  );

  test('succeeds for only one of ten simultaneous requests with the same e-mail address', async () => {
    const email = newEmail('Caio');
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        patient(auth.call)('POST', '/auth/register', { body: { name: 'C', email, password } }),
      ),
    );
    expect(responses.map(codeOf).toSorted()).toEqual(['201', ...Array<string>(9).fill('409 email_taken')]);
    const ids = await auth.connection.collection('usuarios').distinct('usuarioID');
    expect(ids.toSorted((a, b) => a - b)).toEqual(ids.map((_id, index) => index + 1));
  });

  test('accepts names of the maximum length in any characters', async () => {
    const names = ['😀'.repeat(128), '😀'.repeat(255), 'Ana', 'Bia', 'Caio'];
    const register = (name: string) =>
      auth.call('POST', '/auth/register', { body: { name, email: newEmail('Emoji'), password } });

    const responses = await Promise.all(names.map(register));
    const tooLong = await register('😀'.repeat(256));

    expect(responses.map(({ status, body }) => [status, body.name])).toEqual(names.map((name) => [201, name]));
    expect([codeOf(tooLong), tooLong.body.errors[0].pointer]).toEqual(['400 validation_failed', '/name']);
  });

  test('stores the rest of a batch if one document fails', async () => {
    const tooLong = 'x'.repeat(300);

    const [bad, ...good] = await Promise.allSettled([
      auth.users.create(tooLong, 'customer'),
      auth.users.create('Ana', 'customer'),
      auth.users.create('Bia', 'customer'),
    ]);

    expect(bad?.status).toBe('rejected');
    expect(String(bad?.status === 'rejected' && bad.reason)).not.toContain('xxx');
    expect(good.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });

  test.each([
    ['swordfish', '422 password_too_weak', /^This password is easy to guess. It is a common password./],
    ['short', '400 validation_failed', /^"password" length must be at least 8/],
  ])('rejects the weak password %s and explains why', async (weak, code, reason) => {
    const body = { name: 'Davi', email: newEmail('Davi'), password: weak };

    const response = await auth.call('POST', '/auth/register', { body });

    const { detail, errors } = response.body;
    expect([codeOf(response), detail ?? errors[0].detail]).toEqual([code, expect.stringMatching(reason)]);
    expect(response.text).not.toContain(weak);
  });

  test("doesn't block other requests while it estimates a password's strength", async () => {
    const longest = Array.from({ length: 72 }, (_each, index) => String.fromCharCode(33 + ((index * 37) % 90))).join(
      '',
    );
    const body = { name: 'Davi', email: newEmail('Davi'), password: longest };
    let isAnswered = false;
    const registering = auth.call('POST', '/auth/register', { body }).finally(() => (isAnswered = true));
    let answered = 0;
    for (; !isAnswered; answered++) await fetch(`${auth.url}/livez`);

    expect((await registering).status).toBe(201);
    // A single thread would take at least half a second for the estimate and the hash.
    expect(answered).toBeGreaterThan(5);
  });
});

describe('signing in', () => {
  test('returns an access token that identifies the user [RFC 9068]', async () => {
    const ana = await auth.customer('Ana');
    const decoded = jwt.decode(ana.token, { complete: true });
    expect(decoded?.header).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    const claims = decoded?.payload as jwt.JwtPayload;
    expect(claims).toMatchObject({
      iss: 'comanda',
      aud: 'comanda',
      sub: String(ana.id),
      client_id: 'comanda',
      role: 'customer',
      name: 'Ana',
    });
    expect(claims['exp']).toBe((claims['iat'] ?? 0) + 900);
    expect(claims['auth_time']).toBe(claims['iat']);
    const me = await auth.as(ana)('GET', '/auth/me');
    expect([me.status, me.body.email]).toEqual([200, ana.email]);
  });

  test("doesn't reveal whether an e-mail address is registered", async () => {
    const { email } = await auth.customer();
    const long = Array.from({ length: 12 }, (_each, index) => `long-${index % 10}`).join('');
    const other = newEmail('Fabi');
    await auth.call('POST', '/auth/register', { body: { name: 'Fabi', email: other, password: long } });
    const responses = await Promise.all([
      auth.call('POST', '/auth/login', { body: { email, password: 'not-the-password' } }),
      auth.call('POST', '/auth/login', { body: { email: newEmail('Nobody'), password } }),
      auth.call('POST', '/auth/login', { body: { email: other, password: `${long}x` } }),
    ]);
    for (const response of responses) {
      const { request_id: _id, ...body } = response.body;
      expect(body).toEqual({
        type: '/problems/invalid_credentials',
        title: 'Invalid credentials',
        status: 401,
        code: 'invalid_credentials',
      });
    }
    expect((await auth.call('POST', '/auth/login', { body: { email: other, password: long } })).status).toBe(200);
  });

  test('logs the network from which an unknown e-mail address was tried', async () => {
    const body = { email: newEmail('nobody'), password };
    const headers = { 'x-forwarded-for': '2001:db8:1:2::7' };

    expect((await auth.call('POST', '/auth/login', { body, headers })).status).toBe(401);

    const line =
      auth
        .log()
        .split('\n')
        .findLast((each) => each.includes('no user has this e-mail address')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ network: '2001:db8:1:2::/64' });
    expect(auth.log()).not.toContain(body.email);
  });

  test('hashes as much for an unknown e-mail address as for a wrong password', async () => {
    const startedHashes = async (): Promise<number> => {
      const text = await (await fetch(`${auth.url}/metrics`)).text();
      return Number(/^comanda_hashes_total\{.*hashed="password".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await startedHashes();

    await auth.call('POST', '/auth/login', { body: { email: newEmail('Nobody'), password: 'not-the-password' } });

    expect((await startedHashes()) - before).toBe(1);
    expect(getRounds(dummyHash(productionHashCost))).toBe(productionHashCost);
  });

  test('accepts accents in a password, whether typed as one or two characters', async () => {
    const email = newEmail('Gil');
    await auth.call('POST', '/auth/register', {
      body: { name: 'Gil', email, password: 'cora\u00e7\u00e3o-novo-de-papel' },
    });
    const decomposed = 'cora\u00e7\u00e3o-novo-de-papel'.normalize('NFD');
    expect((await auth.call('POST', '/auth/login', { body: { email, password: decomposed } })).status).toBe(200);
  });
});

describe('sign-in limits', () => {
  test('block sign-ins beyond ten per minute for an e-mail address from one network', async () => {
    const limited = await startAuthStepupHarness({ settings: { RATE_LIMIT_SIGN_IN: '10' } });
    try {
      const email = newEmail('Hugo');
      const body = { email, password: 'not-the-password' };
      const responses = await Promise.all(
        Array.from({ length: 12 }, () => limited.call('POST', '/auth/login', { body })),
      );
      expect(responses.filter(({ status }) => status === 401)).toHaveLength(10);
      const refused = responses.filter(({ status }) => status === 429);
      expect(refused.map(codeOf)).toEqual(['429 rate_limited', '429 rate_limited']);
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await limited.call('POST', '/auth/login', { body: { ...body, email: newEmail('Hugo') } })).status).toBe(
        401,
      );
    } finally {
      await limited.close();
    }
  });

  test('apply to a network, even if it tries a new e-mail address each time', async () => {
    const limited = await startAuthStepupHarness({
      settings: { RATE_LIMIT_SIGN_IN_ADDRESS: '3', TRUSTED_PROXIES: 'loopback' },
    });
    try {
      const signIn = async (address: string): Promise<string> => {
        const body = { email: newEmail('Hugo'), password: 'not-the-password' };
        return codeOf(await limited.call('POST', '/auth/login', { body, headers: { 'x-forwarded-for': address } }));
      };
      const inTurn = async (...addresses: string[]): Promise<string[]> => {
        const codes: string[] = [];
        for (const address of addresses) codes.push(await signIn(address));
        return codes;
      };
      const [wrong, refused] = ['401 invalid_credentials', '429 rate_limited'];

      expect(await inTurn(...Array<string>(4).fill('203.0.113.7'))).toEqual([wrong, wrong, wrong, refused]);
      expect(await inTurn('203.0.113.8')).toEqual([wrong]);
      // An IPv6 client usually has a complete /64 network.
      expect(await inTurn('2001:db8::1', '2001:db8::2', '2001:db8:0:0:ff::', '2001:db8::4', '2001:db8:0:1::1')).toEqual(
        [wrong, wrong, wrong, refused, wrong],
      );
    } finally {
      await limited.close();
    }
  });

  test('block registrations once one network has made too many', async () => {
    const limited = await startAuthStepupHarness({ settings: { RATE_LIMIT_REGISTRATION: '2' } });
    try {
      const register = () =>
        limited.call('POST', '/auth/register', { body: { name: 'Iara', email: newEmail('Iara'), password } });

      const responses = [await register(), await register(), await register()];

      expect(responses.map(codeOf)).toEqual(['201', '201', '429 rate_limited']);
      expect(Number(responses[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });

  test('block even the right password after too many wrong ones', async () => {
    const limited = await startAuthStepupHarness({ settings: { RATE_LIMIT_SIGN_IN_FAILURES: '3' } });
    try {
      const { email } = await limited.customer();
      for (let attempt = 0; attempt < 5; attempt++) await limited.signIn(email);
      const wrong = { email, password: 'not-the-password' };
      const responses = await Promise.all(
        Array.from({ length: 6 }, () => limited.call('POST', '/auth/login', { body: wrong })),
      );
      expect(responses.map(codeOf).toSorted()).toEqual([
        ...Array<string>(3).fill('401 invalid_credentials'),
        ...Array<string>(3).fill('429 rate_limited'),
      ]);
      const right = await limited.call('POST', '/auth/login', { body: { email, password } });
      expect(codeOf(right)).toBe('429 rate_limited');
    } finally {
      await limited.close();
    }
  });

  test('return a 503 for a sign-in if the hashing queue is full', async () => {
    const small = await startAuthStepupHarness({ settings: { HASH_WORKERS: '1', HASH_QUEUE: '2' } });
    try {
      const { email } = await small.customer();
      const body = { email, password };
      const responses = await Promise.all(Array.from({ length: 8 }, () => small.call('POST', '/auth/login', { body })));
      const full = responses.filter(({ status }) => status === 503);
      expect(full.length).toBeGreaterThan(0);
      expect(full[0]?.headers.get('retry-after')).toBe('2');
      expect(responses.length - full.length).toBe(responses.filter(({ status }) => status === 200).length);
    } finally {
      await small.close();
    }
  });
});
