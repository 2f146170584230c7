import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@comanda/testing/silent-logger';
import { startTestIssuer } from '@comanda/testing/test-issuer';
import type { TestIssuer } from '@comanda/testing/test-issuer';
import type { AnyEndpoint } from '@comanda/contracts/endpoint';
import { endpoints } from '@comanda/contracts/registry';
import type { ConsumeStepUp } from '@comanda/contracts/security';
import { createMetrics } from '../runtime/metrics.ts';
import { createApi } from './api.ts';
import { requestFingerprint } from './request-fingerprint.ts';
import { serve } from './serve.ts';
import type { Listening } from './serve.ts';
import { createConsume } from './step-up.ts';
import type { SensitiveCall } from './step-up.ts';
import { createTokenVerifier } from './token-verifier.ts';
import type { TokenVerifier } from './token-verifier.ts';

const sensitive = endpoints.filter(({ stepUp }) => stepUp !== undefined);
/** A body that each of them takes. */
const bodies: Readonly<Record<string, object | undefined>> = {
  'transaction_password.reset': undefined,
  'account_deposit.create': { amount: '1.00' },
  'internal_transfer.create': { from_account_id: 1, to_account_id: 2, amount: '1.00' },
};

type Manner = 'forgets' | 'consumes' | 'replays';
let issuer: TestIssuer;
let tokens: TokenVerifier;
const asked: ConsumeStepUp[] = [];
const consume = createConsume(async (question) => {
  asked.push(question);
  return { jti: 'jti', pinVersion: 1, first: true };
});
const listening = new Map<Manner, Listening>();

/** Every sensitive contract, with a story that does it in this manner. */
async function serveAll(manner: Manner): Promise<Listening> {
  const api = createApi({
    logger: silentLogger,
    metrics: createMetrics('test'),
    tokens,
    translate: [],
    dependencies: [],
  });
  const handle = api.handle as (contract: AnyEndpoint, story: (sent: SensitiveCall) => unknown) => void;
  for (const contract of sensitive)
    handle(contract, async (sent) => {
      if (manner === 'consumes') return { status: 201, body: {}, consent: await consume(sent) };
      return { status: 201, body: {}, replayed: manner === 'replays' };
    });
  return serve(api.app, { port: 0, host: '127.0.0.1' });
}
beforeAll(async () => {
  issuer = await startTestIssuer();
  tokens = createTokenVerifier({ ...issuer, logger: silentLogger });
  for (const manner of ['forgets', 'consumes', 'replays'] as const) listening.set(manner, await serveAll(manner));
});
afterAll(async () => {
  await Promise.all([...listening.values()].map(({ close }) => close()));
  tokens.close();
  await issuer.close();
});

const pathOf = ({ path }: AnyEndpoint): string => path.replace('{id}', '7');
async function call(manner: Manner, contract: AnyEndpoint, headers: Record<string, string> = {}) {
  const body = bodies[contract.stepUp ?? ''];
  const answer = await fetch(`${listening.get(manner)?.url}${pathOf(contract)}`, {
    method: contract.method,
    headers: {
      authorization: `Bearer ${issuer.token({ sub: 5, role: contract.who.at(-1) as 'manager' })}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    challenge: answer.headers.get('www-authenticate'),
    body: (await answer.json()) as { code?: string },
  };
}
const stepUpToken = { 'x-step-up-token': 'head.body.signature' };
const challenge = 'Bearer error="insufficient_user_authentication", max_age="120"';

test('when the contracts are read, then there are sensitive ones, and this test knows them all', () => {
  expect(new Set(sensitive.map(({ stepUp }) => stepUp))).toEqual(new Set(Object.keys(bodies)));
});

describe.each(sensitive.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
  '%s',
  (_name, contract) => {
    test('when its story forgets to spend the token, then its success is a 500', async () => {
      const { status, body } = await call('forgets', contract, stepUpToken);
      expect([status, body.code]).toEqual([500, 'internal_error']);
    });

    test('when its story spends it, then it succeeds, and the question names the key and, with a key, the call', async () => {
      asked.length = 0;
      expect((await call('consumes', contract, stepUpToken)).status).toBe(201);
      expect((await call('consumes', contract, { ...stepUpToken, 'idempotency-key': 'k' })).status).toBe(201);
      const question = { step_up_token: 'head.body.signature', endpoint_key: contract.stepUp };
      const hash = requestFingerprint({
        userId: 5,
        method: contract.method,
        path: pathOf(contract),
        key: 'k',
        body: bodies[contract.stepUp ?? ''],
      });
      expect(asked).toEqual([question, { ...question, call_hash: hash }]);
    });

    test('when its answer is a replay, then it needs no token', async () => {
      expect((await call('replays', contract)).status).toBe(201);
    });

    test('when no token comes, or two in one header, then 401 that says what to do', async () => {
      const none = await call('consumes', contract);
      expect([none.status, none.body.code, none.challenge]).toEqual([401, 'step_up_required', challenge]);
      const two = await call('consumes', contract, { 'x-step-up-token': 'a.b.c, d.e.f' });
      expect([two.status, two.body.code, two.challenge]).toEqual([401, 'step_up_invalid', challenge]);
    });
  },
);
