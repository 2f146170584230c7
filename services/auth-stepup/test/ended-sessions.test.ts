import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf, type Called } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { consume, otherPin, pin, stepUp, storePin, tokenFor, transferKey } from './support/pins.ts';

let auth: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
});
afterAll(() => auth.close());

const chosen = { transaction_password: otherPin, confirmation: otherPin };
/** Writes that need nothing but the access token and what a thief may know of the user. */
const writes: [string, (thief: TestUser) => Promise<Called>][] = [
  ['a step-up token', (thief) => stepUp(auth, thief)],
  [
    'another PIN',
    (thief) => auth.as(thief)('PUT', '/security/transaction-password', { body: { current: pin, ...chosen } }),
  ],
  ['a first PIN', (thief) => auth.as(thief)('POST', '/security/transaction-password', { body: chosen })],
  [
    'another password',
    (thief) => auth.as(thief)('PUT', '/auth/password', { body: { current: password, password: 'carpete-lua-garfo' } }),
  ],
  ['another table', (thief) => auth.as(thief)('PUT', '/tables/T-9')],
  ['an open table', (thief) => auth.as(thief)('POST', '/tables/T-9/open')],
];
const ways: [string, (owner: TestUser) => Promise<Called>][] = [
  ['everywhere', (owner) => auth.as(owner)('DELETE', '/auth/sessions')],
  ['there', (owner) => auth.call('POST', '/auth/logout', { body: { refresh_token: owner.refreshToken } })],
];

describe.each(ways)('when the owner has signed out %s', (_where, signOut) => {
  test.each(writes)('then the access token gets no %s', async (_what, write) => {
    const owner = await auth.manager();
    await storePin(auth, owner);
    expect((await signOut(owner)).status).toBe(204);

    expect(codeOf(await write(owner))).toBe('401 invalid_token');
  });

  test('then no step-up token is spent with it, alone or in a list, and the token stays unspent', async () => {
    const owner = await auth.customer();
    await storePin(auth, owner);
    const token = await tokenFor(auth, owner);
    expect((await signOut(owner)).status).toBe(204);

    const request = { access_token: owner.token, step_up_token: token, endpoint_key: transferKey };
    const list = await auth.call('POST', '/internal/step-up/consume-list', { body: { requests: [request] } });
    expect(codeOf(await consume(auth, owner, { step_up_token: token }))).toBe('401 invalid_token');
    expect(list.body.results).toEqual([{ status: 401, body: { code: 'invalid_token' } }]);

    expect((await consume(auth, await auth.newSession(owner), { step_up_token: token })).status).toBe(200);
  });
});

test('when the user has changed the password, then the session of the change goes on, and the others are over', async () => {
  const ana = await auth.customer();
  await storePin(auth, ana);
  const other = await auth.newSession(ana);
  const change = { current: password, password: 'carpete-lua-garfo' };
  expect((await auth.as(ana)('PUT', '/auth/password', { body: change })).status).toBe(204);

  expect([codeOf(await stepUp(auth, ana)), codeOf(await stepUp(auth, other))]).toEqual(['201', '401 invalid_token']);
});
