import { randomUUID } from 'node:crypto';
import { Transform } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askAuthStepup } from '@comanda/shared/http/ask-auth-stepup';
import type { AskConsent } from '@comanda/shared/http/step-up';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf } from '@comanda/testing/call';
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

describe('a list', () => {
  test('when it has requests of several users, then each gets the answer that it would get alone', async () => {
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

  test('when one token is in it 20 times, then exactly one request gets it', async () => {
    const token = await tokenFor(auth, ana);
    const { body } = await consumeList(Array.from({ length: 20 }, () => item(ana, token)));
    const codes = (body as { results: { body: { code?: string } }[] }).results.map((each) => each.body.code ?? 'spent');
    expect(codes.filter((code) => code === 'spent')).toHaveLength(1);
    expect(codes.filter((code) => code === 'step_up_used')).toHaveLength(19);
  });

  test.each([
    ['no request', []],
    ['more than 32', Array.from({ length: 33 }, () => item({ token: 'a.b.c' }, 'a.b.c'))],
  ])('when it has %s, then 400', async (_what, requests) => {
    expect(codeOf(await consumeList(requests))).toBe('400 validation_failed');
  });
});

describe('a service that asks', () => {
  /** What each of `tokens` gets, asked for at once. */
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

  test('when 40 requests wait at once, then few questions are asked, and each request gets its own answer', async () => {
    const tokens = await tokensFor(auth, ana, 38);
    const ask = askAuthStepup(auth.url);
    const before = await questions();
    try {
      const got = await askForAll(ask, ana, [...tokens, 'a.b.c', tokens[0] ?? '']);

      expect(got.slice(1, 39)).toEqual([...Array.from({ length: 37 }, () => 'spent'), 'step_up_invalid']);
      expect(new Set([got[0], got[39]])).toEqual(new Set(['spent', 'step_up_used']));
      const asked = (await questions()) - before;
      expect(asked).toBeGreaterThan(1);
      expect(asked).toBeLessThan(10);
    } finally {
      ask.close();
    }
  });

  test.each([
    ['auth-stepup is older and knows no lists', '/consume-list', '/consume-none'],
    ['the list is refused as a whole', '{"requests"', '{"requestz"'],
  ])('when %s, then each request is asked for alone', async (_why, sent, received) => {
    const rename = () =>
      new Transform({
        transform: (chunk: Buffer, _encoding, done) =>
          done(null, Buffer.from(chunk.toString('latin1').replace(sent, received), 'latin1')),
      });
    const older = await startTcpProxy(auth.url, { fromClient: rename });
    const ask = askAuthStepup(older.url);
    try {
      const tokens = await tokensFor(auth, bia, 5);
      expect(await askForAll(ask, bia, [...tokens, 'a.b.c'])).toEqual([
        ...Array.from({ length: 5 }, () => 'spent'),
        'step_up_invalid',
      ]);
    } finally {
      ask.close();
      await older.close();
    }
  });
});
