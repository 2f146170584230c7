import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import jwt from 'jsonwebtoken';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { newEmail, password } from '@comanda/testing/credentials';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { changeUser, createPin, createUser, managerWithPin } from './support/pins.ts';

let auth: AuthStepupHarness;
let marta: TestUser;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
  marta = await managerWithPin(auth);
});
afterAll(() => auth.close());

const first = 'a-first-password';
const addWaiter = async () => {
  const body = { name: 'Walter', email: newEmail('Walter'), password: first, role: 'waiter' };
  return (await createUser(auth, marta, body)).body as { id: number; email: string };
};
const change = (id: number, body: object) => changeUser(auth, marta, { id, change: body });

describe('a user added by a manager', () => {
  test('must change their password after the first sign-in', async () => {
    const body = { name: 'Walter', email: newEmail('Walter'), password: first, role: 'waiter' };
    const added = await createUser(auth, marta, body);
    expect([added.status, added.body.must_change_password, added.body.role]).toEqual([201, true, 'waiter']);
    expect(added.headers.get('location')).toBe(`/users/${added.body.id}`);
    const walter = await auth.signIn(added.body.email, first);
    expect((jwt.decode(walter.token) as jwt.JwtPayload)['must_change_password']).toBe(true);
    const asWalter = auth.as(walter);
    expect(codeOf(await asWalter('GET', '/tables'))).toBe('403 password_change_required');
    expect(codeOf(await asWalter('GET', '/security/transaction-password'))).toBe('403 password_change_required');
    expect((await asWalter('GET', '/auth/me')).body.must_change_password).toBe(true);
    const own = { current: first, password: 'my-own-password' };
    expect((await asWalter('PUT', '/auth/password', { body: own })).status).toBe(204);
    const fresh = await auth.call('POST', '/auth/refresh', { body: { refresh_token: walter.refreshToken } });
    expect((await auth.as({ token: fresh.body.access_token })('GET', '/tables')).status).toBe(200);
  });

  test('must change their password again after a manager sets a new one', async () => {
    const { id, email } = await addWaiter();
    const walter = await auth.signIn(email, first);
    expect((await change(id, { password: 'another-first-password' })).body.must_change_password).toBe(true);
    const refused = await auth.call('POST', '/auth/refresh', { body: { refresh_token: walter.refreshToken } });
    expect(codeOf(refused)).toBe('401 invalid_refresh_token');
    expect(codeOf(await auth.call('POST', '/auth/login', { body: { email, password: first } }))).toBe(
      '401 invalid_credentials',
    );
  });
});

describe('changing a user', () => {
  test('signs out a user who is disabled', async () => {
    const ana = await auth.customer();
    expect((await change(ana.id, { status: 'disabled' })).body.status).toBe('disabled');
    const refused = await auth.call('POST', '/auth/refresh', { body: { refresh_token: ana.refreshToken } });
    expect(codeOf(refused)).toBe('401 invalid_refresh_token');
    const login = { body: { email: ana.email, password } };
    expect(codeOf(await auth.call('POST', '/auth/login', login))).toBe('401 invalid_credentials');
    await change(ana.id, { status: 'active' });
    await auth.signIn(ana.email);
  });

  test('puts the new role in the next access token', async () => {
    const ana = await auth.customer();
    await change(ana.id, { role: 'waiter' });
    const { token } = await auth.signIn(ana.email);
    expect((jwt.decode(token) as jwt.JwtPayload)['role']).toBe('waiter');
  });
});

describe('the first PIN of a user whose password a manager has set', () => {
  /** Signs in with the password from the manager, and changes it as required. */
  async function signInAndChange(email: string, current: string, own = 'my-own-password'): Promise<{ token: string }> {
    const signedIn = await auth.signIn(email, current);
    const body = { current, password: own };
    expect((await auth.as(signedIn)('PUT', '/auth/password', { body })).status).toBe(204);
    return auth.signIn(email, own);
  }
  const second = 'another-first-password';
  const setPassword = async (id: number): Promise<void> => {
    expect((await change(id, { password: second })).status).toBe(200);
  };

  test("can't be created yet if the user had registered with another password", async () => {
    const ana = await auth.customer();
    await setPassword(ana.id);

    expect(codeOf(await createPin(auth, await signInAndChange(ana.email, second)))).toBe('403 reset_too_soon');
  });

  test('can be created by a new user after the required password change', async () => {
    const { email } = await addWaiter();
    expect(codeOf(await createPin(auth, await auth.signIn(email, first)))).toBe('403 password_change_required');

    expect((await createPin(auth, await signInAndChange(email, first))).status).toBe(201);
  });

  test('can be created at once if the user never used the replaced password', async () => {
    const { id, email } = await addWaiter();
    await setPassword(id);

    expect((await createPin(auth, await signInAndChange(email, second))).status).toBe(201);
  });

  test("can't be created yet if a manager has replaced the user's own password", async () => {
    const { id, email } = await addWaiter();
    await signInAndChange(email, first);
    await setPassword(id);
    await setPassword(id);

    const taken = await signInAndChange(email, second, 'my-next-password');

    expect(codeOf(await createPin(auth, taken))).toBe('403 reset_too_soon');
  });
});

describe('listing users', () => {
  test('returns each user exactly once across several pages', async () => {
    for (let added = 0; added < 5; added++) await auth.customer();
    const seen: number[] = [];
    let next: string | undefined = '/users?limit=2';
    while (next !== undefined) {
      const { body, headers } = await auth.as(marta)('GET', next);
      seen.push(...body.map(({ id }: { id: number }) => id));
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    const newest = seen[0] ?? 0;
    expect(seen).toEqual(Array.from({ length: newest }, (_each, index) => newest - index));
  });

  test('returns a 400 for an invalid cursor', async () => {
    expect(codeOf(await auth.as(marta)('GET', '/users?cursor=nonsense'))).toBe('400 validation_failed');
    expect((await auth.as(marta)('GET', '/users?cursor=999999999999999')).status).toBe(200);
  });
});

describe('security events', () => {
  test('are listed only for the user they concern', async () => {
    const ana = await auth.customer();
    const wrong = { email: ana.email, password: 'not-the-password' };
    await auth.call('POST', '/auth/login', { body: wrong, headers: { 'user-agent': 'a phone' } });
    const { token } = await auth.signIn(ana.email);
    await auth.as({ token })('DELETE', '/auth/sessions');
    const { body } = await auth.as({ token })('GET', '/security/events');
    expect(body.map(({ type }: { type: string }) => type)).toEqual(['sessions_ended', 'signed_in', 'sign_in_failed']);
    expect(body[2]).toMatchObject({ address: '127.0.0.1', user_agent: 'a phone' });
    const firstPage = await auth.as({ token })('GET', '/security/events?limit=2');
    const link = /<([^>]+)>; rel="next"/.exec(firstPage.headers.get('link') ?? '')?.[1] ?? '';
    const secondPage = await auth.as({ token })('GET', link);
    expect([...firstPage.body, ...secondPage.body]).toEqual(body);
    expect(secondPage.headers.get('link')).toBeNull();
    expect((await auth.as(await auth.customer())('GET', '/security/events')).body).toEqual([]);
    const bad = await auth.as({ token })('GET', '/security/events?cursor=1-zz');
    expect(codeOf(bad)).toBe('400 validation_failed');
    const madeUp = `/security/events?cursor=9999999999999-${'f'.repeat(24)}`;
    expect((await auth.as({ token })('GET', madeUp)).body).toEqual(body);
  });
});
