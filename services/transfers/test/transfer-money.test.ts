import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { depositKey, newKey, startTransfersHarness, transferKey } from './support/harness.ts';
import type { TransfersHarness, SignedInUser } from './support/harness.ts';

let harness: TransfersHarness;
let ana: SignedInUser;
let rui: SignedInUser;
let anas: number;
let ruis: number;
beforeAll(async () => {
  harness = await startTransfersHarness('transfer-money');
  [ana, rui] = [await harness.customer('Ana'), await harness.customer('Rui')];
  [anas, ruis] = [(await harness.openAccount(ana, { name: 'Ana' })).id, (await harness.openAccount(rui)).id];
  await harness.deposit(anas, '1000.00');
}, 30_000);
afterAll(() => harness.close());

describe('a transfer', () => {
  test('when it is consented to, then it is posted: both balances, both statements, its own page', async () => {
    const [from, to] = [(await harness.openAccount(ana)).id, (await harness.openAccount(rui)).id];
    await harness.deposit(from, '1000');
    const answer = await harness.send(ana, { from, to, amount: '12.5', more: { description: 'Lunch' } });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        from_account_id: from,
        to_account_id: to,
        amount: '12.50',
        currency: 'BRL',
        description: 'Lunch',
        status: 'posted',
      },
    });
    expect([await harness.balance(from), await harness.balance(to)]).toEqual(['987.50', '12.50']);
    const path = answer.headers.get('location') ?? '';
    expect(path).toBe(`/accounts/internal-transfers/${answer.body.id}`);
    for (const who of [ana, rui, harness.manager]) expect((await who.call('GET', path)).body).toEqual(answer.body);
    const stranger = await harness.customer('Eva');
    expect(codeOf(await stranger.call('GET', path))).toBe('404 not_found');
    const [entry] = (await rui.call('GET', `/accounts/${to}/entries`)).body;
    expect(entry).toMatchObject({ transfer_id: answer.body.id, amount: '12.50', balance: '12.50', account_id: to });
  });

  test('when a step-up token is missing, malformed, another’s, for another endpoint or used, then 401 says which', async () => {
    const what = { from: anas, to: ruis, amount: '1.00' };
    const codes = [];
    const body = { from_account_id: anas, to_account_id: ruis, amount: '1.00' };
    codes.push(codeOf(await ana.call('POST', '/accounts/internal-transfers', { body })));
    codes.push(codeOf(await harness.send(ana, { ...what, token: 'nonsense' })));
    const ruisToken = await harness.issueStepUpToken({ userId: rui.id, endpointKey: transferKey });
    codes.push(codeOf(await harness.send(ana, { ...what, token: ruisToken })));
    const anasDeposit = await harness.issueStepUpToken({ userId: ana.id, endpointKey: depositKey });
    codes.push(codeOf(await harness.send(ana, { ...what, token: anasDeposit })));
    const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
    codes.push(codeOf(await harness.send(ana, { ...what, token })));
    codes.push(codeOf(await harness.send(ana, { ...what, token })));
    expect(codes).toEqual([
      '401 step_up_required',
      '401 step_up_invalid',
      '401 step_up_invalid',
      '401 step_up_wrong_endpoint',
      '201',
      '401 step_up_used',
    ]);
  });

  test('when what was agreed to is not what is sent, then nothing moves, and the token is burnt', async () => {
    const details = [{ type: 'internal_transfer' as const, to_account_id: ruis, amount: '5.00', currency: 'BRL' }];
    const agreed = () => harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey, details });
    const before = await harness.balance(ruis);
    const token = await agreed();
    const more = await harness.send(ana, { from: anas, to: ruis, amount: '50', token });
    const then = await harness.send(ana, { from: anas, to: ruis, amount: '5', token });
    expect([more, then].map(codeOf)).toEqual(['401 step_up_wrong_details', '401 step_up_used']);
    expect(await harness.balance(ruis)).toBe(before);
    expect((await harness.send(ana, { from: anas, to: ruis, amount: '5', token: await agreed() })).status).toBe(201);
  });

  test('when accounts speak against it, then it is refused and the token unspent', async () => {
    const dollars = (await harness.openAccount(rui, { currency: 'USD' })).id;
    const everybodys: { id: number; owner_id: number | null }[] = (await harness.manager.call('GET', '/accounts')).body;
    const cash = everybodys.find(({ owner_id: owner }) => owner === null)?.id ?? 0;
    const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
    const tried = (from: number, to: number, more = {}) =>
      harness.send(ana, { from, to, amount: '1.00', token, more }).then(codeOf);
    expect([
      await tried(999_999, ruis),
      await tried(anas, 999_999),
      await tried(ruis, anas),
      await tried(anas, cash),
      await tried(anas, anas),
      await tried(anas, dollars),
      await tried(anas, ruis, { currency: 'USD' }),
      await tried(anas, ruis),
    ]).toEqual([
      '404 account_not_found',
      '404 account_not_found',
      '404 account_not_found',
      '404 account_not_found',
      '422 same_account',
      '422 currency_mismatch',
      '422 currency_mismatch',
      '201',
    ]);
  });

  test('when there is too little money, then 422, and with a key for good', async () => {
    const poor = await harness.openAccount(ana);
    const key = newKey();
    const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });
    const send = () => harness.send(ana, { from: poor.id, to: ruis, amount: '10.00', key, token });
    expect(codeOf(await send())).toBe('422 insufficient_funds');
    await harness.deposit(poor.id, '10.00');
    const again = await send();
    expect([codeOf(again), again.headers.get('idempotent-replayed')]).toEqual(['422 insufficient_funds', 'true']);
    expect(await harness.balance(poor.id)).toBe('10.00');
  });

  test('when the exact balance is sent, then nothing is left, and not one cent more goes', async () => {
    const all = await harness.openAccount(ana);
    await harness.deposit(all.id, '10.00');
    const over = await harness.send(ana, { from: all.id, to: ruis, amount: '10.01' });
    const exact = await harness.send(ana, { from: all.id, to: ruis, amount: '10.00' });
    expect([over, exact].map(codeOf)).toEqual(['422 insufficient_funds', '201']);
    expect(await harness.balance(all.id)).toBe('0.00');
  });

  test('when the largest amount is sent, then it arrives to the cent', async () => {
    const [rich, other] = [await harness.openAccount(ana), await harness.openAccount(rui)];
    await harness.deposit(rich.id, '99999999.99');
    const answer = await harness.send(ana, { from: rich.id, to: other.id, amount: '99999999.99' });
    expect([answer.status, answer.body.amount]).toEqual([201, '99999999.99']);
    expect([await harness.balance(rich.id), await harness.balance(other.id)]).toEqual(['0.00', '99999999.99']);
  });

  test.each([
    ['0.01', '0.01'],
    ['0.5', '0.50'],
    ['1', '1.00'],
    ['10.10', '10.10'],
  ])('when the amount is %p, then %p is posted and answered', async (amount, said) => {
    const account = await harness.openAccount(ana);
    await harness.deposit(account.id, '100');
    const answer = await harness.send(ana, { from: account.id, to: ruis, amount });
    expect([answer.status, answer.body.amount]).toEqual([201, said]);
    const left = 10_000 - Math.round(Number(said) * 100);
    expect(await harness.balance(account.id)).toBe((left / 100).toFixed(2));
  });

  test('when amounts are as large as they may be, then balances stay exact past 2^53', async () => {
    const rich = await harness.openAccount(ana);
    await harness.deposit(rich.id, '99999999.99');
    // What a thousand million such deposits would have left.
    await harness.db
      .collection<{ _id: number }>('accounts')
      .updateOne({ _id: rich.id }, { $set: { balance: 9_007_199_254_740_993n } });
    expect(await harness.balance(rich.id)).toBe('90071992547409.93');
    expect((await harness.send(ana, { from: rich.id, to: ruis, amount: '0.01' })).status).toBe(201);
    expect(await harness.balance(rich.id)).toBe('90071992547409.92');
  });
});

describe.each([
  [
    'a transfer',
    () => ({ who: ana, path: '/accounts/internal-transfers', body: { from_account_id: anas, to_account_id: ruis } }),
  ],
  ['a deposit', () => ({ who: harness.manager, path: `/accounts/${ruis}/deposits`, body: {} })],
])('the amount of %s', (_what, call) => {
  test.each([
    ['0.001'],
    ['1e2'],
    [1],
    [1.5],
    ['-1'],
    ['+1'],
    ['0'],
    ['0.00'],
    ['100000000.00'],
    ['100000000'],
    ['9007199254740993'],
    [2 ** 53],
    ['1,00'],
    ['1.'],
    ['.5'],
    [' 1'],
    ['1 '],
    ['1_0'],
    ['0x10'],
    ['007.5'],
    ['Infinity'],
    ['NaN'],
    ['١'],
    [''],
    [null],
    [true],
    [['1']],
    [{}],
  ])('when it is %p, then 400 and nothing moves', async (amount) => {
    const before = await harness.balance(ruis);
    const { who, path, body } = call();
    const answer = await who.call('POST', path, { body: { ...body, amount } });
    expect(codeOf(answer)).toBe('400 validation_failed');
    expect(answer.body.errors[0].pointer).toBe('/amount');
    expect(await harness.balance(ruis)).toBe(before);
  });
});

describe('a deposit', () => {
  test('when a manager deposits, then the house’s cash owes it, and all balances add up to zero', async () => {
    const account = await harness.openAccount(rui, { currency: 'EUR' });
    const posted = await harness.deposit(account.id, '99999999.99');
    expect(posted).toMatchObject({ to_account_id: account.id, amount: '99999999.99', currency: 'EUR' });
    const all: { currency: string; balance: string; owner_id: number | null; id: number }[] = (
      await harness.manager.call('GET', '/accounts?limit=200')
    ).body.filter(({ currency }: { currency: string }) => currency === 'EUR');
    expect(all.find(({ owner_id }) => owner_id === null)).toMatchObject({
      id: posted.from_account_id,
      balance: '-99999999.99',
    });
  });

  test('when somebody else tries, then 403; without consent, then 401; to nobody, then 404', async () => {
    const path = `/accounts/${ruis}/deposits`;
    const body = { amount: '1' };
    expect(codeOf(await rui.call('POST', path, { body }))).toBe('403 forbidden');
    expect(codeOf(await (await harness.waiter()).call('POST', path, { body }))).toBe('403 forbidden');
    expect(codeOf(await harness.manager.call('POST', path, { body }))).toBe('401 step_up_required');
    expect(codeOf(await harness.manager.call('POST', '/accounts/999999/deposits', { body }))).toBe(
      '404 account_not_found',
    );
  });
});
