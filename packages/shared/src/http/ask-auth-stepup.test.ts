import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { consumeStepUp, consumeStepUpList } from '@comanda/contracts/internal';
import { testCallerSecrets, testService } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import { noTraces } from '../tracing/tracer.ts';
import { askAuthStepup } from './ask-auth-stepup.ts';
import { createSignatureCheck, signatureHeader } from './service-signature.ts';

/** A request that the fake auth-stepup received, and the status of its response. */
type Question = { path: string; tokens: string[]; status: number };
type Body = { step_up_token: string; requests?: { step_up_token: string }[] };
/** The token for which the fake service waits with its response until `answerHeld` is called. */
const held = 'held';

/**
 * The limits of one release of auth-stepup. Every release checks the size in `bytes` before the signature, and the number of
 * `requests` after it.
 */
type Release = { bytes: number; requests: number };
const thisRelease: Release = { bytes: 128 * 1024, requests: 64 };
const firstRelease: Release = { bytes: 32 * 1024, requests: 32 };
/** Everything that Jest's fake timers replace except `setTimeout`: the network and `until` must wait in real time. */
const doNotFake = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
] as const;
const takesNothing: Release = { bytes: 0, requests: 0 };

describe('askAuthStepup', () => {
  const check = createSignatureCheck(testCallerSecrets);
  const server = createServer((req, res) => void receive(req, res));
  let release: Release;
  let questions: Question[];
  let answerHeld: () => void;
  let authStepup: ReturnType<typeof askAuthStepup>;

  async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = req;
    const sent = await buffer(req);
    const body = JSON.parse(sent.toString()) as Body;
    const tokens = (body.requests ?? [body]).map(({ step_up_token }) => step_up_token);
    const status = sent.length > release.bytes ? 413 : tokens.length > release.requests ? 400 : 200;
    questions.push({ path, tokens, status });
    const response = (): void => {
      const results = tokens.map((jti) => ({ status: 200, body: spent(jti) }));
      const content = Buffer.from(JSON.stringify(status !== 200 ? {} : body.requests ? { results } : results[0]?.body));
      const header = headers[signatureHeader.toLowerCase()] as string | undefined;
      const verified = check({ method, target: path, body: sent, header });
      if (status !== 413) res.setHeader(signatureHeader, verified?.sign({ status, body: content }) ?? '');
      res.writeHead(status).end(content);
    };
    if (tokens.includes(held)) answerHeld = response;
    else response();
  }
  const spent = (jti: string) => ({ jti, pin_version: 1, first: true, consent: 'signed' });
  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: [...doNotFake] });
    release = thisRelease;
    questions = [];
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    authStepup = askAuthStepup(url, { service: testService('transfers'), tracer: noTraces });
  });
  afterEach(async () => {
    jest.useRealTimers();
    authStepup.close();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const spend = async (token: string): Promise<string> => {
    const context = { requestId: randomUUID(), traceparent: '' };
    const call = { caller: { userId: 1 }, header: () => 'Bearer access', context };
    return (await authStepup({ step_up_token: token, endpoint_key: 'internal_transfer.create' }, call)).jti;
  };
  const untilHeld = (): Promise<unknown> => until(() => questions.length > 0, { what: 'the first question' });
  const lengths = (): [status: number, requests: number][] =>
    questions.map(({ status, tokens }) => [status, tokens.length]);
  const many = (count: number, length: number): string[] =>
    Array.from({ length: count }, (_, index) => String(index).padEnd(length, '-'));

  test('combines requests that arrive during a call into the next call, and gives each its own result', async () => {
    const first = spend(held);
    await untilHeld();
    const second = spend('b');
    await nextTurn();
    const others = [second, spend('c')];
    answerHeld();

    expect(await Promise.all([first, ...others])).toEqual([held, 'b', 'c']);
    expect(questions).toEqual([
      { path: consumeStepUp.path, tokens: [held], status: 200 },
      { path: consumeStepUpList.path, tokens: ['b', 'c'], status: 200 },
    ]);
  });

  test("doesn't make other requests wait while a call gets no response", async () => {
    const first = spend(held).catch(() => 'the time limit of the first');
    await untilHeld();

    const second = spend('b');
    await nextTurn();
    expect(questions).toHaveLength(1);
    jest.advanceTimersByTime(100);

    expect(await Promise.race([first, second])).toBe('b');
    answerHeld();
    await first;
  });

  test.each([
    ['64 requests', many(70, 20), [64, 6]],
    ['128 KB', many(40, 4000), [32, 8]],
  ])('sends another call if more requests are waiting than fit into one call (%s)', async (_what, tokens, asked) => {
    expect(await Promise.all(tokens.map(spend))).toEqual(tokens);
    expect(lengths()).toEqual(asked.map((length) => [200, length]));
  });

  test.each([
    [
      'many requests',
      many(40, 20),
      [
        [400, 40],
        [200, 32],
        [200, 8],
      ],
    ],
    [
      'large requests',
      many(40, 1000),
      [
        [413, 40],
        [200, 30],
        [200, 10],
      ],
    ],
    [
      'two requests that are too large together',
      [...many(1, 20_000), ...many(1, 15_000)],
      [
        [413, 2],
        [200, 1],
        [200, 1],
      ],
    ],
  ])('sends shorter lists to release 1.0.0 if a list contains %s', async (_what, tokens, asked) => {
    release = firstRelease;

    expect(await Promise.all(tokens.map(spend))).toEqual(tokens);
    expect(lengths()).toEqual(asked);
  });

  test('returns 503 if an unsigned response rejects a single request as too large', async () => {
    release = takesNothing;

    await expect(spend('a')).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
  });
});
