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
/** Fetches all pages of the list at `path`, by following the `Link` headers. */
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
  test("creates an empty account in the restaurant's currency", async () => {
    const opened = await ana.call('POST', '/accounts', { body: { name: 'Savings' } });

    expect(opened).toMatchObject({
      status: 201,
      body: { name: 'Savings', owner_id: ana.id, owner_name: 'Ana', balance: '0.00', currency: 'BRL' },
    });
    expect(opened.headers.get('location')).toBe(`/accounts/${opened.body.id}`);
  });

  test('creates an account in the requested currency', async () => {
    const opened = await ana.call('POST', '/accounts', { body: { currency: 'USD' } });

    expect(opened.body.currency).toBe('USD');
  });

  test('opens only one account for a repeated idempotency key, even at two instances', async () => {
    const eva = await harness.customer('Eva');
    const other = { ...eva, call: caller((await harness.startInstance()).url, eva) };
    const request = { body: { name: 'Savings' }, headers: { 'idempotency-key': 'savings' } };

    const responses = await Promise.all(
      [eva, other, eva, other, eva].map(({ call }) => call('POST', '/accounts', request)),
    );
    await harness.deposit(responses[0]?.body.id, '5.00');
    responses.push(await eva.call('POST', '/accounts', request));

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(responses.map(({ body }) => body as unknown)).toEqual(responses.map(() => responses[0]?.body as unknown));
    const replayed = responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(replayed).toHaveLength(5);
    expect((await eva.call('GET', '/accounts')).body).toHaveLength(1);
  });

  test('returns a 422 if another request has used the idempotency key', async () => {
    const headers = { 'idempotency-key': 'once' };
    await rui.call('POST', '/accounts', { body: { name: 'One' }, headers });

    const refused = await rui.call('POST', '/accounts', { body: { name: 'Two' }, headers });

    expect(codeOf(refused)).toBe('422 idempotency_key_reused');
  });

  test('returns a 409 once the owner has the maximum number of accounts', async () => {
    const eva = await harness.customer('Eva');
    const { url } = await harness.startInstance({ MAX_ACCOUNTS_PER_OWNER: '3' });
    const call = caller(url, eva);
    const open = (key: string) => call('POST', '/accounts', { body: {}, headers: { 'idempotency-key': key } });

    const responses = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(open));
    const again = await open('a');

    const codes = responses.map(codeOf).toSorted();
    expect(codes).toEqual(['201', '201', '201', '409 too_many_accounts', '409 too_many_accounts']);
    expect(again).toMatchObject({ status: 201, body: { id: responses[0]?.body.id } });
    expect((await eva.call('GET', '/accounts')).body).toHaveLength(3);
  });

  test.each([[{ currency: 'XXX' }], [{ balance: '1.00' }]])('returns a 400 for the body %j', async (body) => {
    const refused = await ana.call('POST', '/accounts', { body });

    expect(codeOf(refused)).toBe('400 validation_failed');
  });
});

describe('fetching an account', () => {
  test.each([
    ['its owner', async () => ana],
    ['a manager', async () => harness.manager],
  ])('is allowed for %s', async (_who, signIn) => {
    const account = await harness.openAccount(ana);

    const response = await (await signIn()).call('GET', `/accounts/${account.id}`);

    expect(response).toMatchObject({ status: 200, body: account });
  });

  test.each([
    ['another customer', async () => rui],
    ['a waiter', () => harness.waiter()],
  ])('returns a 404 for %s', async (_who, signIn) => {
    const { id } = await harness.openAccount(ana);
    const user = await signIn();

    const responses = [await user.call('GET', `/accounts/${id}`), await user.call('GET', `/accounts/${id}/entries`)];

    expect(responses.map(codeOf)).toEqual(['404 not_found', '404 not_found']);
  });
});

/** Returns the id of the restaurant's cash account, which pays all deposits. */
async function cashAccount(): Promise<number> {
  await harness.deposit((await harness.openAccount(ana)).id, '1.00');
  const { body } = await harness.manager.call('GET', '/accounts?limit=200');
  return body.find(({ owner_id: owner }: { owner_id: number | null }) => owner === null).id;
}

describe("looking up an account's owner", () => {
  test("shows other customers only the owner's name", async () => {
    const { id } = await harness.openAccount(ana);

    const response = await rui.call('GET', `/accounts/${id}/payee`);

    expect(response).toMatchObject({ status: 200, body: { account_id: id, owner_name: 'Ana', currency: 'BRL' } });
    expect(Object.keys(response.body)).toHaveLength(3);
  });

  test.each([
    ['an unknown account', async () => 999_999],
    ["one of the restaurant's accounts", cashAccount],
  ])('returns a 404 for %s', async (_what, find) => {
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

  test("returns all of a customer's accounts, page by page", async () => {
    const pages = await readPages(eva, '/accounts?limit=2');

    expect(pages.map(idsOf)).toEqual([evas.slice(0, 2), evas.slice(2, 4), evas.slice(4)]);
  });

  test("accepts a filter for the customer's own id", async () => {
    const response = await eva.call('GET', `/accounts?owner_id=${eva.id}`);

    expect(idsOf(response.body)).toEqual(evas);
  });

  test("returns a 403 for another user's accounts", async () => {
    const response = await eva.call('GET', `/accounts?owner_id=${ana.id}`);

    expect(codeOf(response)).toBe('403 forbidden');
  });

  test("returns all of a user's accounts to a manager, page by page", async () => {
    const pages = await readPages(harness.manager, `/accounts?limit=3&owner_id=${eva.id}`);

    expect(pages.flatMap(idsOf)).toEqual(evas);
  });

  test("returns all users' accounts to a manager", async () => {
    const { id: anas } = await harness.openAccount(ana);

    const pages = await readPages(harness.manager, '/accounts?limit=200');

    expect(pages.flatMap(idsOf)).toEqual(expect.arrayContaining([...evas, anas]));
  });

  test("returns a 400 if the cursor isn't a number", async () => {
    const response = await eva.call('GET', '/accounts?cursor=bm9uc2Vuc2U');

    expect(codeOf(response)).toBe('400 validation_failed');
  });

  test('returns an empty page if the cursor is after the last account', async () => {
    const response = await eva.call('GET', '/accounts?cursor=999999999999999');

    expect(response.body).toEqual([]);
  });
});

describe('callers without a user account', () => {
  async function guestCall(): Promise<Call> {
    const { body } = await harness.auth.as(harness.manager)('PUT', '/tables/12');
    const guest = (await harness.auth.call('POST', '/auth/guest', { body: { table_token: body.table_token } })).body;
    return caller(harness.url, { token: guest.access_token });
  }

  test('get a 403 if they are guests', async () => {
    const call = await guestCall();

    const responses = [await call('POST', '/accounts', { body: {} }), await call('GET', '/accounts')];

    expect(responses.map(codeOf)).toEqual(['403 account_required', '403 account_required']);
  });

  test('get a 401 without an access token', async () => {
    const response = await caller(harness.url)('GET', '/accounts');

    expect(codeOf(response)).toBe('401 authentication_required');
  });
});

describe("an account's statement", () => {
  /** Opens an account for Ana and makes `batches` × `perBatch` deposits of one cent. Returns the account and the cash account. */
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

  test('lists all entries, newest first, each with its balance', async () => {
    const { account } = await openWithDeposits(3, 5);

    const pages = await readPages<{ id: number; balance: string }>(ana, `/accounts/${account}/entries?limit=4`);

    const balances = Array.from({ length: 15 }, (_, index) => `0.${String(15 - index).padStart(2, '0')}`);
    expect(pages.map(({ length }) => length)).toEqual([4, 4, 4, 3]);
    expect(pages.flat().map(({ balance }) => balance)).toEqual(balances);
    expect(new Set(pages.flatMap(idsOf)).size).toBe(15);
  });

  test('shows the other party of each transfer', async () => {
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

  test('lists up to 50 entries by default', async () => {
    const { account } = await openWithDeposits(1, 60);

    const page = await ana.call('GET', `/accounts/${account}/entries`);

    expect(page.body).toHaveLength(50);
  });

  test('shows managers who received money from a cash account', async () => {
    const { cash, account } = await openWithDeposits(1, 1);

    const page = await harness.manager.call('GET', `/accounts/${cash}/entries?limit=1`);

    expect(page.body).toMatchObject([{ counterparty: { account_id: account, owner_name: 'Ana' } }]);
  });

  test('is empty for a new account', async () => {
    const { id } = await harness.openAccount(ana);

    const page = await ana.call('GET', `/accounts/${id}/entries`);

    expect(page.body).toEqual([]);
  });

  test('reads only as many index keys as a page needs', async () => {
    const { account } = await openWithDeposits(8, 250);
    const page = { status: 'posted', entries: { $elemMatch: { account, seq: { $gte: 1000, $lt: 1050 } } } };

    const { executionStats } = await harness.db.collection('transfers').find(page).explain('executionStats');

    expect(executionStats.nReturned).toBe(50);
    expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(52);
  });
});
