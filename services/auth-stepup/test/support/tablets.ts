import type { Tablet } from '@comanda/contracts/tablets';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import type { Called } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import type { AuthStepupHarness } from './harness.ts';
import { tokenFor } from './pins.ts';

export const tabletPin = '7391';
export const wrongTabletPin = '4826';
const registerKey = 'tablet.register';

type Registered = { tablet: Tablet; tablet_credential: string };
export type OnTablet = { credential: string; userId: number; pin?: string };

/** Returns helpers for tests with tablets. `marta` must be a manager with a PIN. */
export function tabletsOf(auth: AuthStepupHarness, marta: TestUser) {
  const registerAs = async (manager: TestUser, name: string): Promise<Called> =>
    auth.as(manager)('POST', '/tablets', {
      body: { name },
      headers: { 'x-step-up-token': await tokenFor(auth, manager, { endpoint_key: registerKey }) },
    });
  const setPin = (user: TestUser, chosen = tabletPin, secret = password): Promise<Called> =>
    auth.as(user)('PUT', '/auth/tablet-pin', { body: { password: secret, tablet_pin: chosen } });
  const signIn = ({ credential, userId, pin = tabletPin }: OnTablet, instance = auth): Promise<Called> =>
    instance.call('POST', '/auth/tablet/login', {
      body: { tablet_credential: credential, user_id: userId, tablet_pin: pin },
    });
  return {
    registerAs,
    /** Registers a tablet. Returns its id and credential. */
    register: async (name = 'Kitchen pass'): Promise<{ id: string; credential: string }> => {
      const response = await registerAs(marta, name);
      if (response.status !== 201) throw new Error(response.text);
      const { tablet, tablet_credential: credential } = response.body as Registered;
      return { id: tablet.id, credential };
    },
    revoke: (id: string): Promise<Called> => auth.as(marta)('DELETE', `/tablets/${id}`),
    list: async (): Promise<Tablet[]> => (await auth.as(marta)('GET', '/tablets')).body,
    setPin,
    newWaiter: async (name = 'Rui'): Promise<TestUser> => {
      const waiter = await auth.waiter(name);
      const response = await setPin(waiter);
      if (response.status !== 204) throw new Error(response.text);
      return waiter;
    },
    read: (credential: string): Promise<Called> =>
      auth.call('POST', '/auth/tablet', { body: { tablet_credential: credential } }),
    signIn,
    /** Signs in on a tablet. Returns the session's tokens, or fails if the sign-in is rejected. */
    begin: async (on: OnTablet): Promise<{ token: string; refreshToken: string }> => {
      const { status, body, text } = await signIn(on);
      if (status !== 200) throw new Error(text);
      return { token: body.access_token, refreshToken: body.refresh_token };
    },
    refresh: ({ refreshToken }: { refreshToken: string }): Promise<Called> =>
      auth.call('POST', '/auth/refresh', { body: { refresh_token: refreshToken } }),
  };
}

export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
