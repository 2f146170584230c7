import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf } from '@comanda/testing/call';
import { newEmail, password } from '@comanda/testing/credentials';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { changeUser, inviteUser, managerWithPin } from './support/pins.ts';

let auth: AuthStepupHarness;
let marta: TestUser;
beforeAll(async () => {
  const settings = { RATE_LIMIT_SIGN_IN_FAILURES: '3', RATE_LIMIT_REGISTRATION: '5' };
  auth = await startAuthStepupHarness({ settings });
  marta = await managerWithPin(auth);
});
afterAll(() => auth.close());

type Login = { email: string; secret?: string; cookie?: string };
const login = ({ email, secret = password, cookie = '' }: Login) =>
  auth.call('POST', '/auth/login', { body: { email, password: secret }, headers: { cookie } });
const signInCode = async (attempt: Login): Promise<string> => codeOf(await login(attempt));
/** Signs in and returns the cookie from the response. */
async function cookieOf(email: string): Promise<string> {
  const [cookie = ''] = (await login({ email })).headers.get('set-cookie')?.split(';') ?? [];
  return cookie;
}
/** Guesses passwords as a stranger until the limit rejects them. */
async function guessAt(email: string): Promise<void> {
  const codes: string[] = [];
  for (let count = 0; count < 4; count++) codes.push(await signInCode({ email, secret: 'not-the-password' }));
  expect(codes).toEqual([...Array<string>(3).fill('401 invalid_credentials'), '429 rate_limited']);
}

test('a password set by a manager works immediately, even if strangers have used up all attempts', async () => {
  const ana = await auth.customer();
  await guessAt(ana.email);
  expect(await signInCode(ana)).toBe('429 rate_limited');

  const secret = 'carpete-lua-garfo';
  expect((await changeUser(auth, marta, { id: ana.id, change: { password: secret } })).status).toBe(200);

  expect(await signInCode({ email: ana.email, secret })).toBe('200');
});

test('a password from an invitation works immediately, even if strangers have used up all attempts', async () => {
  const email = newEmail('Rui').toLowerCase();
  const { body: invited } = await inviteUser(auth, marta, { name: 'Rui', email, role: 'waiter' });
  await guessAt(email);
  const accept = (token: string) =>
    auth.call('POST', '/auth/invitation/acceptance', { body: { invitation_token: token, password } });
  let code = '';
  for (let count = 0; count < 6; count++) code = codeOf(await accept('nonsense'));
  expect(code).toBe('429 rate_limited');

  expect(codeOf(await accept(invited.invitation_token))).toBe('201');
  expect(await signInCode({ email })).toBe('200');
});

test('a signed-in user can change their password even if strangers have used up all attempts', async () => {
  const rui = await auth.waiter();
  await guessAt(rui.email);

  const tabletPin = { password, tablet_pin: '7391' };
  expect(codeOf(await auth.as(rui)('PUT', '/auth/tablet-pin', { body: tabletPin }))).toBe('204');
  const change = { current: password, password: 'carpete-lua-garfo' };
  expect(codeOf(await auth.as(rui)('PUT', '/auth/password', { body: change }))).toBe('204');
});

test('wrong current passwords count only against the session that sent them', async () => {
  const rui = await auth.waiter();
  const elsewhere = await auth.signIn(rui.email);
  const set = async (who: { token: string }, secret: string) =>
    codeOf(await auth.as(who)('PUT', '/auth/tablet-pin', { body: { password: secret, tablet_pin: '7391' } }));

  const codes: string[] = [];
  for (let count = 0; count < 4; count++) codes.push(await set(rui, 'not-the-password'));

  expect(codes).toEqual([...Array<string>(3).fill('403 password_invalid'), '429 rate_limited']);
  expect(await set(elsewhere, password)).toBe('204');
});

test('a user can sign in on a known device even if strangers have used up all attempts', async () => {
  const { email } = await auth.customer();
  const cookie = await cookieOf(email);
  await guessAt(email);

  expect(await signInCode({ email })).toBe('429 rate_limited');
  expect(await signInCode({ email, cookie: `other=1; ${cookie}` })).toBe('200');
});

test('a known device has its own limit for attempts', async () => {
  const [ana, bia] = [await auth.customer(), await auth.customer('Bia')];
  const cookie = await cookieOf(ana.email);
  const [nameOfBia = ''] = (await cookieOf(bia.email)).split('=');
  await guessAt(bia.email);

  const codes: string[] = [];
  for (let count = 0; count < 4; count++)
    codes.push(await signInCode({ email: ana.email, secret: 'not-the-password', cookie }));

  expect(codes).toEqual([...Array<string>(3).fill('401 invalid_credentials'), '429 rate_limited']);
  expect(await signInCode({ email: bia.email, cookie })).toBe('429 rate_limited');
  const [, value = ''] = cookie.split('=');
  expect(await signInCode({ email: bia.email, cookie: `${nameOfBia}=${value}` })).toBe('429 rate_limited');
});

test("scripts can't read the device cookie", async () => {
  const { email } = await auth.customer();
  const [plain, secure] = await Promise.all(
    ['http', 'https'].map((proto) =>
      auth.call('POST', '/auth/login', { body: { email, password }, headers: { 'x-forwarded-proto': proto } }),
    ),
  );
  const attributes = 'Path=/auth/login; Max-Age=15552000; HttpOnly; SameSite=Strict';
  expect(plain?.headers.get('set-cookie')?.replace(/^[^;]*; /, '')).toBe(attributes);
  expect(secure?.headers.get('set-cookie')?.replace(/^[^;]*; /, '')).toBe(`${attributes}; Secure`);
});
