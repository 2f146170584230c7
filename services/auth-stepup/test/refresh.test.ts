import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import { codeOf } from '@comanda/testing/call';
import jwt from 'jsonwebtoken';
import { startAuthStepupHarness } from './support/harness.ts';
import { password } from '@comanda/testing/credentials';
import type { AuthStepupHarness } from './support/harness.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
let other: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
  // A second instance of the same house.
  other = await startAuthStepupHarness({ clock, servers: auth.servers, settings: auth.env });
});
afterAll(async () => {
  await other.close();
  await auth.close();
});

const refresh = (token: string, at: AuthStepupHarness = auth) =>
  at.call('POST', '/auth/refresh', { body: { refresh_token: token } });
async function rotated(token: string, at?: AuthStepupHarness): Promise<string> {
  const { status, body, text } = await refresh(token, at);
  if (status !== 200) throw new Error(text);
  return body.refresh_token;
}
const expectDead = async (...tokens: string[]): Promise<void> => {
  for (const token of tokens) expect(codeOf(await refresh(token))).toBe('401 invalid_refresh_token');
};

describe('refreshing', () => {
  test('when a token is refreshed, then both are new, the sign-in keeps its age, and the user is as they are now', async () => {
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

  test('when it is unused for 30 days, then it is over, and each use begins them anew', async () => {
    const ana = await auth.customer();
    clock.advance({ days: 29 });
    const next = await rotated(ana.refreshToken);
    clock.advance({ days: 29 });
    const last = await rotated(next);
    clock.advance({ days: 30 });
    await expectDead(last);
  });

  test('when it is malformed, invented or cut, then 401, and the session it may belong to lives on', async () => {
    const ana = await auth.customer();
    const bytes = Buffer.from(ana.refreshToken, 'base64url');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    await expectDead('x', bytes.toString('base64url'), ana.refreshToken.slice(0, -1), `${ana.refreshToken}A`);
    expect((await refresh(ana.refreshToken)).status).toBe(200);
  });
});

describe('races', () => {
  test('when two tabs refresh at once, on two instances, then both go on and one of the two successors is good', async () => {
    for (let round = 0; round < 5; round++) {
      const ana = await auth.customer();
      const pairs = await Promise.all([refresh(ana.refreshToken), refresh(ana.refreshToken, other)]);
      expect(pairs.map(({ status }) => status)).toEqual([200, 200]);
      const stored = await auth.connection.collection('sessions').countDocuments({ user_id: ana.id, revoked_at: null });
      expect(stored).toBe(1);
      const tokens = pairs.map(({ body }) => body.refresh_token as string);
      const after = [await refresh(tokens[0] ?? ''), await refresh(tokens[1] ?? '')];
      // The good one first: then the voided one ends the family. The voided one first: nothing is left.
      expect(['200,401', '401,401']).toContain(after.map(({ status }) => status).join());
    }
  });

  test('when 20 refresh one token at once, then all are answered and the family has one good token', async () => {
    const ana = await auth.customer();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_each, index) => refresh(ana.refreshToken, index % 2 ? auth : other)),
    );
    const served = answers.filter(({ status }) => status === 200);
    expect(answers.every(({ status }) => [200, 503].includes(status))).toBe(true);
    const stored = await auth.connection.collection('sessions').findOne({ user_id: ana.id });
    expect(stored?.['revoked_at']).toBeNull();
    expect(served.length).toBeGreaterThanOrEqual(2);
  });

  test('when a reply was lost, then the old token gives another pair within 60 s, and the lost one is void', async () => {
    const ana = await auth.customer();
    const lost = await rotated(ana.refreshToken);
    clock.advance({ ms: 59_000 });
    const found = await rotated(ana.refreshToken);
    const next = await rotated(found);
    await expectDead(lost, next);
  });

  test('when the old token comes after 60 s, then the family is revoked', async () => {
    const ana = await auth.customer();
    const next = await rotated(ana.refreshToken);
    clock.advance({ ms: 61_000 });
    await expectDead(ana.refreshToken, next);
  });

  test('when lost replies follow one another, then the 60 s count from the first', async () => {
    const ana = await auth.customer();
    await rotated(ana.refreshToken);
    clock.advance({ ms: 40_000 });
    const last = await rotated(ana.refreshToken);
    clock.advance({ ms: 40_000 });
    await expectDead(ana.refreshToken, last);
  });

  test('when a thief used the token first, then the owner goes on for now, and whoever comes with the other one ends it', async () => {
    const ana = await auth.customer();
    const thiefs = await rotated(ana.refreshToken);
    const owners = await rotated(ana.refreshToken);
    await expectDead(thiefs, owners);
    const events = await auth.as(ana)('GET', '/security/events');
    expect(events.body.map(({ type }: { type: string }) => type)).toContain('refresh_token_reused');
  });

  test('when the thief has used the successor too, then the old token, in time or not, ends the family', async () => {
    const ana = await auth.customer();
    const thiefs = await rotated(await rotated(ana.refreshToken));
    await expectDead(ana.refreshToken, thiefs);
  });
});

describe('ending sessions', () => {
  test('when somebody signs out, then the session is over, and again, or with a stranger, it is 204 as well', async () => {
    const ana = await auth.customer();
    const elsewhere = await auth.newSession(ana);
    for (const token of [ana.refreshToken, ana.refreshToken, 'never-seen'])
      expect((await auth.call('POST', '/auth/logout', { body: { refresh_token: token } })).status).toBe(204);
    await expectDead(ana.refreshToken);
    expect((await refresh(elsewhere.refreshToken)).status).toBe(200);
  });

  test('when all sessions are ended, then every refresh token is dead and a new sign-in lives', async () => {
    const ana = await auth.customer();
    const elsewhere = await auth.newSession(ana);
    expect((await auth.as(ana)('DELETE', '/auth/sessions')).status).toBe(204);
    await expectDead(ana.refreshToken, elsewhere.refreshToken);
    expect((await refresh((await auth.newSession(ana)).refreshToken)).status).toBe(200);
  });

  test('when the password is changed, then this session goes on and every other ends', async () => {
    const ana = await auth.customer();
    const elsewhere = await auth.newSession(ana);
    const change = { current: password, password: 'another-long-secret' };
    expect((await auth.as(ana)('PUT', '/auth/password', { body: change })).status).toBe(204);
    await expectDead(elsewhere.refreshToken);
    expect((await refresh(ana.refreshToken)).status).toBe(200);
    expect(codeOf(await auth.call('POST', '/auth/login', { body: { email: ana.email, password } }))).toBe(
      '401 invalid_credentials',
    );
    await auth.signIn(ana.email, 'another-long-secret');
  });

  test('when the current password is wrong, weak or the same, then nothing is changed', async () => {
    const ana = await auth.customer();
    const change = (body: object) => auth.as(ana)('PUT', '/auth/password', { body });
    const fresh = 'another-long-secret';
    expect(codeOf(await change({ current: 'not-the-password', password: fresh }))).toBe('403 password_invalid');
    expect(codeOf(await change({ current: password, password: 'password123' }))).toBe('422 password_too_weak');
    expect(codeOf(await change({ current: password, password }))).toBe('422 password_too_weak');
    await auth.signIn(ana.email);
  });
});
