import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSharedTestClock } from '@comanda/testing/test-clock';
import { caller, codeOf } from '@comanda/testing/call';
import { depositKey, newKey, send, startTransfersHarness, transferKey } from './support/harness.ts';
import type { TransfersHarness, SignedInUser } from './support/harness.ts';

const clock = createSharedTestClock();
let harness: TransfersHarness;
let elsewhere: { url: string };
let ana: SignedInUser;
let anas: number;
let ruis: number;
beforeAll(async () => {
  harness = await startTransfersHarness('idempotency', { clock });
  elsewhere = await harness.startInstance();
  ana = await harness.customer('Ana');
  const rui = await harness.customer('Rui');
  [anas, ruis] = [(await harness.openAccount(ana)).id, (await harness.openAccount(rui)).id];
  await harness.deposit(anas, '100000.00');
}, 30_000);
afterAll(async () => {
  await harness.close();
  clock.close();
});

const consent = (): Promise<string> => harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
/** Ana's access token runs out with the test's clock as well. */
const signedInAgain = async (): Promise<SignedInUser> => {
  const { token } = await harness.auth.newSession(ana);
  return { id: ana.id, token, call: caller(harness.url, { token }) };
};

describe('a call with an idempotency key', () => {
  test('when it is repeated, here or at another instance, without its token, then it is answered as the first time', async () => {
    const before = await harness.balance(ruis);
    const what = { from: anas, to: ruis, amount: '10.00', key: newKey() };
    const first = await harness.send(ana, what);
    const body = { from_account_id: anas, to_account_id: ruis, amount: '10.00' };
    const headers = { 'idempotency-key': what.key };
    for (const url of [harness.url, elsewhere.url]) {
      const again = await caller(url, ana)('POST', '/accounts/internal-transfers', { body, headers });
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
    }
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(Number(await harness.balance(ruis)) - Number(before)).toBe(10);
  });

  test('when the key comes with another body or path, then 422 before any token is looked at', async () => {
    const key = newKey();
    const first = await harness.send(ana, { from: anas, to: ruis, amount: '1.00', key });
    expect(first.status).toBe(201);
    const other = await harness.send(ana, { from: anas, to: ruis, amount: '1.01', key, token: 'nonsense' });
    expect(codeOf(other)).toBe('422 idempotency_key_reused');
    const deposit = (account: number, key_: string) =>
      harness.issueStepUpToken({ userId: harness.manager.id, endpointKey: depositKey }).then((token) =>
        harness.manager.call('POST', `/accounts/${account}/deposits`, {
          body: { amount: '1' },
          headers: { 'x-step-up-token': token, 'idempotency-key': key_ },
        }),
      );
    expect((await deposit(anas, key)).status).toBe(201); // another user's key is another key
    expect(codeOf(await deposit(ruis, key))).toBe('422 idempotency_key_reused');
  });

  test('when it comes 20 times at once, at two instances, with one token, then there is one posting and one answer', async () => {
    const before = Number(await harness.balance(ruis));
    const [key, token] = [newKey(), await consent()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const who = { ...ana, call: caller(index % 2 === 0 ? harness.url : elsewhere.url, ana) };
        return send(who, harness.issueStepUpToken, { from: anas, to: ruis, amount: '7.00', key, token });
      }),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(Number(await harness.balance(ruis)) - before).toBe(7);
  });

  test('when the same key comes with several tokens at once, then one of them has an effect', async () => {
    const before = Number(await harness.balance(ruis));
    const key = newKey();
    const tokens = await Promise.all(Array.from({ length: 3 }, consent));
    const answers = await Promise.all(
      tokens.map((token, index) => {
        const who = { ...ana, call: caller(index % 2 === 0 ? harness.url : elsewhere.url, ana) };
        return send(who, harness.issueStepUpToken, { from: anas, to: ruis, amount: '3.00', key, token });
      }),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(Number(await harness.balance(ruis)) - before).toBe(3);
  });

  test('when its token was bound to it, then the token serves no other call', async () => {
    const token = await consent();
    const [first, other] = [newKey(), newKey()];
    expect((await harness.send(ana, { from: anas, to: ruis, amount: '1', key: first, token })).status).toBe(201);
    expect(codeOf(await harness.send(ana, { from: anas, to: ruis, amount: '1', key: other, token }))).toBe(
      '401 step_up_used',
    );
    expect(codeOf(await harness.send(ana, { from: anas, to: ruis, amount: '1', token }))).toBe('401 step_up_used');
  });
});

describe('a token that Redis has forgotten to be spent', () => {
  test('when it comes again, with another key or none, then the journal refuses it', async () => {
    const before = Number(await harness.balance(ruis));
    const token = await consent();
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
    const unspend = () => harness.auth.unspendStepUpToken({ userId: ana.id, jti });
    expect((await harness.send(ana, { from: anas, to: ruis, amount: '2.00', token })).status).toBe(201);
    await unspend();
    expect(codeOf(await harness.send(ana, { from: anas, to: ruis, amount: '2.00', token }))).toBe('401 step_up_used');
    await unspend();
    const keyed = { from: anas, to: ruis, amount: '2.00', token, key: newKey() };
    expect(codeOf(await harness.send(ana, keyed))).toBe('401 step_up_used');
    expect(Number(await harness.balance(ruis)) - before).toBe(2);
  });
});

describe('a token that has ended', () => {
  test('when a call with a key is undecided then, then 409 until 10 s later, and 401 from then on', async () => {
    const before = await harness.balance(ruis);
    const what = { from: anas, to: ruis, amount: '5.00', key: newKey(), token: await consent() };
    clock.advance({ ms: 121_000 });
    const undecided = await harness.send(await signedInAgain(), what);
    expect([codeOf(undecided), undecided.headers.get('retry-after')]).toEqual(['409 request_in_progress', '1']);
    clock.advance({ ms: 8000 });
    expect(codeOf(await harness.send(await signedInAgain(), what))).toBe('409 request_in_progress');
    clock.advance({ ms: 1500 });
    const after = await harness.send(await signedInAgain(), what);
    expect([codeOf(after), after.headers.get('www-authenticate')]).toEqual([
      '401 step_up_expired',
      expect.stringContaining('insufficient_user_authentication'),
    ]);
    expect(await harness.balance(ruis)).toBe(before);
    // With a new consent the same call is as good as ever.
    const token = await consent();
    expect((await harness.send(await signedInAgain(), { ...what, token })).status).toBe(201);
  });

  test('when the call without a key was posted before, then it is used, not expired', async () => {
    const token = await consent();
    const what = { from: anas, to: ruis, amount: '5.00', token };
    expect((await harness.send(await signedInAgain(), what)).status).toBe(201);
    clock.advance({ ms: 121_000 });
    expect(codeOf(await harness.send(await signedInAgain(), what))).toBe('401 step_up_used');
  });

  test('when a call without a key comes with it, then 401 at once; a call that was posted is answered', async () => {
    const [late, posted] = [await consent(), await consent()];
    const what = { from: anas, to: ruis, amount: '5.00', key: newKey(), token: posted };
    const first = await harness.send(await signedInAgain(), what);
    clock.advance({ ms: 125_000 });
    const who = await signedInAgain();
    expect(codeOf(await harness.send(who, { from: anas, to: ruis, amount: '5.00', token: late }))).toBe(
      '401 step_up_expired',
    );
    expect((await harness.send(who, what)).body).toEqual(first.body);
  });
});
