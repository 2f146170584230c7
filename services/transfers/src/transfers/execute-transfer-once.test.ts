import { describe, expect, test } from '@jest/globals';
import { Problem } from '@comanda/contracts/problem';
import { transferMoney } from '@comanda/contracts/transfers';
import type { Consent, SensitiveCall } from '@comanda/shared/http/step-up';
import { createKeyedMutex } from '@comanda/shared/runtime/keyed-mutex';
import type { AccountFacts } from '../accounts/account.ts';
import { checkAccounts, type TransferRequest } from './check-accounts.ts';
import { executeTransferOnce, type ExecuteTransferOnceDeps } from './execute-transfer-once.ts';
import type { Posting } from './post-batch.ts';

const account = (id: number, ownerId: number): AccountFacts => ({
  id,
  name: null,
  ownerId,
  ownerName: 'Ana',
  currency: 'BRL',
  createdAt: new Date(0),
});
const accounts = new Map([account(1, 7), account(2, 8)].map((each) => [each.id, each]));
const request = (toId = 2): TransferRequest => ({
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
  route: { method: 'POST', path: '/accounts/internal-transfers', stepUp: transferMoney.stepUp },
  idempotency: key === undefined ? null : { key, fingerprint: key },
  header: () => stepUpToken,
  context: { requestId: 'r', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
});

const notExpected = (): Promise<never> => Promise.reject(new Error('not expected'));
/** The use case with a posting that the test ends, and a record of the steps that cost something. */
function openUseCase(overrides: Partial<ExecuteTransferOnceDeps> = {}) {
  const posting = Promise.withResolvers<Posting>();
  const steps: string[] = [];
  const deps: ExecuteTransferOnceDeps = {
    keyLocks: createKeyedMutex(),
    journal: { insertExpired: notExpected },
    clock: Date.now,
    findRowByKey: () => Promise.resolve(null),
    ledger: {
      reserve: () => {
        steps.push('reserve');
        return {
          submit: () => {
            steps.push('submit');
            return posting.promise;
          },
          release: () => void steps.push('release'),
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
  const directory = { find: (id: number) => Promise.resolve(accounts.get(id) ?? null) };
  const checking = { directory, accounts: { getCashAccount: notExpected }, clock: Date.now };
  const execute = (key: string | undefined, toId?: number) => {
    const check = () => checkAccounts(checking, { userId: 7, request: request(toId) });
    return executeTransferOnce(deps, { call: call(key), steps: { check } });
  };
  return { execute, steps, posting };
}
const problemOf = (attempt: Promise<unknown>): Promise<Problem> =>
  attempt.then(
    () => {
      throw new Error('no problem');
    },
    (error: unknown) => error as Problem,
  );

describe('executeTransferOnce', () => {
  test('when the posting outlasts the answer, then the key stays locked until the posting has ended', async () => {
    const { execute, steps, posting } = openUseCase();

    const [first, second] = await Promise.all([problemOf(execute('lunch')), problemOf(execute('lunch'))]);
    posting.reject(new Error('the database went down'));
    const third = await problemOf(execute('lunch'));

    expect(first).toMatchObject({ code: 'service_unavailable', members: { outcome: 'unknown' } });
    expect(second).toMatchObject({ code: 'request_in_progress', headers: { 'Retry-After': '1' } });
    expect(third.message).toBe('the database went down');
    expect(steps.filter((step) => step === 'submit')).toHaveLength(2);
  });

  test('when the database does not answer about an expired token, then the caller is answered all the same', async () => {
    const { execute, posting } = openUseCase({
      journal: { insertExpired: () => new Promise(() => undefined) },
    });
    posting.resolve('too_late');

    const answer = await problemOf(execute(undefined));

    expect(answer).toMatchObject({ code: 'service_unavailable', members: { outcome: 'unknown' } });
  });

  test('when a request is being posted, then requests with another key do not wait for it', async () => {
    const { execute, steps, posting } = openUseCase();

    const attempts = [problemOf(execute('lunch')), problemOf(execute('dinner')), problemOf(execute(undefined))];
    while (steps.filter((step) => step === 'submit').length < 3) await new Promise(setImmediate);
    posting.reject(new Error('refused'));

    expect((await Promise.all(attempts)).map(({ message }) => message)).toEqual(['refused', 'refused', 'refused']);
  });

  test('when the accounts do not allow the transfer, then no slot is reserved and no token is spent', async () => {
    const { execute, steps } = openUseCase();

    const refused = await problemOf(execute('lunch', 999));

    expect(refused.code).toBe('account_not_found');
    expect(steps).toEqual([]);
  });

  test('when the token is refused, then the slot is given back', async () => {
    const { execute, steps } = openUseCase({ consume: () => Promise.reject(new Error('refused')) });

    await problemOf(execute('lunch'));

    expect(steps).toEqual(['reserve', 'release']);
  });
});
