import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, type Call } from '@comanda/testing/call';
import { startTransfersHarness, type TransfersHarness, type SignedInUser } from './support/harness.ts';
import { openBooks, newCommand } from './support/books.ts';

let harness: TransfersHarness;
let ana: SignedInUser;
let rui: SignedInUser;
beforeAll(async () => {
  harness = await startTransfersHarness('accounts');
  [ana, rui] = [await harness.customer('Ana'), await harness.customer('Rui')];
});
afterAll(() => harness.close());

const idsOf = (accounts: { id: number }[]): number[] => accounts.map(({ id }) => id);
/** All pages from `path` on, by the `Link` headers. */
async function readPages<T extends { id: number }>(user: SignedInUser, path: string): Promise<T[][]> {
  const all: T[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, body, headers, text } = await user.call('GET', next);
    if (status !== 200) throw new Error(text);
    all.push(body);
    next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
  return all;
}

describe('opening an account', () => {
  test('when no currency is requested, then the account is empty and has the currency of the restaurant', async () => {
    const opened = await ana.call('POST', '/accounts', { body: { name: 'Savings' } });

    expect(opened).toMatchObject({
      status: 201,
      body: { name: 'Savings', owner_id: ana.id, owner_name: 'Ana', balance: '0.00', currency: 'BRL' },
    });
    expect(opened.headers.get('location')).toBe(`/accounts/${opened.body.id}`);
  });

  test('when a currency is requested, then the account has it', async () => {
    const opened = await ana.call('POST', '/accounts', { body: { currency: 'USD' } });

    expect(opened.body.currency).toBe('USD');
  });

  test('when it is repeated with its key, also at once and at another instance, then one account is opened', async () => {
    const eva = await harness.customer('Eva');
    const other = { ...eva, call: caller((await harness.startInstance()).url, eva) };
    const request = { body: { name: 'Savings' }, headers: { 'idempotency-key': 'savings' } };

    const answers = await Promise.all(
      [eva, other, eva, other, eva].map(({ call }) => call('POST', '/accounts', request)),
    );
    await harness.deposit(answers[0]?.body.id, '5.00');
    answers.push(await eva.call('POST', '/accounts', request));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(answers.map(({ body }) => body as unknown)).toEqual(answers.map(() => answers[0]?.body as unknown));
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(replayed).toHaveLength(5);
    expect((await eva.call('GET', '/accounts')).body).toHaveLength(1);
  });

  test('when its key comes with another request, then 422', async () => {
    const headers = { 'idempotency-key': 'once' };
    await rui.call('POST', '/accounts', { body: { name: 'One' }, headers });

    const refused = await rui.call('POST', '/accounts', { body: { name: 'Two' }, headers });

    expect(codeOf(refused)).toBe('422 idempotency_key_reused');
  });

  test('when an owner has as many as allowed, then 409, also for requests at once, but not for a repeated one', async () => {
    const eva = await harness.customer('Eva');
    const { url } = await harness.startInstance({ MAX_ACCOUNTS_PER_OWNER: '3' });
    const call = caller(url, eva);
    const open = (key: string) => call('POST', '/accounts', { body: {}, headers: { 'idempotency-key': key } });

    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(open));
    const again = await open('a');

    const codes = answers.map(codeOf).toSorted();
    expect(codes).toEqual(['201', '201', '201', '409 too_many_accounts', '409 too_many_accounts']);
    expect(again).toMatchObject({ status: 201, body: { id: answers[0]?.body.id } });
    expect((await eva.call('GET', '/accounts')).body).toHaveLength(3);
  });

  test.each([[{ currency: 'XXX' }], [{ balance: '1.00' }]])('when the body is %j, then 400', async (body) => {
    const refused = await ana.call('POST', '/accounts', { body });

    expect(codeOf(refused)).toBe('400 validation_failed');
  });
});

describe('reading an account', () => {
  test.each([
    ['its owner', async () => ana],
    ['a manager', async () => harness.manager],
  ])('when %s reads it, then it is answered', async (_who, signIn) => {
    const account = await harness.openAccount(ana);

    const answer = await (await signIn()).call('GET', `/accounts/${account.id}`);

    expect(answer).toMatchObject({ status: 200, body: account });
  });

  test.each([
    ['another customer', async () => rui],
    ['a waiter', () => harness.waiter()],
  ])('when %s reads it or its statement, then 404', async (_who, signIn) => {
    const { id } = await harness.openAccount(ana);
    const user = await signIn();

    const answers = [await user.call('GET', `/accounts/${id}`), await user.call('GET', `/accounts/${id}/entries`)];

    expect(answers.map(codeOf)).toEqual(['404 not_found', '404 not_found']);
  });
});

/** The restaurant's account that pays deposits. */
async function cashAccount(): Promise<number> {
  await harness.deposit((await harness.openAccount(ana)).id, '1.00');
  const { body } = await harness.manager.call('GET', '/accounts?limit=200');
  return body.find(({ owner_id: owner }: { owner_id: number | null }) => owner === null).id;
}

describe('asking whose account it is', () => {
  test('when another customer asks, then the answer has the name and nothing of the money', async () => {
    const { id } = await harness.openAccount(ana);

    const answer = await rui.call('GET', `/accounts/${id}/payee`);

    expect(answer).toMatchObject({ status: 200, body: { account_id: id, owner_name: 'Ana', currency: 'BRL' } });
    expect(Object.keys(answer.body)).toHaveLength(3);
  });

  test.each([
    ['no such account', async () => 999_999],
    ['an account of the restaurant', cashAccount],
  ])('when it is %s, then 404', async (_what, find) => {
    expect(codeOf(await rui.call('GET', `/accounts/${await find()}/payee`))).toBe('404 not_found');
  });
});

describe('listing accounts', () => {
  let eva: SignedInUser;
  let evas: number[];
  beforeAll(async () => {
    eva = await harness.customer('Eva');
    evas = [];
    for (let number = 0; number < 5; number++) evas.push((await harness.openAccount(eva)).id);
  });

  test('when a customer lists them, then all of their own come, page by page', async () => {
    const pages = await readPages(eva, '/accounts?limit=2');

    expect(pages.map(idsOf)).toEqual([evas.slice(0, 2), evas.slice(2, 4), evas.slice(4)]);
  });

  test('when a customer asks for their own by id, then the same come', async () => {
    const answer = await eva.call('GET', `/accounts?owner_id=${eva.id}`);

    expect(idsOf(answer.body)).toEqual(evas);
  });

  test('when a customer asks for another user’s accounts, then 403', async () => {
    const answer = await eva.call('GET', `/accounts?owner_id=${ana.id}`);

    expect(codeOf(answer)).toBe('403 forbidden');
  });

  test('when a manager asks for a user’s accounts, then all of them come, page by page', async () => {
    const pages = await readPages(harness.manager, `/accounts?limit=3&owner_id=${eva.id}`);

    expect(pages.flatMap(idsOf)).toEqual(evas);
  });

  test('when a manager lists all accounts, then every user’s accounts are among them', async () => {
    const { id: anas } = await harness.openAccount(ana);

    const pages = await readPages(harness.manager, '/accounts?limit=200');

    expect(pages.flatMap(idsOf)).toEqual(expect.arrayContaining([...evas, anas]));
  });

  test('when the cursor is not a number, then 400', async () => {
    const answer = await eva.call('GET', '/accounts?cursor=bm9uc2Vuc2U');

    expect(codeOf(answer)).toBe('400 validation_failed');
  });

  test('when the cursor is beyond the last account, then the page is empty', async () => {
    const answer = await eva.call('GET', '/accounts?cursor=999999999999999');

    expect(answer.body).toEqual([]);
  });
});

describe('guests and anonymous callers', () => {
  async function guestCall(): Promise<Call> {
    const { body } = await harness.auth.as(harness.manager)('PUT', '/tables/12');
    const guest = (await harness.auth.call('POST', '/auth/guest', { body: { table_token: body.table_token } })).body;
    return caller(harness.url, { token: guest.access_token });
  }

  test('when a guest opens or lists accounts, then 403', async () => {
    const call = await guestCall();

    const answers = [await call('POST', '/accounts', { body: {} }), await call('GET', '/accounts')];

    expect(answers.map(codeOf)).toEqual(['403 account_required', '403 account_required']);
  });

  test('when there is no access token, then 401', async () => {
    const answer = await caller(harness.url)('GET', '/accounts');

    expect(codeOf(answer)).toBe('401 authentication_required');
  });
});

describe('a statement', () => {
  /** A new account of Ana's with `batches` times `perBatch` deposits of one cent, and the cash account that paid. */
  async function openWithDeposits(batches: number, perBatch: number) {
    const account = await harness.openAccount(ana);
    const { servers, env } = harness;
    const books = await openBooks({
      uri: servers.mongodbUri,
      database: servers.database,
      secret: env['KEY_SEALING_SECRET'] ?? '',
    });
    const cash = await books.accounts.getCashAccount('BRL', new Date());
    for (let batch = 0; batch < batches; batch++)
      await books.post(
        Array.from({ length: perBatch }, () => newCommand({ from: cash, to: account, amountMinor: 1n })),
      );
    await books.close();
    return { account: account.id, cash: cash.id };
  }

  test('when it has several pages, then all entries come, newest first, each with the balance after it', async () => {
    const { account } = await openWithDeposits(3, 5);

    const pages = await readPages<{ id: number; balance: string }>(ana, `/accounts/${account}/entries?limit=4`);

    const balances = Array.from({ length: 15 }, (_, index) => `0.${String(15 - index).padStart(2, '0')}`);
    expect(pages.map(({ length }) => length)).toEqual([4, 4, 4, 3]);
    expect(pages.flat().map(({ balance }) => balance)).toEqual(balances);
    expect(new Set(pages.flatMap(idsOf)).size).toBe(15);
  });

  test('when money was sent, then each side sees whom it went to or came from, and what for', async () => {
    const [from, to] = [await harness.openAccount(ana), await harness.openAccount(rui)];
    await harness.deposit(from.id, '20.00');
    await harness.send(ana, { from: from.id, to: to.id, amount: '12.50', more: { description: 'Lunch' } });

    const [anas, ruis] = await Promise.all([
      ana.call('GET', `/accounts/${from.id}/entries`),
      rui.call('GET', `/accounts/${to.id}/entries`),
    ]);

    const lunch = { kind: 'internal_transfer', description: 'Lunch' };
    expect(anas.body).toEqual([
      expect.objectContaining({
        ...lunch,
        amount: '-12.50',
        counterparty: { account_id: to.id, owner_name: 'Rui' },
      }),
      expect.objectContaining({
        kind: 'account_deposit',
        description: null,
        counterparty: { account_id: expect.any(Number), owner_name: null },
      }),
    ]);
    expect(ruis.body).toEqual([
      expect.objectContaining({ ...lunch, amount: '12.50', counterparty: { account_id: from.id, owner_name: 'Ana' } }),
    ]);
  });

  test('when no limit is given, then up to 50 entries come', async () => {
    const { account } = await openWithDeposits(1, 60);

    const page = await ana.call('GET', `/accounts/${account}/entries`);

    expect(page.body).toHaveLength(50);
  });

  test('when a manager reads that of a cash account, then it has the owners who were paid', async () => {
    const { cash, account } = await openWithDeposits(1, 1);

    const page = await harness.manager.call('GET', `/accounts/${cash}/entries?limit=1`);

    expect(page.body).toMatchObject([{ counterparty: { account_id: account, owner_name: 'Ana' } }]);
  });

  test('when the account is new, then it is empty', async () => {
    const { id } = await harness.openAccount(ana);

    const page = await ana.call('GET', `/accounts/${id}/entries`);

    expect(page.body).toEqual([]);
  });

  test('when the account has many entries, then a page reads as many index keys as it has entries', async () => {
    const { account } = await openWithDeposits(8, 250);
    const page = { status: 'posted', entries: { $elemMatch: { account, seq: { $gte: 1000, $lt: 1050 } } } };

    const { executionStats } = await harness.db.collection('transfers').find(page).explain('executionStats');

    expect(executionStats.nReturned).toBe(50);
    expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(52);
  });
});
