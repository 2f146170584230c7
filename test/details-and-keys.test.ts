import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created } from '@comanda/testing/call';
import type { Call, Called } from '@comanda/testing/call';
import { managerCredentials } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStack } from '@comanda/testing/stack';
import type { Stack } from '@comanda/testing/stack';
import * as calls from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';

/** All five services as processes; every call goes through the gateway. */
let stack: Stack;
let ana: calls.RegisteredCustomer;
let bia: calls.RegisteredCustomer;
let account: number;
let another: number;
beforeAll(async () => {
  stack = await startStack(await isolatedServers('details'), calls.withoutLimits);
  created(await calls.choosePin(caller(stack.gatewayUrl, { token: stack.managerToken })));
  [ana, bia] = [await calls.registerCustomer(stack, 'Ana'), await calls.registerCustomer(stack, 'Bia')];
  for (const { call } of [ana, bia]) created(await calls.choosePin(call));
  [account, another] = [await calls.openAccount(ana.call), await calls.openAccount(ana.call)];
}, 120_000);
afterAll(() => stack.close());

type Credentials = { email: string; password: string };

/** A new session, with a token that every service accepts: after a revocation this takes 10 s. The first manager's by default. */
async function signIn({ email, password }: Credentials = managerCredentials): Promise<{ token: string; call: Call }> {
  const { body } = await stack.call('POST', '/auth/login', { body: { email, password } });
  const token: string = body.access_token;
  const call = caller(stack.gatewayUrl, { token });
  const isAccepted = async (): Promise<boolean> =>
    (await Promise.all(['/auth/me', '/orders', '/accounts'].map((path) => call('GET', path)))).every(
      ({ status }) => status === 200,
    );
  await until(isAccepted, { what: 'every service to accept a new token', timeoutMs: 25_000 });
  return { token, call };
}

type Request = { method: string; path: string; body?: object };
type Agreement = { key: string; details: object; agreed: Request; other: Request };
const deposit = (id: number): Request => ({
  method: 'POST',
  path: `/accounts/${id}/deposits`,
  body: { amount: '10.00' },
});
const transfer = (amount: string): Request => ({
  method: 'POST',
  path: '/accounts/internal-transfers',
  body: { from_account_id: account, to_account_id: another, amount },
});
const approval = (id: number): Request => ({ method: 'POST', path: `/users/${id}/transaction-password-resets` });
const change = (role: string): Request => ({ method: 'PUT', path: `/users/${bia.id}`, body: { role } });
const agreements: Record<string, () => Agreement> = {
  'a deposit': () => ({
    key: calls.depositKey,
    details: { type: 'account_deposit', account_id: account, amount: '10.00', currency: 'BRL' },
    agreed: deposit(account),
    other: deposit(another),
  }),
  'a transfer': () => ({
    key: calls.transferKey,
    details: { type: 'internal_transfer', to_account_id: another, amount: '1.00', currency: 'BRL' },
    agreed: transfer('1.00'),
    other: transfer('2.00'),
  }),
  'the approval of a reset': () => ({
    key: calls.resetKey,
    details: { type: 'transaction_password_reset', user_id: ana.id },
    agreed: approval(ana.id),
    other: approval(bia.id),
  }),
  'a change of a user': () => ({
    key: 'user.manage',
    details: { type: 'user_management', user_id: bia.id, role: 'waiter' },
    agreed: change('waiter'),
    other: change('manager'),
  }),
};

describe('what the user agreed to', () => {
  test.each(Object.keys(agreements))(
    'when it is %s, then another request is refused and spends the token, and this one is done',
    async (what) => {
      const { call: marta } = await signIn();
      const agreement = agreements[what]?.();
      if (!agreement) throw new Error(what);
      const { key, details, agreed, other } = agreement;
      const call = what === 'a transfer' ? (await signIn(ana)).call : marta;
      if (what === 'a transfer') {
        const { method, path, body } = deposit(account);
        const headers = { 'x-step-up-token': await calls.tokenFor(marta, calls.depositKey) };
        created(await marta(method, path, { body, headers }));
      }
      const issue = async (): Promise<string> => {
        const body = { endpoint_key: key, transaction_password: calls.pin, authorization_details: [details] };
        return created(await call('POST', '/security/step-up', { body })).step_up_token;
      };
      const send = ({ method, path, body }: Request, token: string): Promise<Called> =>
        call(method, path, { ...(body && { body }), headers: { 'x-step-up-token': token } });

      const token = await issue();
      expect(codeOf(await send(other, token))).toBe('401 step_up_wrong_details');
      expect(codeOf(await send(agreed, token))).toBe('401 step_up_used');
      expect([200, 201]).toContain((await send(agreed, await issue())).status);
    },
  );
});

test('when the key that signs is revoked, then the gateway and the services refuse its tokens once they read the key set again', async () => {
  const { token, call } = await signIn();
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };

  await stack.runServiceCommand('auth-stepup', 'src/rotate-keys.ts', { args: ['--revoke', kid], env: {} });
  const isSignedAnew = async (): Promise<boolean> => !(await signIn()).token.startsWith(token.split('.')[0] ?? '');
  await until(isSignedAnew, { what: 'tokens by a new key', timeoutMs: 25_000 });

  const answers = await Promise.all(['/auth/me', '/orders', '/accounts', '/users'].map((path) => call('GET', path)));
  expect(answers.map(codeOf)).toEqual(Array(4).fill('401 invalid_token'));
});
