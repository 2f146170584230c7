import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import { codeOf } from '@comanda/testing/call';
import jwt from 'jsonwebtoken';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { password } from '@comanda/testing/credentials';

const clock = createTestClock();
let auth: AuthStepupHarness;
let other: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
  // Starts another instance that uses the same servers.
  other = await startAuthStepupHarness({ clock, servers: auth.servers, settings: auth.env });
});
afterAll(async () => {
  await other.close();
  await auth.close();
});

const refresh = (token: string, at: AuthStepupHarness = auth) =>
  at.call('POST', '/auth/refresh', { body: { refresh_token: token } });
async function exchange(token: string, at?: AuthStepupHarness): Promise<string> {
  const { status, body, text } = await refresh(token, at);
  if (status !== 200) throw new Error(text);
  return body.refresh_token;
}
const expectRefused = async (...tokens: string[]): Promise<void> => {
  for (const token of tokens) expect(codeOf(await refresh(token))).toBe('401 invalid_refresh_token');
};

describe('a session that is refreshed', () => {
  test('gets two new tokens with the same `auth_time`', async () => {
    const ana = await auth.customer();
    clock.advance({ minutes: 10 });
    await auth.connection.collection('usuarios').updateOne({ usuarioID: ana.id }, { $set: { nome: 'Ana Lima' } });
    const { body } = await refresh(ana.refreshToken);
    expect(body.refresh_token).not.toBe(ana.refreshToken);
    const [before, after] = [jwt.decode(ana.token), jwt.decode(body.access_token)] as [jwt.JwtPayload, jwt.JwtPayload];
    expect(after['auth_time']).toBe(before['auth_time']);
    expect(after['iat']).toBe((before['iat'] ?? 0) + 600);
    expect(after['name']).toBe('Ana Lima');
  });

  test('ends 30 days after the sign-in, even if it is used every day', async () => {
    const ana = await auth.customer();
    let token = ana.refreshToken;
    for (let week = 1; week <= 4; week++) {
      clock.advance({ days: 7 });
      token = await exchange(token);
    }
    clock.advance({ days: 2 });
    await expectRefused(token);
    const bea = await auth.customer('Bea');
    clock.advance({ days: 29, minutes: 23 * 60 + 50 });
    const { body } = await refresh(bea.refreshToken);
    expect(body.expires_in).toBe(600);
  });

  test("ends 24 hours after the sign-in if it is a manager's, even if it is used", async () => {
    const marta = await auth.manager();
    clock.advance({ minutes: 23 * 60 });
    const next = await exchange(marta.refreshToken);
    clock.advance({ minutes: 60 });
    await expectRefused(next);
  });

  test('ends after 30 days without use', async () => {
    const long = await startAuthStepupHarness({
      clock,
      servers: auth.servers,
      settings: { ...auth.env, SESSION_DAYS: '90', MANAGER_SESSION_HOURS: '48' },
    });
    try {
      const [ana, marta] = [await auth.customer(), await auth.manager()];
      const sessions = [await long.signIn(ana.email), await long.signIn(marta.email)];
      clock.advance({ days: 1, minutes: 60 });
      const next = await Promise.all(sessions.map(({ refreshToken }) => exchange(refreshToken, long)));
      clock.advance({ days: 28 });
      const last = await exchange(next[0] ?? '', long);
      clock.advance({ days: 30 });
      await expectRefused(last, next[1] ?? '');
    } finally {
      await long.close();
    }
  });

  test('continues after invalid refresh tokens are rejected', async () => {
    const ana = await auth.customer();
    const bytes = Buffer.from(ana.refreshToken, 'base64url');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    await expectRefused('x', bytes.toString('base64url'), ana.refreshToken.slice(0, -1), `${ana.refreshToken}A`);
    expect((await refresh(ana.refreshToken)).status).toBe(200);
  });
});

describe('limits for refresh requests', () => {
  const startLimited = (settings: Record<string, string>) =>
    startAuthStepupHarness({ clock, servers: auth.servers, settings: { ...auth.env, ...settings } });

  test('let genuine tokens through even after endless forged ones from the same address', async () => {
    const limited = await startLimited({
      RATE_LIMIT_REFRESH_FORGED: '2',
      REDIS_PREFIX: `${auth.servers.redisPrefix}forged:`,
    });
    try {
      const ana = await auth.customer();
      const responses: string[] = [];
      for (let index = 0; index < 4; index++) responses.push(codeOf(await refresh(`forged-${index}`, limited)));
      expect(responses).toEqual([
        '401 invalid_refresh_token',
        '401 invalid_refresh_token',
        '429 rate_limited',
        '429 rate_limited',
      ]);
      expect((await refresh(ana.refreshToken, limited)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  test('apply to each session separately', async () => {
    const limited = await startLimited({
      RATE_LIMIT_REFRESH: '2',
      REDIS_PREFIX: `${auth.servers.redisPrefix}refreshes:`,
    });
    try {
      const [ana, bea] = [await auth.customer(), await auth.customer('Bea')];
      const second = await exchange(ana.refreshToken, limited);
      const third = await exchange(second, limited);
      expect(codeOf(await refresh(third, limited))).toBe('429 rate_limited');
      expect((await refresh(bea.refreshToken, limited)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe('concurrent and repeated refresh requests', () => {
  test('leave one valid token if two tabs refresh through two instances', async () => {
    for (let round = 0; round < 5; round++) {
      const ana = await auth.customer();
      const pairs = await Promise.all([refresh(ana.refreshToken), refresh(ana.refreshToken, other)]);
      expect(pairs.map(({ status }) => status)).toEqual([200, 200]);
      const stored = await auth.connection.collection('sessions').countDocuments({ user_id: ana.id, revoked_at: null });
      expect(stored).toBe(1);
      const tokens = pairs.map(({ body }) => body.refresh_token as string);
      const after = [await refresh(tokens[0] ?? ''), await refresh(tokens[1] ?? '')];
      // If the valid token is used first, using the invalid one then revokes the session. If the invalid token is used first,
      // both are rejected.
      expect(['200,401', '401,401']).toContain(after.map(({ status }) => status).join());
    }
  });

  test('succeed if 20 clients use the same token', async () => {
    const ana = await auth.customer();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_each, index) => refresh(ana.refreshToken, index % 2 ? auth : other)),
    );
    const served = responses.filter(({ status }) => status === 200);
    expect(responses.every(({ status }) => [200, 503].includes(status))).toBe(true);
    const stored = await auth.connection.collection('sessions').findOne({ user_id: ana.id });
    expect(stored?.['revoked_at']).toBeNull();
    expect(served.length).toBeGreaterThan(0);
  });

  test('return new tokens for the old one within 60 s if the response was lost', async () => {
    const ana = await auth.customer();
    const lost = await exchange(ana.refreshToken);
    clock.advance({ ms: 59_000 });
    const found = await exchange(ana.refreshToken);
    const next = await exchange(found);
    await expectRefused(lost, next);
  });

  test('revoke the session if the old token is used after 60 s', async () => {
    const ana = await auth.customer();
    const next = await exchange(ana.refreshToken);
    clock.advance({ ms: 61_000 });
    await expectRefused(ana.refreshToken, next);
  });

  test('count the 60 s from the first lost response if several are lost', async () => {
    const ana = await auth.customer();
    await exchange(ana.refreshToken);
    clock.advance({ ms: 40_000 });
    const last = await exchange(ana.refreshToken);
    clock.advance({ ms: 40_000 });
    await expectRefused(ana.refreshToken, last);
  });

  test('revoke the session if an attacker uses the token first', async () => {
    const ana = await auth.customer();
    const attackersToken = await exchange(ana.refreshToken);
    const ownersToken = await exchange(ana.refreshToken);
    await expectRefused(attackersToken, ownersToken);
    const events = await auth.as(ana)('GET', '/security/events');
    expect(events.body.map(({ type }: { type: string }) => type)).toContain('refresh_token_reused');
  });

  test('revoke the session within 60 s if an attacker already used the new token', async () => {
    const ana = await auth.customer();
    const attackersToken = await exchange(await exchange(ana.refreshToken));
    await expectRefused(ana.refreshToken, attackersToken);
  });
});

describe('ending sessions', () => {
  test('works when the user signs out', async () => {
    const ana = await auth.customer();
    const elsewhere = await auth.newSession(ana);
    for (const token of [ana.refreshToken, ana.refreshToken, 'never-seen'])
      expect((await auth.call('POST', '/auth/logout', { body: { refresh_token: token } })).status).toBe(204);
    await expectRefused(ana.refreshToken);
    expect((await refresh(elsewhere.refreshToken)).status).toBe(200);
  });

  test('invalidates every refresh token when the user signs out everywhere', async () => {
    const ana = await auth.customer();
    const elsewhere = await auth.newSession(ana);
    expect((await auth.as(ana)('DELETE', '/auth/sessions')).status).toBe(204);
    await expectRefused(ana.refreshToken, elsewhere.refreshToken);
    expect((await refresh((await auth.newSession(ana)).refreshToken)).status).toBe(200);
  });

  test("doesn't affect the current session when the user changes the password", async () => {
    const ana = await auth.customer();
    const elsewhere = await auth.newSession(ana);
    const change = { current: password, password: 'another-long-secret' };
    expect((await auth.as(ana)('PUT', '/auth/password', { body: change })).status).toBe(204);
    await expectRefused(elsewhere.refreshToken);
    expect((await refresh(ana.refreshToken)).status).toBe(200);
    expect(codeOf(await auth.call('POST', '/auth/login', { body: { email: ana.email, password } }))).toBe(
      '401 invalid_credentials',
    );
    await auth.signIn(ana.email, 'another-long-secret');
  });

  test('fails if the current password is wrong', async () => {
    const ana = await auth.customer();
    const change = (body: object) => auth.as(ana)('PUT', '/auth/password', { body });
    const fresh = 'another-long-secret';
    expect(codeOf(await change({ current: 'not-the-password', password: fresh }))).toBe('403 password_invalid');
    expect(codeOf(await change({ current: password, password: 'password123' }))).toBe('422 password_too_weak');
    expect(codeOf(await change({ current: password, password }))).toBe('422 password_too_weak');
    await auth.signIn(ana.email);
  });
});
