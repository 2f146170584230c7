import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import {
  depositKey,
  newKey,
  startTransfersHarness,
  transferKey,
  type TransfersHarness,
  type SignedInUser,
} from './support/harness.ts';

let harness: TransfersHarness;
let ana: SignedInUser;
let rui: SignedInUser;
let anasAccount: number;
let ruisAccount: number;
beforeAll(async () => {
  harness = await startTransfersHarness('transfer-money');
  [ana, rui] = [await harness.customer('Ana'), await harness.customer('Rui')];
  anasAccount = (await harness.openAccount(ana, { name: 'Ana' })).id;
  ruisAccount = (await harness.openAccount(rui)).id;
  await harness.deposit(anasAccount, '1000.00');
});
afterAll(() => harness.close());

async function openFunded(balance: string): Promise<number> {
  const { id } = await harness.openAccount(ana);
  await harness.deposit(id, balance);
  return id;
}
const anasToken = (): Promise<string> => harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey });

describe('a transfer', () => {
  test('changes both balances after the user has authorized it', async () => {
    const from = await openFunded('1000');
    const to = (await harness.openAccount(rui)).id;

    const response = await harness.send(ana, { from, to, amount: '12.5', more: { description: 'Lunch' } });

    expect(response).toMatchObject({
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
    expect(response.headers.get('location')).toBe(`/accounts/internal-transfers/${response.body.id}`);
    expect([await harness.balance(from), await harness.balance(to)]).toEqual(['987.50', '12.50']);
    const [entry] = (await rui.call('GET', `/accounts/${to}/entries`)).body;
    expect(entry).toMatchObject({ transfer_id: response.body.id, amount: '12.50', balance: '12.50', account_id: to });
  });

  test('can be fetched only by both parties and by managers', async () => {
    const { body, headers } = await harness.send(ana, { from: anasAccount, to: ruisAccount, amount: '1.00' });
    const path = headers.get('location') ?? '';

    const seen = await Promise.all([ana, rui, harness.manager].map((user) => user.call('GET', path)));
    const stranger = await (await harness.customer('Eva')).call('GET', path);

    expect(seen.map((response) => response.body)).toEqual([body, body, body]);
    expect(codeOf(stranger)).toBe('404 not_found');
  });

  test.each([
    [
      "another user's",
      () => harness.issueStepUpToken({ userId: rui.id, endpointKey: transferKey }),
      '401 step_up_invalid',
    ],
    [
      'for another endpoint',
      () => harness.issueStepUpToken({ userId: ana.id, endpointKey: depositKey }),
      '401 step_up_wrong_endpoint',
    ],
  ])('gets a 401 if its step-up token is %s', async (_what, issue, code) => {
    const token = await issue();
    const before = await harness.balance(ruisAccount);

    const response = await harness.send(ana, { from: anasAccount, to: ruisAccount, amount: '1.00', token });

    expect(codeOf(response)).toBe(code);
    expect(await harness.balance(ruisAccount)).toBe(before);
  });

  test('spends its step-up token with the first of two requests', async () => {
    const request = { from: anasAccount, to: ruisAccount, amount: '1.00', token: await anasToken() };

    const first = await harness.send(ana, request);
    const second = await harness.send(ana, request);

    expect([first, second].map(codeOf)).toEqual(['201', '401 step_up_used']);
  });

  test.each([
    ['another amount', async () => ({ amount: '50.00' }), '401 step_up_wrong_details'],
    [
      'another source account',
      async () => ({ from_account_id: (await harness.openAccount(ana)).id }),
      '401 step_up_wrong_details',
    ],
    ['this transfer', async () => ({ from_account_id: anasAccount }), '201'],
  ])("is checked against the user's authorization for %s", async (_what, agreed, code) => {
    const type = 'internal_transfer' as const;
    const details = [{ type, to_account_id: ruisAccount, amount: '5.00', currency: 'BRL', ...(await agreed()) }];
    const token = await harness.issueStepUpToken({ userId: ana.id, endpointKey: transferKey, details });
    const before = await harness.balance(ruisAccount);
    const send = () => harness.send(ana, { from: anasAccount, to: ruisAccount, amount: '5', token });

    expect([codeOf(await send()), codeOf(await send())]).toEqual([code, '401 step_up_used']);
    expect((await harness.balance(ruisAccount)) === before).toBe(code !== '201');
  });

  describe('between two accounts', () => {
    const missing = 999_999;
    let cash: number;
    let dollars: number;
    beforeAll(async () => {
      const all: { id: number; owner_id: number | null }[] = (await harness.manager.call('GET', '/accounts')).body;
      cash = all.find(({ owner_id: owner }) => owner === null)?.id ?? 0;
      dollars = (await harness.openAccount(rui, { currency: 'USD' })).id;
    });

    test.each([
      ["the payer's account does not exist", () => ({ from: missing, to: ruisAccount }), '404 account_not_found'],
      ["the payee's account does not exist", () => ({ from: anasAccount, to: missing }), '404 account_not_found'],
      [
        "the payer's account belongs to another user",
        () => ({ from: ruisAccount, to: anasAccount }),
        '404 account_not_found',
      ],
      ['the payee is a cash account', () => ({ from: anasAccount, to: cash }), '404 account_not_found'],
      ['both accounts are the same', () => ({ from: anasAccount, to: anasAccount }), '422 same_account'],
      ['the accounts have different currencies', () => ({ from: anasAccount, to: dollars }), '422 currency_mismatch'],
      [
        'the requested currency differs from theirs',
        () => ({ from: anasAccount, to: ruisAccount, more: { currency: 'USD' } }),
        '422 currency_mismatch',
      ],
    ])('is rejected if %s', async (_what, accounts, code) => {
      const token = await anasToken();

      const refused = await harness.send(ana, { ...accounts(), amount: '1.00', token });
      const next = await harness.send(ana, { from: anasAccount, to: ruisAccount, amount: '1.00', token });

      expect([refused, next].map(codeOf)).toEqual([code, '201']);
    });
  });

  test('gets a 422 if the amount exceeds the balance', async () => {
    const from = await openFunded('10.00');

    const response = await harness.send(ana, { from, to: ruisAccount, amount: '10.01' });

    expect(codeOf(response)).toBe('422 insufficient_funds');
    expect(await harness.balance(from)).toBe('10.00');
  });

  test('stays rejected if it is retried with the same idempotency key after a deposit', async () => {
    const { id: from } = await harness.openAccount(ana);
    const request = { from, to: ruisAccount, amount: '10.00', key: newKey(), token: await anasToken() };
    const first = await harness.send(ana, request);
    await harness.deposit(from, '10.00');

    const again = await harness.send(ana, request);

    expect([first, again].map(codeOf)).toEqual(['422 insufficient_funds', '422 insufficient_funds']);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await harness.balance(from)).toBe('10.00');
  });

  test('empties the account if it is for the whole balance', async () => {
    const from = await openFunded('10.00');

    const response = await harness.send(ana, { from, to: ruisAccount, amount: '10.00' });

    expect(response.status).toBe(201);
    expect(await harness.balance(from)).toBe('0.00');
  });

  test('arrives in full if it is for the maximum amount', async () => {
    const from = await openFunded('99999999.99');
    const { id: to } = await harness.openAccount(rui);

    const response = await harness.send(ana, { from, to, amount: '99999999.99' });

    expect([response.status, response.body.amount]).toEqual([201, '99999999.99']);
    expect([await harness.balance(from), await harness.balance(to)]).toEqual(['0.00', '99999999.99']);
  });

  test('leaves a balance above 2^53 cents exact', async () => {
    const from = await openFunded('99999999.99');
    // This is the balance after about ninety million deposits of the maximum amount.
    await harness.db
      .collection<{ _id: number }>('accounts')
      .updateOne({ _id: from }, { $set: { balance: 9_007_199_254_740_993n } });
    expect(await harness.balance(from)).toBe('90071992547409.93');

    const response = await harness.send(ana, { from, to: ruisAccount, amount: '0.01' });

    expect(response.status).toBe(201);
    expect(await harness.balance(from)).toBe('90071992547409.92');
  });
});

describe.each([
  [
    'a transfer',
    () => ({
      user: ana,
      path: '/accounts/internal-transfers',
      body: { from_account_id: anasAccount, to_account_id: ruisAccount },
    }),
  ],
  ['a deposit', () => ({ user: harness.manager, path: `/accounts/${ruisAccount}/deposits`, body: {} })],
])('the amount of %s', (_what, request) => {
  test('returns a 400 if it has three decimal places', async () => {
    const before = await harness.balance(ruisAccount);
    const { user, path, body } = request();

    const response = await user.call('POST', path, { body: { ...body, amount: '0.001' } });

    expect(codeOf(response)).toBe('400 validation_failed');
    expect(response.body.errors[0].pointer).toBe('/amount');
    expect(await harness.balance(ruisAccount)).toBe(before);
  });
});

describe('a deposit', () => {
  test.each([
    ['another account', () => ({ account_id: anasAccount }), '401 step_up_wrong_details'],
    ['another amount', () => ({ amount: '1.01' }), '401 step_up_wrong_details'],
    ['another currency', () => ({ currency: 'USD' }), '401 step_up_wrong_details'],
    ['this deposit', () => ({}), '201'],
  ])("is checked against the manager's authorization for %s", async (_what, agreed, code) => {
    const details = [
      { type: 'account_deposit' as const, account_id: ruisAccount, amount: '1.00', currency: 'BRL', ...agreed() },
    ];
    const { manager } = harness;
    const token = await harness.issueStepUpToken({ userId: manager.id, endpointKey: depositKey, details });
    const send = () =>
      manager.call('POST', `/accounts/${ruisAccount}/deposits`, {
        body: { amount: '1' },
        headers: { 'x-step-up-token': token },
      });

    expect([codeOf(await send()), codeOf(await send())]).toEqual([code, '401 step_up_used']);
  });

  test("gets a 422 if its currency differs from the account's", async () => {
    const { manager } = harness;
    const token = await harness.issueStepUpToken({ userId: manager.id, endpointKey: depositKey });
    const send = (currency: string) =>
      manager.call('POST', `/accounts/${ruisAccount}/deposits`, {
        body: { amount: '1', currency },
        headers: { 'x-step-up-token': token },
      });

    expect([await send('USD'), await send('BRL')].map(codeOf)).toEqual(['422 currency_mismatch', '201']);
  });

  test('takes its money from the cash account', async () => {
    const { id: account } = await harness.openAccount(rui, { currency: 'EUR' });

    const posted = await harness.deposit(account, '99999999.99');

    expect(posted).toMatchObject({ to_account_id: account, amount: '99999999.99', currency: 'EUR' });
    const all: { currency: string; balance: string; owner_id: number | null; id: number }[] = (
      await harness.manager.call('GET', '/accounts?limit=200')
    ).body;
    const euros = all.filter(({ currency }) => currency === 'EUR');
    expect(euros).toHaveLength(2);
    expect(euros.find(({ owner_id: owner }) => owner === null)).toMatchObject({
      id: posted.from_account_id,
      balance: '-99999999.99',
    });
  });

  test('gets a 404 if the account is unknown', async () => {
    const response = await harness.manager.call('POST', '/accounts/999999/deposits', { body: { amount: '1' } });

    expect(codeOf(response)).toBe('404 account_not_found');
  });
});
