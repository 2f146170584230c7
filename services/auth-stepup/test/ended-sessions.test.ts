import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf, type Called } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { silentLogger } from '@comanda/testing/silent-logger';
import { changePin } from '../src/pin/change-pin.ts';
import type { CheckPinDeps } from '../src/pin/check-pin.ts';
import { createPin } from '../src/pin/create-pin.ts';
import { createPinCheckStore } from '../src/pin/pin-check-store.ts';
import type { PinRequester } from '../src/pin/pin-requester.ts';
import { createPinStore } from '../src/pin/pin-store.ts';
import { assertLiveSession } from '../src/sessions/live-session.ts';
import { createSessionStore } from '../src/sessions/session-store.ts';
import { createGuestStore } from '../src/tables/guest-store.ts';
import { createStopStore } from '../src/stops/stop-store.ts';
import { createTabletStore } from '../src/tablets/tablet-store.ts';
import { createUserStore } from '../src/users/user-store.ts';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { consume, otherPin, pin, stepUp, storePin, tokenFor, transferKey } from './support/pins.ts';
import { claimsOf } from './support/tablets.ts';

let auth: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
});
afterAll(() => auth.close());

const chosen = { transaction_password: otherPin, confirmation: otherPin };
/** Writes that require only an access token and facts that an attacker may know. */
const writes: [string, (attacker: TestUser) => Promise<Called>][] = [
  ['a step-up token', (attacker) => stepUp(auth, attacker)],
  [
    'another PIN',
    (attacker) => auth.as(attacker)('PUT', '/security/transaction-password', { body: { current: pin, ...chosen } }),
  ],
  ['a first PIN', (attacker) => auth.as(attacker)('POST', '/security/transaction-password', { body: chosen })],
  [
    'another password',
    (attacker) =>
      auth.as(attacker)('PUT', '/auth/password', { body: { current: password, password: 'carpete-lua-garfo' } }),
  ],
  ['another table', (attacker) => auth.as(attacker)('PUT', '/tables/T-9')],
  ['an open table', (attacker) => auth.as(attacker)('POST', '/tables/T-9/open')],
];
const ways: [string, (owner: TestUser) => Promise<Called>][] = [
  ['everywhere', (owner) => auth.as(owner)('DELETE', '/auth/sessions')],
  ['there', (owner) => auth.call('POST', '/auth/logout', { body: { refresh_token: owner.refreshToken } })],
];

describe.each(ways)('an access token after its owner signed out %s', (_where, signOut) => {
  test.each(writes)("can't get %s", async (_what, write) => {
    const owner = await auth.manager();
    await storePin(auth, owner);
    expect((await signOut(owner)).status).toBe(204);

    expect(codeOf(await write(owner))).toBe('401 invalid_token');
  });

  test("can't spend a step-up token", async () => {
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

test('changing the password ends all sessions except the current one', async () => {
  const ana = await auth.customer();
  await storePin(auth, ana);
  const other = await auth.newSession(ana);
  const change = { current: password, password: 'carpete-lua-garfo' };
  expect((await auth.as(ana)('PUT', '/auth/password', { body: change })).status).toBe(204);

  expect([codeOf(await stepUp(auth, ana)), codeOf(await stepUp(auth, other))]).toEqual(['201', '401 invalid_token']);
});

describe('setting a PIN while the same user signs out everywhere', () => {
  type Moment = { duringHash?: () => Promise<unknown>; beforeWrite?: () => Promise<unknown> };
  /** What happens during the hash, or after the last of `asks` session checks. */
  type Case = Moment & { asks: number };
  /** Returns the dependencies for setting a PIN: the service's own stores, and a hasher that runs `duringHash`. */
  function depsOf({ duringHash, beforeWrite, asks }: Case): CheckPinDeps {
    const { connection, redis } = auth;
    const sessions = createSessionStore(connection);
    const users = createUserStore({ connection, transactions: { run: () => Promise.reject(new Error('not needed')) } });
    const live = { sessions, users, guests: createGuestStore(connection), tablets: createTabletStore(connection) };
    let asked = 0;
    return {
      pins: createPinStore(connection),
      pinChecks: createPinCheckStore(redis),
      stops: createStopStore(connection),
      users,
      pinHasher: {
        hash: async () => {
          await duringHash?.();
          return { hash: 'of the attacker', pepperId: 'local', isBoundToUser: true };
        },
        matches: async () => true,
        isCurrent: () => true,
      },
      rules: { signInAfterBlock: false, maxLifetimeFailures: null },
      assertLiveSession: async (caller) => {
        await assertLiveSession(live, caller);
        asked++;
        if (asked === asks) await beforeWrite?.();
      },
      publishNow: () => undefined,
      recordSecurityEvent: async () => undefined,
      logger: silentLogger,
      clock: auth.clock,
    };
  }
  const storedHash = async ({ id }: TestUser): Promise<unknown> =>
    (await auth.connection.collection('usuarios').findOne({ usuarioID: id }))?.['pin']?.hash;
  const requesterOf = ({ id, token }: TestUser): PinRequester => ({
    caller: {
      userId: id,
      authTime: Math.floor(auth.clock() / 1000),
      jti: String(claimsOf(token)['jti']),
      guest: false,
    },
    origin: { address: '192.0.2.1', userAgent: 'test' },
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  });
  const moments = ['duringHash', 'beforeWrite'] as const;

  test.each(moments)("doesn't store a first PIN (%s)", async (moment) => {
    const owner = await auth.customer();
    const signOut = () => auth.as(owner)('DELETE', '/auth/sessions');

    const created = createPin(depsOf({ asks: 1, [moment]: signOut }), chosen, requesterOf(owner));

    await expect(created).rejects.toMatchObject({ code: 'invalid_token' });
    expect(await storedHash(owner)).toBeUndefined();
  });

  test.each(moments)("doesn't replace the old PIN (%s)", async (moment) => {
    const owner = await auth.customer();
    await storePin(auth, owner);
    const signOut = () => auth.as(owner)('DELETE', '/auth/sessions');

    const changed = changePin(depsOf({ asks: 2, [moment]: signOut }), { current: pin, ...chosen }, requesterOf(owner));

    const code = moment === 'duringHash' ? 'invalid_token' : 'service_unavailable';
    await expect(changed).rejects.toMatchObject({ code });
    expect(await storedHash(owner)).not.toBe('of the attacker');
  });
});
