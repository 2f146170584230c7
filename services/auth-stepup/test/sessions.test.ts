import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { createTestClock } from '@comanda/testing/test-clock';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { stepUp, storePin } from './support/pins.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
});
afterAll(() => auth.close());

const list = async (user: { token: string }) => (await auth.as(user)('GET', '/auth/sessions')).body;
const end = (user: { token: string }, id: string) => auth.as(user)('DELETE', `/auth/sessions/${id}`);
const refresh = (token: string, userAgent: string) =>
  auth.call('POST', '/auth/refresh', { body: { refresh_token: token }, headers: { 'user-agent': userAgent } });
/** Returns the id of the user's current session. */
const idOf = async (user: TestUser): Promise<string> =>
  (await list(user)).find(({ is_current: isCurrent }: { is_current: boolean }) => isCurrent).id;

describe('the list of sessions', () => {
  test('shows each device, most recently used first', async () => {
    const { email } = await auth.customer();
    const login = (agent: string) =>
      auth.call('POST', '/auth/login', { body: { email, password }, headers: { 'user-agent': agent } });
    const phone = (await login('phone')).body;
    const signedInAt = clock();
    clock.advance({ minutes: 5 });
    const tablet = (await login('tablet')).body;
    clock.advance({ minutes: 5 });
    await refresh(phone.refresh_token, 'phone 2');

    const [first, second, created, ...more] = await list({ token: tablet.access_token });

    const iso = (at: number) => new Date(at).toISOString();
    expect(first).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      is_current: false,
      user_agent: 'phone 2',
      address: '127.0.0.1',
      created_at: iso(signedInAt),
      last_used_at: iso(signedInAt + 600_000),
      ends_at: iso(signedInAt + 30 * 24 * 3600_000),
    });
    expect(second).toMatchObject({ is_current: true, user_agent: 'tablet', last_used_at: iso(signedInAt + 300_000) });
    expect(created).toMatchObject({ is_current: false, user_agent: 'test' });
    expect(more).toEqual([]);
  });

  test("omits ended sessions and other users' sessions", async () => {
    const [ana, eve] = [await auth.customer(), await auth.customer('Eve')];
    const other = await auth.newSession(ana);
    await auth.call('POST', '/auth/logout', { body: { refresh_token: other.refreshToken } });

    expect(await list(ana)).toHaveLength(1);
    expect(await list(eve)).toHaveLength(1);
    await auth.as(ana)('DELETE', '/auth/sessions');
    expect(await list(await auth.newSession(ana))).toHaveLength(1);
  });
});

describe('ending one session', () => {
  test("invalidates only that session's tokens", async () => {
    const ana = await auth.customer();
    await storePin(auth, ana);
    const lost = await auth.newSession(ana);
    const id = await idOf(lost);

    expect((await end(ana, id)).status).toBe(204);

    expect(codeOf(await refresh(lost.refreshToken, 'attacker'))).toBe('401 invalid_refresh_token');
    expect(codeOf(await stepUp(auth, lost))).toBe('401 invalid_token');
    expect((await stepUp(auth, ana)).status).toBe(201);
    expect(await list(ana)).toHaveLength(1);
    const { body: events } = await auth.as(ana)('GET', '/security/events');
    expect(events.map(({ type }: { type: string }) => type)).toContain('session_ended');
  });

  test('succeeds again without a second notification if it is repeated', async () => {
    const ana = await auth.customer();
    const id = await idOf(await auth.newSession(ana));

    expect([(await end(ana, id)).status, (await end(ana, id)).status]).toEqual([204, 204]);

    const { body: events } = await auth.as(ana)('GET', '/security/events');
    expect(events.filter(({ type }: { type: string }) => type === 'session_ended')).toHaveLength(1);
  });

  test("returns a 404 for another user's session", async () => {
    const [ana, eve] = [await auth.customer(), await auth.customer('Eve')];

    expect(codeOf(await end(eve, await idOf(ana)))).toBe('404 not_found');
    expect(codeOf(await end(eve, 'A'.repeat(22)))).toBe('404 not_found');
    expect(codeOf(await end(eve, 'x'))).toBe('400 validation_failed');
    expect((await refresh(ana.refreshToken, 'phone')).status).toBe(200);
  });

  test("isn't possible from a session that has ended", async () => {
    const ana = await auth.customer();
    const [attacker, other] = [await auth.newSession(ana), await auth.newSession(ana)];
    await end(ana, await idOf(attacker));

    expect(codeOf(await end(attacker, await idOf(other)))).toBe('401 invalid_token');
  });
});
