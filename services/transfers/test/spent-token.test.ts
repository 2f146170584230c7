import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSharedTestClock } from '@comanda/testing/test-clock';
import { caller, codeOf } from '@comanda/testing/call';
import { holdDocument, type HeldDocument } from '@comanda/testing/hold-document';
import { until } from '@comanda/testing/until';
import {
  newKey,
  startTransfersHarness,
  transferKey,
  type SignedInUser,
  type TransfersHarness,
} from './support/harness.ts';
import { twoAccounts } from './support/outage.ts';

const clock = createSharedTestClock();
let harness: TransfersHarness;
beforeAll(async () => {
  harness = await startTransfersHarness('spent-token', { clock, responseTimeLimitMs: 1800 });
});
afterAll(async () => {
  await harness.close();
  clock.close();
});

/** Locks an account, as a transaction does after it has written to the account. */
const hold = (account: number): Promise<HeldDocument> =>
  holdDocument(harness.db, {
    collection: 'accounts',
    filter: { _id: account },
    change: { $inc: { seq: 0, held: 1 } },
  });
const newToken = ({ id }: SignedInUser): Promise<string> =>
  harness.issueStepUpToken({ userId: id, endpointKey: transferKey });

test.each([
  ['without an idempotency key', () => ({}), '401 step_up_used'],
  ['with an idempotency key', () => ({ key: newKey() }), '201'],
])('a transfer %s gets a 503 while its account is busy, and is posted afterwards', async (_what, more, again) => {
  const { ana, from, to } = await twoAccounts(harness);
  const request = { from, to, amount: '1.00', token: await newToken(ana), ...more() };
  const held = await hold(from);

  const busy = await harness.send(ana, request);
  const whileBusy = await harness.balance(to);
  await held.abort();
  await until(async () => (await harness.balance(to)) === '1.00', { what: 'the transfer to be posted' });
  const repeated = await harness.send(ana, request);

  expect(busy).toMatchObject({ status: 503, body: { code: 'service_unavailable', outcome: 'unknown' } });
  expect(whileBusy).toBe('0.00');
  expect(codeOf(repeated)).toBe(again);
  expect(await harness.balance(to)).toBe('1.00');
});

test("a token that expires while its account is busy doesn't move money", async () => {
  const { ana, from, to } = await twoAccounts(harness);
  const request = { from, to, amount: '1.00', token: await newToken(ana) };
  const held = await hold(from);

  const busy = await harness.send(ana, request);
  clock.advance({ ms: 121_000 });
  const { token } = await harness.auth.newSession(ana);
  const after = await harness.send({ ...ana, token, call: caller(harness.url, { token }) }, request);
  await held.abort();
  const next = await harness.send(
    { ...ana, token, call: caller(harness.url, { token }) },
    { from, to, amount: '2.00' },
  );

  expect(codeOf(busy)).toBe('503 service_unavailable');
  expect(codeOf(after)).toBe('401 step_up_expired');
  expect(next.status).toBe(201);
  expect(await harness.balance(to)).toBe('2.00');
});
