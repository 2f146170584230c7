import { describe, expect, test } from '@jest/globals';
import { Problem } from '@comanda/contracts/problem';
import { transferMoney as contract } from '@comanda/contracts/transfers';
import type { Consent, SensitiveCall } from '@comanda/shared/http/step-up';
import { createKeyedMutex } from '@comanda/shared/runtime/keyed-mutex';
import type { AccountFacts } from '../accounts/account.ts';
import { requestInProgress } from './idempotency.ts';
import type { Posting } from './post-batch.ts';
import { replyInTime } from './reply.ts';
import { transferMoney, type InternalTransfer, type TransferMoneyDeps } from './transfer-money.ts';

const account = (id: number, ownerId: number): AccountFacts => ({
  id,
  name: null,
  ownerId,
  ownerName: 'Ana',
  currency: 'BRL',
  createdAt: new Date(0),
});
const accounts = new Map([account(1, 7), account(2, 8)].map((each) => [each.id, each]));
const request = (toId = 2): InternalTransfer => ({
  kind: 'internal_transfer',
  fromId: 1,
  toId,
  amountMinor: 100n,
  currency: undefined,
  description: null,
});
const stepUpToken = `e30.${Buffer.from(JSON.stringify({ jti: 't', exp: 2 ** 32 })).toString('base64url')}.c2ln`;
const call = (key: string | undefined): SensitiveCall => ({
  caller: { userId: 7 },
  params: {},
  query: {},
  body: { from_account_id: 1, to_account_id: 2, amount: '1.00' },
  route: { method: 'POST', path: '/accounts/internal-transfers', stepUp: contract.stepUp },
  idempotency: key === undefined ? null : { key, fingerprint: key },
  header: () => stepUpToken,
  context: { requestId: 'r', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
});

const notExpected = (): Promise<never> => Promise.reject(new Error('not expected'));
/**
 * Creates the use case with a posting that ends when the test ends it. Records each step: reserving and freeing a slot, spending
 * the token, and posting.
 */
function openUseCase(overrides: Partial<TransferMoneyDeps> = {}) {
  const posting = Promise.withResolvers<Posting>();
  const steps: string[] = [];
  const deps: TransferMoneyDeps = {
    directory: { find: (id) => Promise.resolve(accounts.get(id) ?? null) },
    keyLocks: createKeyedMutex({ onTimeout: requestInProgress }),
    journal: { insertExpired: notExpected },
    clock: Date.now,
    findRowByKey: () => Promise.resolve(null),
    ledger: {
      reserve: async () => {
        steps.push('reserve');
        return {
          post: () => {
            steps.push('post');
            return posting.promise;
          },
          [Symbol.dispose]: () => void steps.push('free'),
        };
      },
    },
    consume: () => {
      steps.push('spend');
      return Promise.resolve({ jti: 't', pinVersion: 1, first: true, jws: '' } as Consent);
    },
    responseTimeLimitMs: 1800,
    ...overrides,
  };
  const execute = (key: string | undefined, toId?: number) =>
    replyInTime(transferMoney(deps, { call: call(key), request: request(toId) }), deps.responseTimeLimitMs);
  return { execute, steps, posting };
}
const problemOf = (attempt: Promise<unknown>): Promise<Problem> =>
  attempt.then(
    () => {
      throw new Error('no problem');
    },
    (error: unknown) => error as Problem,
  );

describe('transferMoney', () => {
  test('keeps the key locked until the posting has ended, even after the caller got a response', async () => {
    const { execute, steps, posting } = openUseCase();

    const [first, second] = await Promise.all([problemOf(execute('lunch')), problemOf(execute('lunch'))]);
    posting.reject(new Error('the database went down'));
    const third = await problemOf(execute('lunch'));

    expect(first).toMatchObject({ code: 'service_unavailable', members: { outcome: 'unknown' } });
    expect(second).toMatchObject({ code: 'request_in_progress', headers: { 'Retry-After': '1' } });
    expect(third.message).toBe('the database went down');
    expect(steps.filter((step) => step === 'post')).toHaveLength(2);
  });

  test("responds to the caller even if the database doesn't respond about an expired token", async () => {
    const { execute, posting } = openUseCase({
      journal: { insertExpired: () => new Promise(() => undefined) },
    });
    posting.resolve('too_late');

    const response = await problemOf(execute(undefined));

    expect(response).toMatchObject({ code: 'service_unavailable', members: { outcome: 'unknown' } });
  });

  test("doesn't delay requests with another key while a request is being posted", async () => {
    const { execute, steps, posting } = openUseCase();

    const attempts = [problemOf(execute('lunch')), problemOf(execute('dinner')), problemOf(execute(undefined))];
    while (steps.filter((step) => step === 'post').length < 3) await new Promise(setImmediate);
    posting.reject(new Error('refused'));

    expect((await Promise.all(attempts)).map(({ message }) => message)).toEqual(['refused', 'refused', 'refused']);
  });

  test("reserves no slot and spends no token if the accounts don't allow the transfer", async () => {
    const { execute, steps } = openUseCase();

    const rejected = await problemOf(execute('lunch', 999));

    expect(rejected.code).toBe('account_not_found');
    expect(steps).toEqual([]);
  });

  test('frees the slot if the token is rejected', async () => {
    const { execute, steps } = openUseCase({ consume: () => Promise.reject(new Error('rejected')) });

    await problemOf(execute('lunch'));

    expect(steps).toEqual(['reserve', 'free']);
  });
});
