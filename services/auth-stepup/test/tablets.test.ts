import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endpoints } from '@comanda/contracts/registry';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf, type Called } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { createTestClock } from '@comanda/testing/test-clock';
import { databaseText, startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { changeUser, managerWithPin, pin, stepUp, storePin } from './support/pins.ts';
import { claimsOf, tabletPin, tabletsOf, wrongTabletPin } from './support/tablets.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
let marta: TestUser;
let tablets: ReturnType<typeof tabletsOf>;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
  marta = await managerWithPin(auth);
});
// An earlier test's clock may have ended the last session.
beforeEach(async () => {
  marta = await auth.newSession(marta);
  tablets = tabletsOf(auth, marta);
});
afterAll(() => auth.close());

const withoutRequestId = ({ status, body: { request_id: _id, ...body } }: Called) => ({ status, body });
const auditOf = async (type: string, name: string) =>
  (await auth.as(marta)('GET', '/audit')).body.filter(
    (entry: { type: string; details: { tablet?: string } }) => entry.type === type && entry.details.tablet === name,
  );

describe('a registered tablet', () => {
  test('lets waiters sign in with a tablet PIN', async () => {
    const response = await tablets.registerAs(marta, 'Bar');
    const { tablet, tablet_credential: credential } = response.body;
    const rui = await tablets.newWaiter('Rui');

    expect([response.status, response.headers.get('location')]).toEqual([201, `/tablets/${tablet.id}`]);
    expect(tablet).toEqual({
      id: tablet.id,
      name: 'Bar',
      registered_at: expect.any(String),
      registered_by: { id: marta.id, name: 'Marta' },
      last_used_at: null,
      last_used_by: null,
    });
    expect((await tablets.read(credential)).body).toMatchObject({
      name: 'Bar',
      people: expect.arrayContaining([{ id: rui.id, name: 'Rui' }]),
    });
    const session = await tablets.begin({ credential, userId: rui.id });
    expect((await auth.as(session)('GET', '/auth/me')).body).toMatchObject({ id: rui.id, role: 'waiter' });
    expect((await auth.as(session)('GET', '/tables')).status).toBe(200);
    const listed = (await tablets.list()).find(({ id }) => id === tablet.id);
    expect(listed).toMatchObject({ last_used_at: expect.any(String), last_used_by: { id: rui.id, name: 'Rui' } });
  });

  test("can't be added without a manager's PIN", async () => {
    const response = await auth.as(marta)('POST', '/tablets', { body: { name: 'No consent' } });

    expect(codeOf(response)).toBe('401 step_up_required');
    expect((await tablets.list()).map(({ name }) => name)).not.toContain('No consent');
  });

  test('appears in the audit trail', async () => {
    const { id } = await tablets.register('Audited');
    expect((await tablets.revoke(id)).status).toBe(204);

    for (const type of ['tablet_registered', 'tablet_revoked'])
      expect(await auditOf(type, 'Audited')).toEqual([
        expect.objectContaining({ actor: { id: marta.id, role: 'manager' }, user_id: null }),
      ]);
    expect(codeOf(await tablets.revoke(id))).toBe('404 not_found');
  });

  test('keeps its secrets unreadable in the database', async () => {
    const { credential } = await tablets.register();
    await tablets.newWaiter();

    const stored = await databaseText(auth.connection);
    expect(stored).not.toContain(credential.split('.')[1]);
    expect(stored).not.toContain(`"${tabletPin}"`);
    expect(auth.log()).not.toContain(credential.split('.')[1]);
  });

  test.each([
    ['that belongs to no tablet', 'dGFibGV0LW9mLWtpdGNoZQ.c2VjcmV0LW9mLXRoZS10YWJsZXQtYXQtMQ'],
    ['in another format', 'nonsense'],
  ])("doesn't list the staff for a client with a credential %s", async (_what, credential) => {
    const { id } = await tablets.newWaiter();

    expect([codeOf(await tablets.read(credential)), codeOf(await tablets.signIn({ credential, userId: id }))]).toEqual([
      '401 tablet_invalid',
      '401 tablet_invalid',
    ]);
  });

  test("can't be used with a wrong secret in its credential", async () => {
    const { credential } = await tablets.register();
    const other = credential.slice(0, -1) + (credential.endsWith('A') ? 'B' : 'A');

    expect(codeOf(await tablets.read(other))).toBe('401 tablet_invalid');
  });
});

describe('signing in on a tablet', () => {
  test('is possible only for active waiters with a tablet PIN', async () => {
    const { credential } = await tablets.register();
    const right = await tablets.newWaiter();
    const disabled = await tablets.newWaiter('Dina');
    await changeUser(auth, marta, { id: disabled.id, change: { status: 'disabled' } });
    const promoted = await tablets.newWaiter('Paula');
    await changeUser(auth, marta, { id: promoted.id, change: { role: 'manager' } });
    const mustChange = await tablets.newWaiter('Mia');
    await changeUser(auth, marta, { id: mustChange.id, change: { password: 'carpete-lua-garfo' } });
    const without = await auth.waiter('Nino');
    const customer = await auth.customer();
    const others = [disabled, promoted, mustChange, without, customer, marta].map(({ id }) => id);

    const wrong = withoutRequestId(await tablets.signIn({ credential, userId: right.id, pin: wrongTabletPin }));
    expect(wrong).toMatchObject({ status: 403, body: { code: 'tablet_pin_invalid', attempts_remaining: 4 } });
    for (const userId of [...others, 999_999])
      expect(withoutRequestId(await tablets.signIn({ credential, userId }))).toEqual(wrong);
    const listed = (await tablets.read(credential)).body.people.map(({ id }: { id: number }) => id);
    expect(listed).toContain(right.id);
    expect(listed.filter((id: number) => others.includes(id))).toEqual([]);
  });

  test('requires a tablet PIN, which only waiters can set', async () => {
    expect(codeOf(await tablets.setPin(marta))).toBe('403 forbidden');
    expect(codeOf(await tablets.setPin(await auth.customer()))).toBe('403 forbidden');
  });

  test.each(['0000', '1212', '1234', '9876', '1987', '2580'])(
    'rejects %s as a tablet PIN because it is too weak',
    async (weak) => {
      expect(codeOf(await tablets.setPin(await auth.waiter(), weak))).toBe('422 tablet_pin_weak');
    },
  );

  test("doesn't accept a new tablet PIN if the password is wrong", async () => {
    const rui = await tablets.newWaiter();
    const { credential } = await tablets.register();

    expect(codeOf(await tablets.setPin(rui, '5170', 'not-the-password'))).toBe('403 password_invalid');
    expect((await tablets.signIn({ credential, userId: rui.id })).status).toBe(200);
    const { body: events } = await auth.as(rui)('GET', '/security/events');
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'signed_in_on_tablet',
      'password_wrong',
      'tablet_pin_set',
    ]);
  });

  test('fails with a tablet PIN whose hash was copied from another user', async () => {
    const { credential } = await tablets.register();
    const [rui, ana] = [await tablets.newWaiter(), await tablets.newWaiter('Ana')];
    await tablets.setPin(rui, '5170');
    const users = auth.connection.collection('usuarios');
    const copied = await users.findOne({ usuarioID: rui.id });
    await users.updateOne({ usuarioID: ana.id }, { $set: { tablet_pin: copied?.['tablet_pin'] } });

    expect(codeOf(await tablets.signIn({ credential, userId: ana.id, pin: '5170' }))).toBe('403 tablet_pin_invalid');
    expect(codeOf(await tablets.signIn({ credential, userId: rui.id, pin: '5170' }))).toBe('200');
  });
});

describe('a session on a tablet', () => {
  test('lasts 12 hours', async () => {
    const { credential } = await tablets.register();
    const { id: userId } = await tablets.newWaiter();
    const session = await tablets.begin({ credential, userId });
    const claims = claimsOf(session.token);

    expect(claims).toMatchObject({ sub: String(userId), role: 'waiter', amr: ['pin'] });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(300);
    clock.advance({ minutes: 12 * 60 - 1 });
    const refreshed = await tablets.refresh(session);
    expect(claimsOf(refreshed.body.access_token)).toMatchObject({ amr: ['pin'] });
    clock.advance({ minutes: 2 });
    expect(codeOf(await tablets.refresh({ refreshToken: refreshed.body.refresh_token }))).toBe(
      '401 invalid_refresh_token',
    );
  });

  test('differs from a session started with a password', async () => {
    const { email } = await auth.waiter();
    const session = await auth.signIn(email);

    expect(claimsOf(session.token)).toMatchObject({ amr: ['pwd'] });
    expect(claimsOf((await tablets.refresh(session)).body.access_token)).toMatchObject({ amr: ['pwd'] });
  });

  const bodies: Record<string, object> = {
    createTransactionPassword: { transaction_password: pin, confirmation: pin },
    changeTransactionPassword: { current: pin, transaction_password: '862047', confirmation: '862047' },
    resetTransactionPassword: { password, transaction_password: '862047', confirmation: '862047' },
    stepUp: { endpoint_key: 'internal_transfer.create', transaction_password: pin },
    changePassword: { current: password, password: 'carpete-lua-garfo' },
    setTabletPin: { password, tablet_pin: '5170' },
  };
  const refused = endpoints
    .filter(({ service, passwordSignIn }) => service === 'auth-stepup' && passwordSignIn === 'required')
    .map((contract) => [contract.name, contract] as const);

  test.each(refused)('gets a 401 for %s', async (name, contract) => {
    const { credential } = await tablets.register();
    const rui = await tablets.newWaiter();
    await storePin(auth, rui);
    const session = await tablets.begin({ credential, userId: rui.id });
    const path = contract.path.replace('{id}', 'c2Vzc2lvbi1vZi1BbmEtMQ');
    const body = bodies[name];

    const response = await auth.as(session)(contract.method, path, body ? { body } : {});

    expect(codeOf(response)).toBe('401 reauthentication_required');
    expect(response.headers.get('www-authenticate')).toContain('acr_values="urn:comanda:password"');
    expect((await auth.signIn(rui.email)).token).toEqual(expect.any(String));
    expect((await stepUp(auth, rui)).status).toBe(201);
  });

  test("can't make calls that require a sign-in with the password", () => {
    expect(refused.map(([name]) => name).toSorted()).toEqual([
      'changePassword',
      'changeTransactionPassword',
      'createTransactionPassword',
      'endOneSession',
      'endSessions',
      'listSessions',
      'resetTransactionPassword',
      'securityEvents',
      'setTabletPin',
      'stepUp',
      'transactionPassword',
    ]);
  });

  test("doesn't accept a tablet PIN in place of a PIN", async () => {
    const rui = await tablets.newWaiter();
    await storePin(auth, rui);

    expect(codeOf(await stepUp(auth, rui, { transaction_password: tabletPin }))).toBe('400 validation_failed');
    expect((await auth.as(rui)('GET', '/security/transaction-password')).body).toMatchObject({
      status: 'usable',
      attempts_remaining: 3,
    });
  });
});

type Ending = (at: { id: string; rui: TestUser; token: string; refreshToken: string }) => Promise<Called>;
const endings: [string, Ending][] = [
  ['the tablet is removed', ({ id }) => tablets.revoke(id)],
  ['the user is disabled', ({ rui }) => changeUser(auth, marta, { id: rui.id, change: { status: 'disabled' } })],
  ['the user gets another role', ({ rui }) => changeUser(auth, marta, { id: rui.id, change: { role: 'manager' } })],
  [
    'a manager sets another password',
    ({ rui }) => changeUser(auth, marta, { id: rui.id, change: { password: 'carpete-lua-garfo' } }),
  ],
  [
    'the user changes the password elsewhere',
    ({ rui }) => auth.as(rui)('PUT', '/auth/password', { body: { current: password, password: 'carpete-lua-garfo' } }),
  ],
  ['the user sets another tablet PIN', ({ rui }) => tablets.setPin(rui, '5170')],
  [
    'the next person takes the tablet',
    ({ refreshToken }) => auth.call('POST', '/auth/logout', { body: { refresh_token: refreshToken } }),
  ],
];

describe.each(endings)('a session on a tablet when %s', (_what, end) => {
  test('ends', async () => {
    const { id, credential } = await tablets.register();
    const rui = await tablets.newWaiter();
    const session = await tablets.begin({ credential, userId: rui.id });
    await auth.as(marta)('PUT', '/tables/T-1');
    expect((await auth.as(session)('POST', '/tables/T-1/open')).status).toBe(200);

    expect((await end({ id, rui, ...session })).status).toBeLessThan(300);

    expect(codeOf(await tablets.refresh(session))).toBe('401 invalid_refresh_token');
    expect(codeOf(await auth.as(session)('POST', '/tables/T-1/open'))).toBe('401 invalid_token');
  });
});

test('a removed tablet no longer accepts sign-ins', async () => {
  const [one, other] = [await tablets.register('One'), await tablets.register('Other')];
  const { id: userId } = await tablets.newWaiter();
  const session = await tablets.begin({ credential: other.credential, userId });

  await tablets.revoke(one.id);

  expect(codeOf(await tablets.read(one.credential))).toBe('401 tablet_invalid');
  expect(codeOf(await tablets.signIn({ credential: one.credential, userId }))).toBe('401 tablet_invalid');
  expect((await tablets.refresh(session)).status).toBe(200);
  expect((await tablets.list()).map(({ id }) => id)).not.toContain(one.id);
});
