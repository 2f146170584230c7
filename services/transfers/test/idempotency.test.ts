import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSharedTestClock } from '@comanda/testing/test-clock';
import { caller, codeOf, type Called } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import {
  depositKey,
  newKey,
  send,
  startTransfersHarness,
  transferKey,
  type TransfersHarness,
  type SignedInUser,
} from './support/harness.ts';

const clock = createSharedTestClock();
let harness: TransfersHarness;
let other: { url: string };
let ana: SignedInUser;
let from: number;
let to: number;
beforeAll(async () => {
  harness = await startTransfersHarness('idempotency', { clock });
  other = await harness.startInstance();
  ana = await harness.customer('Ana');
  const rui = await harness.customer('Rui');
  [from, to] = [(await harness.openAccount(ana)).id, (await harness.openAccount(rui)).id];
  await harness.deposit(from, '100000.00');
});
afterAll(async () => {
  await harness.close();
  clock.close();
});

const newToken = (): Promise<string> => harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
/** Signs Ana in again, because the test's clock has passed the expiry of her access token. */
async function anaSignedInAgain(): Promise<SignedInUser> {
  const { token } = await harness.auth.newSession(ana);
  return { id: ana.id, token, call: caller(harness.url, { token }) };
}
/** Sends all requests at the same time, alternating between the two instances. */
const sendAtOnce = (requests: readonly Omit<Parameters<typeof send>[2], 'from' | 'to'>[]): Promise<Called[]> =>
  Promise.all(
    requests.map((request, index) => {
      const user = { ...ana, call: patient(caller(index % 2 === 0 ? harness.url : other.url, ana)) };
      return send(user, harness.issueStepUpToken, { from, to, ...request });
    }),
  );
/** Runs `work`. Returns the amount that Rui's account receives in the meantime, in reais. */
async function received(work: () => Promise<unknown>): Promise<number> {
  const before = Number(await harness.balance(to));
  await work();
  return Number(await harness.balance(to)) - before;
}

describe('a request with an idempotency key', () => {
  test('gets the same response again without a token', async () => {
    const key = newKey();
    const first = await harness.send(ana, { from, to, amount: '10.00', key });
    const body = { from_account_id: from, to_account_id: to, amount: '10.00' };
    const repeat = (url: string) =>
      caller(url, ana)('POST', '/accounts/internal-transfers', { body, headers: { 'idempotency-key': key } });

    const repeated: Called[] = [];
    const amount = await received(async () => repeated.push(await repeat(harness.url), await repeat(other.url)));

    const seen = ({ status, body: response, headers }: Called) => ({
      status,
      response,
      location: headers.get('location'),
      replayed: headers.get('idempotent-replayed'),
    });
    expect(seen(first)).toMatchObject({ status: 201, replayed: null });
    expect(repeated.map(seen)).toEqual(repeated.map(() => ({ ...seen(first), replayed: 'true' })));
    expect(amount).toBe(0);
  });

  test('gets a 422 if another body has used the idempotency key', async () => {
    const key = newKey();
    await harness.send(ana, { from, to, amount: '1.00', key });

    const response = await harness.send(ana, { from, to, amount: '1.01', key, token: 'nonsense' });

    expect(codeOf(response)).toBe('422 idempotency_key_reused');
  });

  test("is independent of other users' requests with the same key", async () => {
    const key = newKey();
    await harness.send(ana, { from, to, amount: '1.00', key });
    const deposit = async (account: number): Promise<Called> => {
      const token = await harness.issueStepUpToken({ userId: harness.manager.id, endpointKey: depositKey });
      const headers = { 'x-step-up-token': token, 'idempotency-key': key };
      return harness.manager.call('POST', `/accounts/${account}/deposits`, { body: { amount: '1' }, headers });
    };

    const otherUser = await deposit(from);
    const otherPath = await deposit(to);

    expect([otherUser, otherPath].map(codeOf)).toEqual(['201', '422 idempotency_key_reused']);
  });

  test('is posted only once if it is sent 20 times at the same time', async () => {
    const request = { amount: '7.00', key: newKey(), token: await newToken() };

    let responses: Called[] = [];
    const amount = await received(async () => {
      responses = await sendAtOnce(Array.from({ length: 20 }, () => request));
    });

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(amount).toBe(7);
  });

  test('is posted only once even if it is sent with several tokens at the same time', async () => {
    const key = newKey();
    const tokens = await Promise.all(Array.from({ length: 3 }, newToken));

    let responses: Called[] = [];
    const amount = await received(async () => {
      responses = await sendAtOnce(tokens.map((token) => ({ amount: '3.00', key, token })));
    });

    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(amount).toBe(3);
  });

  test('gets a 401 if it reuses a token with another idempotency key', async () => {
    const token = await newToken();
    const first = await harness.send(ana, { from, to, amount: '1', key: newKey(), token });

    const otherKey = await harness.send(ana, { from, to, amount: '1', key: newKey(), token });
    const noKey = await harness.send(ana, { from, to, amount: '1', token });

    expect([first, otherKey, noKey].map(codeOf)).toEqual(['201', '401 step_up_used', '401 step_up_used']);
  });
});

describe('a spent token that Redis has lost', () => {
  test.each([
    ['without an idempotency key', () => ({})],
    ['with another idempotency key', () => ({ key: newKey() })],
  ])('is rejected by the journal if it is sent again %s', async (_what, more) => {
    const token = await newToken();
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
    const first = await harness.send(ana, { from, to, amount: '2.00', token });
    await harness.auth.unspendStepUpToken({ userId: ana.id, jti });

    const responses: Called[] = [];
    const amount = await received(async () =>
      responses.push(await harness.send(ana, { from, to, amount: '2.00', token, ...more() })),
    );

    expect([first, ...responses].map(codeOf)).toEqual(['201', '401 step_up_used']);
    expect(amount).toBe(0);
  });
});

describe('an expired token', () => {
  test('causes a 409 for 10 s while the outcome of its request is unknown', async () => {
    const before = await harness.balance(to);
    const request = { from, to, amount: '5.00', key: newKey(), token: await newToken() };
    const sendAfter = async (ms: number): Promise<Called> => {
      clock.advance({ ms });
      return harness.send(await anaSignedInAgain(), request);
    };

    const responses = [await sendAfter(121_000), await sendAfter(8000), await sendAfter(1500)];

    expect(responses.map(codeOf)).toEqual([
      '409 request_in_progress',
      '409 request_in_progress',
      '401 step_up_expired',
    ]);
    expect(responses[0]?.headers.get('retry-after')).toBe('1');
    expect(responses[2]?.headers.get('www-authenticate')).toContain('insufficient_user_authentication');
    expect(await harness.balance(to)).toBe(before);
  });

  test('can be replaced by a new token for the same request', async () => {
    const request = { from, to, amount: '5.00', key: newKey(), token: await newToken() };
    clock.advance({ ms: 131_000 });
    const user = await anaSignedInAgain();
    const refused = await harness.send(user, request);

    const response = await harness.send(user, { ...request, token: await newToken() });

    expect([refused, response].map(codeOf)).toEqual(['401 step_up_expired', '201']);
  });

  test('counts as used if it was spent before', async () => {
    const request = { from, to, amount: '5.00', token: await newToken() };
    const first = await harness.send(await anaSignedInAgain(), request);
    clock.advance({ ms: 121_000 });

    const second = await harness.send(await anaSignedInAgain(), request);

    expect([first, second].map(codeOf)).toEqual(['201', '401 step_up_used']);
  });

  test('causes a 401 immediately for a request without an idempotency key', async () => {
    const token = await newToken();
    clock.advance({ ms: 125_000 });

    const response = await harness.send(await anaSignedInAgain(), { from, to, amount: '5.00', token });

    expect(codeOf(response)).toBe('401 step_up_expired');
  });

  test("doesn't prevent a posted request's response from being repeated", async () => {
    const request = { from, to, amount: '5.00', key: newKey(), token: await newToken() };
    const first = await harness.send(await anaSignedInAgain(), request);
    clock.advance({ ms: 125_000 });

    const again = await harness.send(await anaSignedInAgain(), request);

    expect(first.status).toBe(201);
    expect(again.body).toEqual(first.body);
  });
});
