import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { endpoints } from '@comanda/contracts/registry';
import { internalEndpoints } from '@comanda/contracts/internal';
import { caller } from '@comanda/testing/call';
import { newEmail, password } from '@comanda/testing/credentials';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { choosePin, tokenFor } from '@comanda/testing/step-up-calls';
import {
  allowedWithFirstPassword,
  expectedAccess,
  expectedStepUp,
  refusedOnTablets,
} from './support/expected-access.ts';

let stack: Stack;
const tokens: Record<string, string | undefined> = {};
let tableToken: string;
let tabletCredential: string;
const kinds = [
  'nobody',
  'guest',
  'customer',
  'waiter',
  'waiter on a tablet',
  'manager',
  'manager with a first password',
] as const;
type Kind = (typeof kinds)[number];

beforeAll(async () => {
  stack = await startRestaurant('roles');
  const { auth } = stack;
  const [customer, waiter, manager] = await Promise.all([auth.customer(), auth.waiter(), auth.manager()]);
  Object.assign(tokens, { customer: customer.token, waiter: waiter.token, manager: manager.token });
  const asManager = auth.as(manager);
  const table = await asManager('PUT', '/tables/T-1');
  tableToken = table.body.table_token as string;
  tokens['guest'] = await newToken('guest');
  const email = newEmail('novo');
  await choosePin(asManager);
  const headers = { 'x-step-up-token': await tokenFor(asManager, 'user.manage') };
  await asManager('POST', '/users', { body: { name: 'Novo', email, password, role: 'manager' }, headers });
  const registering = { 'x-step-up-token': await tokenFor(asManager, 'tablet.register') };
  const registered = await asManager('POST', '/tablets', { body: { name: 'Pass' }, headers: registering });
  tabletCredential = registered.body.tablet_credential as string;
  tokens['waiter on a tablet'] = await newToken('waiter on a tablet');
  const signedIn = await auth.call('POST', '/auth/login', { body: { email, password } });
  tokens['manager with a first password'] = signedIn.body.access_token as string;
});
afterAll(() => stack?.close());

/**
 * Returns a token for a new user of this kind; undefined for a caller without a token. A user with a first password cannot end
 * sessions, so that user's existing token is returned.
 */
async function newToken(kind: Kind): Promise<string | undefined> {
  const { auth } = stack;
  if (kind === 'customer' || kind === 'waiter' || kind === 'manager') return (await auth[kind]()).token;
  if (kind === 'waiter on a tablet') {
    const waiter = await auth.waiter();
    await auth.as(waiter)('PUT', '/auth/tablet-pin', { body: { password, tablet_pin: '7391' } });
    const on = { tablet_credential: tabletCredential, user_id: waiter.id, tablet_pin: '7391' };
    return (await auth.call('POST', '/auth/tablet/login', { body: on })).body.access_token as string;
  }
  if (kind !== 'guest') return tokens[kind];
  const { body } = await auth.call('POST', '/auth/guest', { body: { table_token: tableToken } });
  return body.access_token as string;
}

const nameOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`;

/** Returns the problem code that a caller should get, or null if access is allowed. */
function expectedRefusal(endpoint: string, kind: Kind): string | null {
  const access = expectedAccess[endpoint];
  if (access === undefined) throw new Error(`${endpoint} has no line in expected-access.ts`);
  if (access === 'everyone') return null;
  if (kind === 'nobody') return 'authentication_required';
  if (kind === 'manager with a first password')
    return allowedWithFirstPassword.has(endpoint) ? null : 'password_change_required';
  if (access === 'manager' && kind !== 'manager') return 'forbidden';
  const isWaiter = kind === 'waiter' || kind === 'waiter on a tablet';
  if (access === 'staff' && kind !== 'manager' && !isWaiter) return 'forbidden';
  if (access === 'waiter' && !isWaiter) return 'forbidden';
  if (kind === 'waiter on a tablet' && refusedOnTablets.has(endpoint)) return 'reauthentication_required';
  return access === 'account' && kind === 'guest' ? 'account_required' : null;
}
const refusals = new Set([
  'authentication_required',
  'invalid_token',
  'password_change_required',
  'forbidden',
  'account_required',
  'reauthentication_required',
]);

/** Returns the endpoint's path with ids that do not exist. */
const concrete = ({ path }: AnyEndpoint): string =>
  path
    .replace('{table}', 'T-9')
    .replace('{code}', 'not_found')
    .replaceAll(/\{\w+\}/g, '999999');

async function readRefusal(baseUrl: string, contract: AnyEndpoint, kind: Kind): Promise<string | null> {
  // `DELETE /auth/sessions` ends all of the user's sessions, so its token cannot be used for later calls.
  const token = nameOf(contract) === 'DELETE /auth/sessions' ? await newToken(kind) : tokens[kind];
  const { body, text } = await caller(baseUrl, token === undefined ? {} : { token })(
    contract.method,
    concrete(contract),
    {
      // A caller with access gets a different problem, because the body is incomplete or the id does not exist.
      ...(contract.body && { body: {} }),
    },
  ).catch((error: unknown) => {
    // A page is not JSON. If the caller got the page, access was allowed.
    if (contract.responses[200]?.page) return { body: null, text: '' };
    throw error;
  });
  const code = (text === '' ? null : (body?.code as string | undefined)) ?? null;
  return code !== null && refusals.has(code) ? code : null;
}

describe('access to endpoints', () => {
  test("isn't possible for internal endpoints", () => {
    expect(endpoints.filter(({ path }) => path.startsWith('/internal'))).toEqual([]);
    expect(internalEndpoints.every(({ path }) => path.startsWith('/internal/'))).toBe(true);
  });
  test('is listed for every endpoint in expected-access.ts', () => {
    expect(Object.keys(expectedAccess).toSorted()).toEqual(endpoints.map(nameOf).toSorted());
  });
  test('requires a PIN exactly where expected-access.ts says so', () => {
    const stepUp = endpoints.flatMap((contract) => (contract.stepUp ? [[nameOf(contract), contract.stepUp.key]] : []));
    expect(Object.fromEntries(stepUp)).toEqual(expectedStepUp);
  });
  describe.each(endpoints.map((contract) => ({ endpoint: nameOf(contract), contract })))(
    'for $endpoint',
    ({ endpoint, contract }) => {
      test.each(kinds)('is as listed in expected-access.ts for a %s', async (kind) => {
        const expected = expectedRefusal(endpoint, kind);
        expect(await readRefusal(stack.services.gateway.url, contract, kind)).toBe(expected);
        expect(await readRefusal(stack.services[contract.service].url, contract, kind)).toBe(expected);
      });
    },
  );
  test.each(internalEndpoints.map(({ method, path }) => ({ method, path })))(
    'is rejected by the gateway with a 404 for every role: $method $path',
    async ({ method, path }) => {
      for (const kind of kinds) {
        const token = tokens[kind];
        const call = caller(stack.services.gateway.url, token === undefined ? {} : { token });
        const { status } = await call(method, path, method === 'GET' ? {} : { body: {} });
        expect(status).toBe(404);
      }
    },
  );
});
