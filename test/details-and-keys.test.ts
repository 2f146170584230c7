import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import * as calls from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';

/** The complete stack, with each service in its own process. The tests make all calls through the gateway. */
let stack: Stack;
let marta: TestUser;
let ana: TestUser;
let bia: TestUser;
let account: number;
let another: number;
beforeAll(async () => {
  stack = await startStackHere('details', calls.withoutLimits);
  const { auth } = stack;
  [marta, ana, bia] = [await auth.manager(), await auth.customer('Ana'), await auth.customer('Bia')];
  for (const { token } of [marta, ana, bia]) created(await calls.choosePin(caller(stack.gatewayUrl, { token })));
  const asAna = caller(stack.gatewayUrl, { token: ana.token });
  [account, another] = [await calls.openAccount(asAna), await calls.openAccount(asAna)];
});
afterAll(() => stack.close());

async function issueToken(user: TestUser): Promise<string> {
  const { refreshToken } = await stack.auth.newSession(user);
  const { body } = await stack.call('POST', '/auth/refresh', { body: { refresh_token: refreshToken } });
  return body.access_token;
}
/** Returns a new access token for the user, once every service accepts it. After a signing key was revoked, this takes 10 s. */
async function newToken(user: TestUser): Promise<{ token: string; call: Call }> {
  const token = await issueToken(user);
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

describe("a user's authorization", () => {
  test.each(Object.keys(agreements))('for %s allows only the exact request', async (what) => {
    const { call: asMarta } = await newToken(marta);
    const agreement = agreements[what]?.();
    if (!agreement) throw new Error(what);
    const { key, details, agreed, other } = agreement;
    const call = what === 'a transfer' ? (await newToken(ana)).call : asMarta;
    if (what === 'a transfer') {
      const { method, path, body } = deposit(account);
      const headers = { 'x-step-up-token': await calls.tokenFor(asMarta, calls.depositKey) };
      created(await asMarta(method, path, { body, headers }));
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
  });
});

test('the gateway and services reject tokens signed with a revoked key once they have refreshed the key set', async () => {
  const { token, call } = await newToken(marta);
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string };

  await stack.runServiceCommand('auth-stepup', 'src/rotate-keys.ts', { args: ['--revoke', kid], env: {} });
  const isSignedAnew = async (): Promise<boolean> => !(await issueToken(marta)).startsWith(token.split('.')[0] ?? '');
  await until(isSignedAnew, { what: 'tokens by a new key', timeoutMs: 25_000 });
  await newToken(marta); // A service that accepts the new key has fetched the key set without the old key.

  const responses = await Promise.all(['/auth/me', '/orders', '/accounts', '/users'].map((path) => call('GET', path)));
  expect(responses.map(codeOf)).toEqual(Array(4).fill('401 invalid_token'));
});
