import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { noTraces } from '../tracing/tracer.ts';
import { silentLogger } from '@comanda/testing/silent-logger';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { endpoints } from '@comanda/contracts/registry';
import type { ConsumeStepUp } from '@comanda/contracts/internal';
import { createMetrics } from '../runtime/metrics.ts';
import { createApi } from './api.ts';
import { requestFingerprint } from './request-fingerprint.ts';
import { serve, type Listening } from './serve.ts';
import { createConsume, type SensitiveCall } from './step-up.ts';
import { createTokenVerifier, type TokenVerifier } from './token-verifier.ts';

const sensitive = endpoints.filter(({ stepUp }) => stepUp !== undefined);
const sha256 = '0'.repeat(64);
/** A valid body for each sensitive endpoint. */
const bodies: Readonly<Record<string, object | undefined>> = {
  approveTransactionPasswordReset: undefined,
  createMenuItem: { name: 'Feijoada', price: '34.00' },
  updateMenuItem: { price: '34.00' },
  importMenu: { dishes: [{ name: 'Feijoada', price: '34.00' }], sha256 },
  createOptionGroup: { name: 'Ponto', min: 0, max: 1, options: [{ name: 'Ao ponto', price: '0' }] },
  updateOptionGroup: { max: 2, free: 1, name_translations: { en: 'Doneness' } },
  closeDay: { number: 7, previous_hash: sha256 },
  createUser: { name: 'Rui', email: 'rui@example.com', password: 'long-and-unusual', role: 'waiter' },
  inviteUser: { name: 'Rui', email: 'rui@example.com', role: 'waiter' },
  registerTablet: { name: 'Kitchen pass' },
  updateUser: { status: 'disabled' },
  putStop: { stopped: true },
  deposit: { amount: '1.00', currency: 'BRL' },
  transferMoney: { from_account_id: 1, to_account_id: 2, amount: '1.00', currency: 'BRL' },
  payBillFromAccount: { payment_id: 3, from_account_id: 1, amount: '1.00', currency: 'BRL' },
  refundBillPaymentToAccount: { payment_id: 3, amount: '1.00', currency: 'BRL' },
  refundPix: { amount: '1.00', currency: 'BRL' },
};

/** The details for each of these calls, as the contracts declare them. The id in every path is 7. */
const detailsOfCalls: Readonly<Record<string, object>> = {
  approveTransactionPasswordReset: { type: 'transaction_password_reset', user_id: 7 },
  createMenuItem: { type: 'menu_management', name: 'Feijoada', price: '34.00' },
  updateMenuItem: { type: 'menu_management', item_id: 7, price: '34.00' },
  importMenu: { type: 'menu_management', menu_sha256: sha256 },
  createOptionGroup: { type: 'menu_management', name: 'Ponto', sets_options: true },
  updateOptionGroup: { type: 'menu_management', option_group_id: 7, free: 1, sets_translated_names: true },
  closeDay: { type: 'day_close', number: 7, previous_hash: sha256 },
  createUser: { type: 'user_management', email: 'rui@example.com', role: 'waiter', sets_password: true },
  inviteUser: { type: 'user_management', email: 'rui@example.com', role: 'waiter' },
  registerTablet: { type: 'tablet_registration', name: 'Kitchen pass' },
  updateUser: { type: 'user_management', user_id: 7, status: 'disabled' },
  putStop: { type: 'stop', name: 'transfers', stopped: true },
  deposit: { type: 'account_deposit', account_id: 7, amount: '1.00', currency: 'BRL' },
  transferMoney: {
    type: 'internal_transfer',
    from_account_id: 1,
    to_account_id: 2,
    amount: '1.00',
    currency: 'BRL',
  },
  payBillFromAccount: { type: 'bill_payment', payment_id: 3, from_account_id: 1, amount: '1.00', currency: 'BRL' },
  refundBillPaymentToAccount: { type: 'bill_refund', payment_id: 3, amount: '1.00', currency: 'BRL' },
  refundPix: { type: 'pix_refund', end_to_end_id: 'E7', amount: '1.00', currency: 'BRL' },
};

type Behaviour = 'forgets' | 'consumes' | 'replays' | 'demands none';
let issuer: TestIssuer;
let tokens: TokenVerifier;
const requests: ConsumeStepUp[] = [];
const consume = createConsume(async (body) => {
  requests.push(body);
  return { jti: 'jti', pinVersion: 1, first: true, jws: 'consent' };
});
const listening = new Map<Behaviour, Listening>();

/** Serves all endpoints that have a step-up key. `behaviour` says what their handlers do. */
async function serveAll(behaviour: Behaviour): Promise<Listening> {
  const api = createApi({
    tracer: noTraces,
    version: '1.2.3',
    logger: silentLogger,
    metrics: createMetrics('test'),
    tokens,
    translate: [],
    dependencies: [],
  });
  const handle = api.handle as (contract: AnyEndpoint, handler: (call: SensitiveCall) => unknown) => void;
  for (const contract of sensitive)
    handle(contract, async (sent) => {
      if (behaviour === 'consumes') return { status: 201, body: {}, consent: await consume(sent) };
      if (behaviour === 'demands none') return { status: 201, body: {}, consent: null };
      return { status: 201, body: {}, replayed: behaviour === 'replays' };
    });
  return serve(api.app, { port: 0, host: '127.0.0.1' });
}
beforeAll(async () => {
  issuer = await startTestIssuer();
  tokens = createTokenVerifier({ ...issuer, logger: silentLogger });
  for (const behaviour of ['forgets', 'consumes', 'replays', 'demands none'] as const)
    listening.set(behaviour, await serveAll(behaviour));
});
afterAll(async () => {
  await Promise.all([...listening.values()].map(({ close }) => close()));
  tokens.close();
  await issuer.close();
});

const pathOf = ({ path }: AnyEndpoint): string =>
  path.replace('{id}', '7').replace('{e2e}', 'E7').replace('{name}', 'transfers');
async function call(behaviour: Behaviour, contract: AnyEndpoint, headers: Record<string, string> = {}) {
  const body = bodies[contract.name];
  const response = await fetch(`${listening.get(behaviour)?.url}${pathOf(contract)}`, {
    method: contract.method,
    headers: {
      authorization: `Bearer ${issuer.token({ sub: 5, role: contract.who.at(-1) as 'manager' })}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    body: (await response.json()) as { code?: string },
  };
}
const stepUpToken = { 'x-step-up-token': 'head.body.signature' };
const challenge = 'Bearer error="insufficient_user_authentication", acr_values="urn:comanda:step-up"';

test('this test covers every sensitive contract, and finds at least one', () => {
  expect(new Set(sensitive.map(({ name }) => name))).toEqual(new Set(Object.keys(bodies)));
});

describe.each(sensitive.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
  '%s',
  (_name, contract) => {
    test('returns 500 if its handler forgets to spend the token', async () => {
      const { status, body } = await call('forgets', contract, stepUpToken);

      expect([status, body.code]).toEqual([500, 'internal_error']);
    });

    test('spends the token for its endpoint key and for the details of the request', async () => {
      requests.length = 0;

      const { status } = await call('consumes', contract, stepUpToken);

      expect(status).toBe(201);
      expect(requests).toEqual([
        {
          step_up_token: 'head.body.signature',
          endpoint_key: contract.stepUp?.key,
          details: [detailsOfCalls[contract.name]],
        },
      ]);
    });

    test('spends the token for this exact request if the contract accepts an idempotency key', async () => {
      requests.length = 0;

      const { status } = await call('consumes', contract, { ...stepUpToken, 'idempotency-key': 'k' });

      const request = { method: contract.method, path: pathOf(contract), body: bodies[contract.name] };

      expect(status).toBe(201);
      const fingerprint = requestFingerprint({ userId: 5, key: 'k', ...request });

      expect(requests).toHaveLength(1);
      expect(requests[0]?.call_hash).toBe(contract.idempotencyKey === 'accepted' ? fingerprint : undefined);
    });

    test('succeeds without a token only if the contract lets a setting make the token optional', async () => {
      const { status } = await call('demands none', contract);

      expect(status).toBe(contract.stepUp?.demanded === 'by_setting' ? 201 : 500);
    });

    test('rejects a token that is too long even if none is required', async () => {
      const response = await call('demands none', contract, { 'x-step-up-token': `head.body.${'s'.repeat(4096)}` });

      const refusal = contract.stepUp?.demanded === 'by_setting' ? '401 step_up_invalid' : '500 internal_error';
      expect(`${response.status} ${response.body.code}`).toBe(refusal);
    });

    test('needs no token if its reply repeats an earlier one', async () => {
      expect((await call('replays', contract)).status).toBe(201);
    });

    test.each([
      ['no token', {}, 'step_up_required'],
      ['two tokens in one header', { 'x-step-up-token': 'a.b.c, d.e.f' }, 'step_up_invalid'],
    ])('returns 401 and demands a step-up if the request has %s', async (_what, headers, code) => {
      const response = await call('consumes', contract, headers);

      expect([response.status, response.body.code, response.challenge]).toEqual([401, code, challenge]);
    });
  },
);
