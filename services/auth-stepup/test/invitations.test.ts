import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { codeOf, type Called } from '@comanda/testing/call';
import { newEmail } from '@comanda/testing/credentials';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { silentLogger } from '@comanda/testing/silent-logger';
import { acceptInvitation } from '../src/users/accept-invitation.ts';
import { createUserStore } from '../src/users/user-store.ts';
import { acceptanceDeps } from './support/acceptance-deps.ts';
import { hashWhile } from './support/hash-meanwhile.ts';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { changeUser, inviteUser, manageKey, managerWithPin, tokenFor } from './support/pins.ts';

const hourMs = 3600_000;
const password = 'my-own-password';
const settings = { PUBLIC_URL: 'https://menu.example.com', STAFF_URL: 'https://staff.example.com' };
let offsetMs = 0;
let auth: AuthStepupHarness;
let marta: TestUser;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock: () => Date.now() + offsetMs, settings });
  marta = await managerWithPin(auth);
});
afterAll(() => auth.close());

type Invited = { user: { id: number; email: string }; invitation_token: string; url: string };
const newWaiter = () => ({ name: 'Rui', email: newEmail('Rui'), role: 'waiter' });
async function invite(body: object = newWaiter(), manager = marta): Promise<Invited> {
  const response = await inviteUser(auth, manager, body);
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
}
const read = (token: string): Promise<Called> =>
  auth.call('POST', '/auth/invitation', { body: { invitation_token: token } });
const accept = (token: string, chosen = password): Promise<Called> =>
  auth.call('POST', '/auth/invitation/acceptance', { body: { invitation_token: token, password: chosen } });
const disabled = { status: 'disabled' } as const;
const withdraw = (id: number): Promise<Called> => auth.as(marta)('DELETE', `/invitations/${id}`);
const userOf = async (id: number) => (await auth.as(marta)('GET', `/users/${id}`)).body;
const auditOf = async (id: number) => (await auth.as(marta)('GET', `/audit?user_id=${id}`)).body;
const signIn = (email: string, secret = password): Promise<Called> =>
  auth.call('POST', '/auth/login', { body: { email, password: secret } });

describe('an invitation', () => {
  test('lets the invited waiter set a password and sign in', async () => {
    const asked = newWaiter();
    const response = await inviteUser(auth, marta, asked);
    const { user, invitation_token: token, url } = response.body as Invited;
    const email = asked.email.toLowerCase();

    expect(response.headers.get('location')).toBe(`/users/${user.id}`);
    expect(user).toMatchObject({ name: 'Rui', email, role: 'waiter', status: 'disabled' });
    expect(url).toBe(`https://staff.example.com/kitchen#/invitation/${token}`);
    expect((await read(token)).body).toEqual({
      name: 'Rui',
      email,
      role: 'waiter',
      ends_at: expect.any(String),
      may_set_tablet_pin: true,
    });
    const accepted = await accept(token);
    expect([accepted.status, accepted.body]).toEqual([
      201,
      { ...user, status: 'active', must_change_password: false, invited_until: null },
    ]);
    const rui = await auth.signIn(email, password);
    expect((await auth.as(rui)('GET', '/tables')).status).toBe(200);
  });

  test("links to PUBLIC_URL if the staff app doesn't have its own host", async () => {
    const plain = await startAuthStepupHarness({ servers: auth.servers, settings: { ...auth.env, STAFF_URL: '' } });

    const { body } = await inviteUser(plain, marta, newWaiter());

    expect((body as Invited).url).toMatch(/^https:\/\/menu\.example\.com\/kitchen#\/invitation\//);
    await plain.close();
  });

  test('can be accepted only once', async () => {
    const { user, invitation_token: token } = await invite();
    await accept(token);

    expect([codeOf(await read(token)), codeOf(await accept(token, 'another-long-password'))]).toEqual([
      '401 invitation_invalid',
      '401 invitation_invalid',
    ]);
    expect(codeOf(await signIn(user.email))).toBe('200');
  });

  test('can be accepted by only one of ten phones that try at the same time', async () => {
    const { user, invitation_token: token } = await invite();
    const passwords = Array.from({ length: 10 }, (_, index) => `my-own-password-${index}`);

    const responses = await Promise.all(passwords.map((chosen) => accept(token, chosen)));

    const won = responses.flatMap(({ status }, index) => (status === 201 ? [index] : []));
    expect(won).toHaveLength(1);
    expect(codeOf(await signIn(user.email, passwords[won[0] ?? 0]))).toBe('200');
    expect(
      (await auditOf(user.id)).filter(({ type }: { type: string }) => type === 'invitation_accepted'),
    ).toHaveLength(1);
  });

  test('expires after 72 hours', async () => {
    const { user, invitation_token: token } = await invite();
    try {
      offsetMs = 72 * hourMs - 60_000;
      expect(codeOf(await read(token))).toBe('200');
      offsetMs = 72 * hourMs + 60_000;
      expect([codeOf(await read(token)), codeOf(await accept(token))]).toEqual([
        '401 invitation_invalid',
        '401 invitation_invalid',
      ]);
    } finally {
      offsetMs = 0;
    }
    expect(await userOf(user.id)).toMatchObject({ status: 'disabled' });
  });

  test.each([
    ['that belongs to no invitation', '999999.aW52aXRhdGlvbi1vZi1SdWktdG8tdGhlLWhvdXNl'],
    ['in another format', 'nonsense'],
  ])("can't be accepted with a token %s", async (_what, token) => {
    expect([codeOf(await read(token)), codeOf(await accept(token))]).toEqual([
      '401 invitation_invalid',
      '401 invitation_invalid',
    ]);
  });

  test('stays valid after an attempt with a wrong secret', async () => {
    const { user, invitation_token: token } = await invite();
    const [first, other] = [token.at(-1), token.at(-1) === 'A' ? 'B' : 'A'];

    expect(codeOf(await accept(token.slice(0, -1) + other))).toBe('401 invitation_invalid');
    expect(codeOf(await accept(token.slice(0, -1) + first))).toBe('201');
    expect(codeOf(await signIn(user.email))).toBe('200');
  });

  test('stays valid after an attempt with a weak password', async () => {
    const { invitation_token: token } = await invite();

    expect(codeOf(await accept(token, 'password123'))).toBe('422 password_too_weak');
    expect(codeOf(await accept(token))).toBe('201');
  });
});

describe('an invited user', () => {
  test("can't sign in before accepting the invitation", async () => {
    const { user } = await invite();

    expect(codeOf(await signIn(user.email))).toBe('401 invalid_credentials');
    const { invited_until: until } = await userOf(user.id);
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(71 * hourMs);
  });

  test('gets a new link when invited again', async () => {
    const asked = newWaiter();
    const first = await invite(asked);
    const second = await invite({ ...asked, name: 'Rui Alves', role: 'manager' });

    expect(second.user).toMatchObject({ id: first.user.id, name: 'Rui Alves', role: 'manager' });
    expect(codeOf(await accept(first.invitation_token))).toBe('401 invitation_invalid');
    expect((await accept(second.invitation_token)).body).toMatchObject({ role: 'manager', status: 'active' });
  });

  test('can be invited again after an invitation was withdrawn', async () => {
    const asked = newWaiter();
    const { user, invitation_token: token } = await invite(asked);

    expect((await withdraw(user.id)).status).toBe(204);

    expect(codeOf(await accept(token))).toBe('401 invitation_invalid');
    expect(await userOf(user.id)).toMatchObject({ status: 'disabled', invited_until: null });
    expect(codeOf(await withdraw(user.id))).toBe('404 not_found');
    expect(codeOf(await accept((await invite(asked)).invitation_token))).toBe('201');
  });

  test.each([
    ['enabled and disabled', [{ status: 'active' }, { status: 'disabled' }]],
    ['given a password and disabled', [{ password: 'a-first-password' }, { status: 'disabled' }]],
  ])("can't use the link after being %s by a manager", async (_what, changes) => {
    const { user, invitation_token: token } = await invite();
    for (const change of changes) await changeUser(auth, marta, { id: user.id, change });

    expect(codeOf(await accept(token))).toBe('401 invitation_invalid');
    expect(await userOf(user.id)).toMatchObject({ status: 'disabled' });
  });

  test('can still use the link after their role was changed', async () => {
    const { user, invitation_token: token } = await invite();
    await changeUser(auth, marta, { id: user.id, change: { role: 'manager' } });

    expect((await accept(token)).body.role).toBe('manager');
  });
});

describe('inviting a user', () => {
  test("is rejected without the manager's PIN", async () => {
    const body = newWaiter();

    expect(codeOf(await auth.as(marta)('POST', '/invitations', { body }))).toBe('401 step_up_required');
    expect(await auth.connection.collection('usuarios').findOne({ email: body.email.toLowerCase() })).toBeNull();
  });

  test('creates a link that works only while the inviter is an active manager', async () => {
    const bruno = await managerWithPin(auth);
    const [first, second] = [await invite(newWaiter(), bruno), await invite(newWaiter(), bruno)];
    await changeUser(auth, marta, { id: bruno.id, change: { role: 'waiter' } });
    expect([codeOf(await read(first.invitation_token)), codeOf(await accept(first.invitation_token))]).toEqual([
      '401 invitation_invalid',
      '401 invitation_invalid',
    ]);

    await changeUser(auth, marta, { id: bruno.id, change: { role: 'manager', status: 'disabled' } });
    expect(codeOf(await accept(second.invitation_token))).toBe('401 invitation_invalid');
  });

  test.each<[string, (invited: { userId: number; managerId: number }) => Promise<unknown>]>([
    [
      'the inviting manager is disabled',
      ({ managerId }) => changeUser(auth, marta, { id: managerId, change: disabled }),
    ],
    ['the invitation is withdrawn', ({ userId }) => withdraw(userId)],
    ['a manager disables the user', ({ userId }) => changeUser(auth, marta, { id: userId, change: disabled })],
  ])(
    "creates a link that becomes invalid if %s while the invited user's password is hashed",
    async (_what, happens) => {
      const bruno = await managerWithPin(auth);
      const { user, invitation_token } = await invite(newWaiter(), bruno);
      const transactions = createTransactions({ connection: auth.connection, isUp: () => true, logger: silentLogger });
      const users = createUserStore({ connection: auth.connection, transactions });
      const deps = acceptanceDeps({
        connection: auth.connection,
        users,
        transactions,
        hasher: hashWhile(() => happens({ userId: user.id, managerId: bruno.id })),
      });

      const accepted = acceptInvitation(deps, { invitation_token, password }, { address: '::1', userAgent: 'test' });

      await expect(accepted).rejects.toMatchObject({ code: 'invitation_invalid' });
      expect(await userOf(user.id)).toMatchObject({ status: 'disabled' });
      await Promise.all([users.close(), transactions.close()]);
    },
  );

  test('returns a 409 if the e-mail address is taken', async () => {
    const ana = await auth.customer();
    const headers = { 'x-step-up-token': await tokenFor(auth, marta, { endpoint_key: manageKey }) };
    const asMarta = auth.as(marta);

    const taken = await asMarta('POST', '/invitations', { body: { ...newWaiter(), email: ana.email }, headers });
    expect(codeOf(taken)).toBe('409 email_taken');
    expect((await asMarta('POST', '/invitations', { body: newWaiter(), headers })).status).toBe(201);
  });

  test.each([
    ['/role', { role: 'customer' }],
    ['/email', { email: 'nobody' }],
    ['/name', { name: ' ' }],
    ['/password', { password: 'a-first-password' }],
  ])('returns a 400 for an invalid %s', async (pointer, part) => {
    const { status, body } = await auth.as(marta)('POST', '/invitations', { body: { ...newWaiter(), ...part } });

    expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  });
});

describe('stored invitations', () => {
  test('have an audit entry for each step', async () => {
    const asked = newWaiter();
    const { user } = await invite(asked);
    await withdraw(user.id);
    await accept((await invite(asked)).invitation_token);

    const byMarta = { id: marta.id, role: 'manager' };
    expect(await auditOf(user.id)).toMatchObject([
      { type: 'invitation_accepted', actor: { id: user.id, role: 'waiter' }, details: { role: 'waiter' } },
      { type: 'user_invited', actor: byMarta, details: { role: 'waiter' } },
      { type: 'invitation_withdrawn', actor: byMarta },
      { type: 'user_invited', actor: byMarta },
    ]);
  });

  test("keep the link's secret out of the database and the log", async () => {
    const { user, invitation_token: token } = await invite();
    await read(token);
    const [, secret = ''] = token.split('.');

    const stored = await auth.connection.collection('usuarios').findOne({ usuarioID: user.id });
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(auth.log()).not.toContain(secret);
  });

  test('may be missing in older documents', async () => {
    const ana = await auth.customer();
    await auth.connection.collection('usuarios').updateOne({ usuarioID: ana.id }, { $unset: { invitation: 1 } });

    expect(await userOf(ana.id)).toMatchObject({ status: 'active', invited_until: null });
    expect((await changeUser(auth, marta, { id: ana.id, change: { status: 'disabled' } })).status).toBe(200);
  });
});

test('requests for invitations are limited by network', async () => {
  const strict = await startAuthStepupHarness({ settings: { RATE_LIMIT_REGISTRATION: '3' } });
  try {
    const body = { invitation_token: 'nonsense' };
    const responses: string[] = [];
    for (let index = 0; index < 4; index++)
      responses.push(codeOf(await strict.call('POST', '/auth/invitation', { body })));
    expect(responses.slice(2)).toEqual(['401 invitation_invalid', '429 rate_limited']);
  } finally {
    await strict.close();
  }
});
