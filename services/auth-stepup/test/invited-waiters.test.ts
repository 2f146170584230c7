import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf, type Called } from '@comanda/testing/call';
import { newEmail } from '@comanda/testing/credentials';
import { silentLogger } from '@comanda/testing/silent-logger';
import { acceptInvitation } from '../src/users/accept-invitation.ts';
import { createUserStore } from '../src/users/user-store.ts';
import { acceptanceDeps } from './support/acceptance-deps.ts';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { hashWhile } from './support/hash-meanwhile.ts';
import { changeUser, inviteUser, managerWithPin } from './support/pins.ts';
import { tabletPin, tabletsOf } from './support/tablets.ts';

const password = 'my-own-password';
let auth: AuthStepupHarness;
let marta: TestUser;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
  marta = await managerWithPin(auth);
});
afterAll(() => auth.close());

type Invited = { user: { id: number; email: string }; invitation_token: string };
async function invite(role = 'waiter'): Promise<Invited> {
  const response = await inviteUser(auth, marta, { name: 'Rui', email: newEmail('Rui'), role });
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
}
const read = (token: string): Promise<Called> =>
  auth.call('POST', '/auth/invitation', { body: { invitation_token: token } });
const accept = (token: string, secrets: { password?: string; tablet_pin?: string } = {}): Promise<Called> =>
  auth.call('POST', '/auth/invitation/acceptance', { body: { invitation_token: token, password, ...secrets } });
const userOf = async (id: number) => (await auth.as(marta)('GET', `/users/${id}`)).body;

describe('an invitation with a tablet PIN', () => {
  const storedPin = async (id: number) =>
    (await auth.connection.collection('usuarios').findOne({ usuarioID: id }))?.['tablet_pin'];

  test('lets the waiter sign in with the password, and on a tablet', async () => {
    const tablets = tabletsOf(auth, marta);
    const { credential } = await tablets.register();
    const { user, invitation_token: token } = await invite();

    expect((await accept(token, { tablet_pin: tabletPin })).status).toBe(201);

    expect(codeOf(await tablets.signIn({ credential, userId: user.id }))).toBe('200');
    const rui = await auth.signIn(user.email, password);
    const { body: events } = await auth.as(rui)('GET', '/security/events');
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'signed_in',
      'signed_in_on_tablet',
      'tablet_pin_set',
      'invitation_accepted',
      'user_invited',
    ]);
  });

  test.each([
    ['1234', 'equal steps'],
    ['4826', 'equal steps'],
    ['7777', 'repeats digits'],
    ['1987', 'a year'],
    ['2580', 'most common PINs'],
  ])('is rejected with %s, explains why, and can still be used', async (pin, reason) => {
    const { user, invitation_token: token } = await invite();
    const refused = await accept(token, { tablet_pin: pin });

    expect([codeOf(refused), refused.body.detail]).toEqual(['422 tablet_pin_weak', expect.stringContaining(reason)]);
    expect(await userOf(user.id)).toMatchObject({ status: 'disabled' });
    expect(codeOf(await accept(token, { tablet_pin: tabletPin }))).toBe('201');
  });

  test("doesn't set a tablet PIN if the password is weak", async () => {
    const { user, invitation_token: token } = await invite();

    expect(codeOf(await accept(token, { password: 'password123', tablet_pin: tabletPin }))).toBe(
      '422 password_too_weak',
    );
    expect([await storedPin(user.id), (await userOf(user.id)).status]).toEqual([undefined, 'disabled']);
  });

  test('is rejected with a tablet PIN for a manager', async () => {
    const { user, invitation_token: token } = await invite('manager');
    expect((await read(token)).body.may_set_tablet_pin).toBe(false);
    const refused = await accept(token, { tablet_pin: tabletPin });

    expect([codeOf(refused), refused.body.errors[0].pointer]).toEqual(['422 unprocessable_content', '/tablet_pin']);
    expect(await userOf(user.id)).toMatchObject({ status: 'disabled' });
    expect(codeOf(await accept(token))).toBe('201');
  });

  test('is rejected with a tablet PIN if the waiter becomes a manager while the password is hashed', async () => {
    const { user, invitation_token } = await invite();
    const transactions = createTransactions({ connection: auth.connection, isUp: () => true, logger: silentLogger });
    const users = createUserStore({ connection: auth.connection, transactions });
    const promote = () => changeUser(auth, marta, { id: user.id, change: { role: 'manager' } });
    const deps = acceptanceDeps({ connection: auth.connection, users, transactions, hasher: hashWhile(promote) });

    const accepted = acceptInvitation(
      deps,
      { invitation_token, password, tablet_pin: tabletPin },
      { address: '::1', userAgent: 'test' },
    );

    await expect(accepted).rejects.toMatchObject({ code: 'unprocessable_content' });
    expect([await storedPin(user.id), await userOf(user.id)]).toMatchObject([undefined, { status: 'disabled' }]);
    await Promise.all([users.close(), transactions.close()]);
  });

  test("is rejected if the tablet PIN doesn't have four digits", async () => {
    const { invitation_token: token } = await invite();
    const { status, body } = await accept(token, { tablet_pin: '73912' });

    expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/tablet_pin']);
  });
});
