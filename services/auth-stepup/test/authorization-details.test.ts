import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf } from '@comanda/testing/call';
import { newEmail } from '@comanda/testing/credentials';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { manageKey, resetKey, stepUp, storePin, tokenFor, transferKey } from './support/pins.ts';

let auth: AuthStepupHarness;
let marta: TestUser;
let ana: TestUser;
let rui: TestUser;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
  marta = await auth.manager('Marta');
  [ana, rui] = [await auth.customer('Ana'), await auth.customer('Rui')];
  for (const who of [marta, ana, rui]) await storePin(auth, who);
});
afterAll(() => auth.close());

const depositKey = 'account_deposit.create';
const reset = (user_id: number) => ({ type: 'transaction_password_reset', user_id });
const management = (members: object) => ({ type: 'user_management', ...members });
const anyOf = {
  [transferKey]: { type: 'internal_transfer', to_account_id: 7, amount: '1', currency: 'BRL' },
  [depositKey]: { type: 'account_deposit', account_id: 7, amount: '1', currency: 'BRL' },
  'bill_payment.create': { type: 'bill_payment', payment_id: 77, amount: '1', currency: 'BRL' },
  'bill_refund.create': { type: 'bill_refund', payment_id: 77, amount: '1', currency: 'BRL' },
  [resetKey]: reset(7),
  [manageKey]: management({ user_id: 7, status: 'disabled' }),
  'menu.manage': { type: 'menu_management', item_id: 7, price: '1' },
  'day.close': { type: 'day_close', number: 7, previous_hash: '0'.repeat(64) },
};

/** Returns a function that sends the request with a token for the `agreed` details. */
async function sendBound(endpointKey: string, agreed: object, [method, path, body]: [string, string, object?]) {
  const token = await tokenFor(auth, marta, { endpoint_key: endpointKey, authorization_details: [agreed] });
  return async (at: { path: string; body?: object } = { path, ...(body && { body }) }) => {
    const sent = { ...(at.body && { body: at.body }), headers: { 'x-step-up-token': token } };
    return codeOf(await auth.as(marta)(method, at.path, sent));
  };
}

describe('the token for a bill payment, a refund or a price change', () => {
  test.each(['bill_payment.create', 'bill_refund.create', 'menu.manage'] as const)(
    'requires authorization details (%s)',
    async (endpoint_key) => {
      const wrongPin = await stepUp(auth, marta, { endpoint_key, transaction_password: '135790' });
      const right = await stepUp(auth, marta, { endpoint_key, authorization_details: [anyOf[endpoint_key]] });

      expect(codeOf(wrongPin)).toBe('422 authorization_details_invalid');
      expect(right.status).toBe(201);
    },
  );
});

describe('the approval of a PIN reset', () => {
  const pathOf = ({ id }: TestUser) => `/users/${id}/transaction-password-resets`;

  test('is rejected for the wrong user', async () => {
    const send = await sendBound(resetKey, reset(rui.id), ['POST', pathOf(ana)]);

    expect(await send()).toBe('401 step_up_wrong_details');
    expect(await send({ path: pathOf(rui) })).toBe('401 step_up_used');
  });

  test('is accepted for the right user', async () => {
    const send = await sendBound(resetKey, reset(ana.id), ['POST', pathOf(ana)]);

    expect(await send()).toBe('201');
  });
});

describe('changing a user with a step-up token', () => {
  test.each<[string, () => object, { body: object; code: string }]>([
    [
      'another user',
      () => ({ user_id: rui.id, role: 'waiter' }),
      { body: { role: 'waiter' }, code: '401 step_up_wrong_details' },
    ],
    [
      'another role',
      () => ({ user_id: ana.id, role: 'customer' }),
      { body: { role: 'manager' }, code: '401 step_up_wrong_details' },
    ],
    [
      'only part of the change',
      () => ({ user_id: ana.id, status: 'active' }),
      { body: { status: 'active', role: 'manager' }, code: '401 step_up_wrong_details' },
    ],
    [
      'the change without its new password',
      () => ({ user_id: ana.id, role: 'waiter' }),
      { body: { role: 'waiter', password: 'long-and-unusual-7' }, code: '401 step_up_wrong_details' },
    ],
    [
      'a new user',
      () => ({ email: 'a@example.com', role: 'waiter' }),
      { body: { role: 'waiter' }, code: '401 step_up_wrong_details' },
    ],
    [
      'exactly this change',
      () => ({ user_id: ana.id, role: 'customer', status: 'active' }),
      { body: { status: 'active', role: 'customer' }, code: '200' },
    ],
  ])('spends the token for %s, whether its details match or not', async (_what, agreed, { body, code }) => {
    const path = `/users/${ana.id}`;
    const send = await sendBound(manageKey, management(agreed()), ['PUT', path, body]);

    expect(await send()).toBe(code);
    expect(await send()).toBe('401 step_up_used');
  });

  test("sets a new password if the token's details allow it", async () => {
    const bia = await auth.customer('Bia');
    const agreed = management({ user_id: bia.id, sets_password: true });
    const send = await sendBound(manageKey, agreed, ['PUT', `/users/${bia.id}`, { password: 'long-and-unusual-7' }]);

    expect(await send()).toBe('200');
  });
});

describe('adding a user', () => {
  const newUser = (email: string, role = 'waiter') => ({ name: 'Caio', email, password: 'long-and-unusual-7', role });

  test('is rejected if the role differs from the one in the token', async () => {
    const email = newEmail('Caio');
    const agreed = management({ email, role: 'waiter', sets_password: true });
    const send = await sendBound(manageKey, agreed, ['POST', '/users', newUser(email, 'manager')]);

    expect(await send()).toBe('401 step_up_wrong_details');
    expect(await send({ path: '/users', body: newUser(email) })).toBe('401 step_up_used');
    const added = await auth.connection.collection('usuarios').countDocuments({ email: email.toLowerCase() });
    expect(added).toBe(0);
  });

  test('succeeds if the e-mail address differs only in case', async () => {
    const email = newEmail('Davi');
    const agreed = management({ email: email.toUpperCase(), role: 'waiter', sets_password: true });
    const send = await sendBound(manageKey, agreed, ['POST', '/users', newUser(email)]);

    expect(await send()).toBe('201');
  });

  test('is rejected if it sets a password although the token is for an invitation', async () => {
    const email = newEmail('Eva');
    const send = await sendBound(manageKey, management({ email, role: 'waiter' }), ['POST', '/users', newUser(email)]);

    expect(await send()).toBe('401 step_up_wrong_details');
    const added = await auth.connection.collection('usuarios').countDocuments({ email: email.toLowerCase() });
    expect(added).toBe(0);
  });
});

describe('issuing a token with authorization details', () => {
  test.each(Object.keys(anyOf))('rejects details for another endpoint if the key is %s', async (endpointKey) => {
    for (const [otherKey, details] of Object.entries(anyOf)) {
      const body = { endpoint_key: endpointKey, authorization_details: [details] };
      expect(codeOf(await stepUp(auth, marta, body))).toBe(
        otherKey === endpointKey ? '201' : '422 authorization_details_invalid',
      );
    }
  });

  test.each([
    ['an unknown type', { type: 'gift' }],
    ['an unknown field', { ...reset(7), amount: '1' }],
    ['a missing field', { type: 'account_deposit', account_id: 7, amount: '1' }],
    ['both a new and an existing user', management({ user_id: 7, email: 'a@example.com' })],
    ['no user', management({ role: 'waiter' })],
    ['a string instead of an object', 'internal_transfer'],
  ])('rejects authorization details with %s', async (_what, details) => {
    const response = await stepUp(auth, marta, { endpoint_key: resetKey, authorization_details: [details] });

    expect(codeOf(response)).toBe('400 validation_failed');
    expect(response.body.errors[0].pointer).toMatch(/^\/authorization_details/);
  });

  test('requires authorization details for each key in STEP_UP_DETAILS_REQUIRED', async () => {
    const strict = await startAuthStepupHarness({
      settings: { STEP_UP_DETAILS_REQUIRED: Object.keys(anyOf).join(',') },
    });
    try {
      const manager = await strict.manager();
      await storePin(strict, manager);
      for (const [endpointKey, details] of Object.entries(anyOf)) {
        const without = await stepUp(strict, manager, { endpoint_key: endpointKey });
        const body = { endpoint_key: endpointKey, authorization_details: [details] };
        expect([codeOf(without), codeOf(await stepUp(strict, manager, body))]).toEqual([
          '422 authorization_details_invalid',
          '201',
        ]);
      }
    } finally {
      await strict.close();
    }
  });
});
