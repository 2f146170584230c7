import { randomUUID } from 'node:crypto';
import { noTraces } from '@comanda/shared/tracing/tracer';
import { Transform } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askAuthStepup } from '@comanda/shared/http/ask-auth-stepup';
import type { AskConsent } from '@comanda/shared/http/step-up';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf } from '@comanda/testing/call';
import { testService } from '@comanda/testing/test-secrets';
import { startTcpProxy } from '@comanda/testing/tcp-proxy';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { consume, resetKey, storePin, tokenFor, tokensFor, transferKey } from './support/pins.ts';

let auth: AuthStepupHarness;
let ana: TestUser;
let bia: TestUser;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
  [ana, bia] = [await auth.customer('Ana'), await auth.customer('Bia')];
  await Promise.all([storePin(auth, ana), storePin(auth, bia)]);
});
afterAll(() => auth.close());

const consumeList = (requests: readonly object[]) =>
  auth.call('POST', '/internal/step-up/consume-list', { body: { requests } });
const item = ({ token }: { token: string }, stepUpToken: string, endpointKey = transferKey) => ({
  access_token: token,
  step_up_token: stepUpToken,
  endpoint_key: endpointKey,
});

describe('a request with a list of tokens', () => {
  test('gets the same results as requests with single tokens', async () => {
    const [unspent, other, spent] = [await tokenFor(auth, ana), await tokenFor(auth, bia), await tokenFor(auth, ana)];
    await consume(auth, ana, { step_up_token: spent });
    const unsigned = `${bia.token.slice(0, -4)}AAAA`;

    const { status, body } = await consumeList([
      item(ana, unspent),
      item(ana, other),
      item(bia, other, resetKey),
      item(ana, spent),
      item({ token: unsigned }, other),
      item(bia, other),
      item(ana, 'a.b.c'),
    ]);

    expect(status).toBe(200);
    const { results } = body as { results: { status: number; body: { code?: string; first?: boolean } }[] };
    expect(results.map((each) => [each.status, each.body.code ?? each.body.first])).toEqual([
      [200, true],
      [401, 'step_up_invalid'],
      [401, 'step_up_wrong_endpoint'],
      [401, 'step_up_used'],
      [401, 'invalid_token'],
      [200, true],
      [401, 'step_up_invalid'],
    ]);
    expect(codeOf(await consume(auth, ana, { step_up_token: unspent }))).toBe('401 step_up_used');
  });

  test('spends a token only once, even if the list contains it 20 times', async () => {
    const token = await tokenFor(auth, ana);
    const { body } = await consumeList(Array.from({ length: 20 }, () => item(ana, token)));
    const codes = (body as { results: { body: { code?: string } }[] }).results.map((each) => each.body.code ?? 'spent');
    expect(codes.filter((code) => code === 'spent')).toHaveLength(1);
    expect(codes.filter((code) => code === 'step_up_used')).toHaveLength(19);
  });

  test('gets a result for each of 64 tokens', async () => {
    const token = await tokenFor(auth, bia);
    const { status, body } = await consumeList([
      ...Array.from({ length: 63 }, () => item(ana, token)),
      item(bia, token),
    ]);

    const { results } = body as { results: { status: number }[] };
    expect([status, results.map((each) => each.status)]).toEqual([
      200,
      [...Array.from({ length: 63 }, () => 401), 200],
    ]);
  });

  test.each([
    ['no requests', []],
    ['more than 64 requests', Array.from({ length: 65 }, () => item({ token: 'a.b.c' }, 'a.b.c'))],
  ])('is rejected if it contains %s', async (_what, requests) => {
    expect(codeOf(await consumeList(requests))).toBe('400 validation_failed');
  });

  test('is rejected with a 413 (too large) if it exceeds 128 KB', async () => {
    const token = await tokenFor(auth, ana);
    const padded = { ...item(ana, token), of_a_newer_release: 'a'.repeat(128 * 1024) };
    const refused = await consumeList([padded]);

    expect([codeOf(refused), refused.body.detail]).toEqual([
      '413 body_too_large',
      'The body is larger than the limit of 128 KB.',
    ]);
    expect((await consume(auth, ana, { step_up_token: token })).status).toBe(200);
  });
});

describe('a service that spends tokens', () => {
  const service = testService('transfers');
  /** Spends all `tokens` at the same time and returns the result for each. */
  const askForAll = async (ask: AskConsent, who: TestUser, tokens: readonly string[]): Promise<string[]> =>
    Promise.all(
      tokens.map((token) =>
        ask(
          { step_up_token: token, endpoint_key: transferKey },
          {
            caller: { userId: who.id },
            header: (name) => (name === 'authorization' ? `Bearer ${who.token}` : undefined),
            context: { requestId: randomUUID(), traceparent: '' },
          },
        ).then(
          ({ first }) => (first ? 'spent' : 'spent before'),
          (error: { code: string }) => error.code,
        ),
      ),
    );
  const questions = async (): Promise<number> => {
    const text = await (await fetch(`${auth.url}/metrics`)).text();
    const lines = text.split('\n').filter((line) => /^\S+_count\{.*step-up\/consume/.test(line));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };

  test('combines 70 waiting requests into a few calls', async () => {
    const tokens = await tokensFor(auth, ana, 68);
    const ask = askAuthStepup(auth.url, { service, tracer: noTraces });
    const before = await questions();
    try {
      const got = await askForAll(ask, ana, [...tokens, 'a.b.c', tokens[0] ?? '']);

      expect(got.slice(1, 69)).toEqual([...Array.from({ length: 67 }, () => 'spent'), 'step_up_invalid']);
      expect(new Set([got[0], got[69]])).toEqual(new Set(['spent', 'step_up_used']));
      const asked = (await questions()) - before;
      expect(asked).toBeGreaterThan(1);
      expect(asked).toBeLessThan(10);
    } finally {
      ask.close();
    }
  });

  test('sends each request separately if the whole list is rejected', async () => {
    const tokens = await tokensFor(auth, bia, 5);
    const ask = askAuthStepup(auth.url, { service, tracer: noTraces });
    try {
      const [spent, tooLong] = await Promise.all([
        askForAll(ask, bia, [...tokens, 'a.b.c']),
        askForAll(ask, { ...bia, token: 'a'.repeat(8193) }, ['a.b.c']),
      ]);

      expect(spent).toEqual([...Array.from({ length: 5 }, () => 'spent'), 'step_up_invalid']);
      expect(tooLong).toEqual(['invalid_token']);
    } finally {
      ask.close();
    }
  });

  test.each([
    ['the request', { way: 'fromClient', from: 'endpoint_key', to: 'endpoint_kez' }],
    ['the response', { way: 'fromServer', from: '"first":true', to: '"first":null' }],
    ['an error', { way: 'fromServer', from: 'step_up_invalid', to: 'step_up_expired' }],
  ] as const)('gets a 503 if an attacker on the network changes %s', async (_what, { way, from, to }) => {
    const rename = () =>
      new Transform({
        transform: (chunk: Buffer, _encoding, done) =>
          done(null, Buffer.from(chunk.toString('latin1').replace(from, to), 'latin1')),
      });
    const proxy = await startTcpProxy(auth.url, { [way]: rename });
    const ask = askAuthStepup(proxy.url, { service, tracer: noTraces });
    try {
      const token = from === 'step_up_invalid' ? 'a.b.c' : await tokenFor(auth, bia);
      expect(await askForAll(ask, bia, [token])).toEqual(['service_unavailable']);
    } finally {
      ask.close();
      await proxy.close();
    }
  });

  test('gets a 503 with a wrong secret', async () => {
    const token = await tokenFor(auth, bia);
    const stranger = askAuthStepup(auth.url, {
      service: { name: 'transfers', secret: testService('notifier').secret },
      tracer: noTraces,
    });
    const ask = askAuthStepup(auth.url, { service, tracer: noTraces });
    try {
      expect(await askForAll(stranger, bia, [token])).toEqual(['service_unavailable']);
      expect(await askForAll(ask, bia, [token])).toEqual(['spent']);
    } finally {
      stranger.close();
      ask.close();
    }
  });
});
