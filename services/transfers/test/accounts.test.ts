import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf } from '@comanda/testing/call';
import { startTransfersHarness } from './support/harness.ts';
import type { TransfersHarness, SignedInUser } from './support/harness.ts';
import { openBooks, newCommand } from './support/books.ts';

let harness: TransfersHarness;
let ana: SignedInUser;
let rui: SignedInUser;
beforeAll(async () => {
  harness = await startTransfersHarness('accounts');
  [ana, rui] = [await harness.customer('Ana'), await harness.customer('Rui')];
}, 30_000);
afterAll(() => harness.close());

const idsOf = (accounts: { id: number }[]): number[] => accounts.map(({ id }) => id);
/** Follows `Link` to the last page. */
async function pages(who: SignedInUser, path: string): Promise<{ id: number }[][]> {
  const all: { id: number }[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, body, headers, text } = await who.call('GET', next);
    if (status !== 200) throw new Error(text);
    all.push(body);
    next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
  return all;
}

describe('accounts', () => {
  test('when one is opened, then it is empty, in the house’s currency unless another is named, and only its owner’s', async () => {
    const opened = await ana.call('POST', '/accounts', { body: { name: 'Savings' } });
    expect(opened).toMatchObject({
      status: 201,
      body: { name: 'Savings', owner_id: ana.id, balance: '0.00', currency: 'BRL' },
    });
    const path = `/accounts/${opened.body.id}`;
    expect(opened.headers.get('location')).toBe(path);
    expect((await ana.call('GET', path)).body).toEqual(opened.body);
    expect((await harness.manager.call('GET', path)).body).toEqual(opened.body);
    expect(codeOf(await rui.call('GET', path))).toBe('404 not_found');
    expect(codeOf(await rui.call('GET', `${path}/entries`))).toBe('404 not_found');
    expect(codeOf(await (await harness.waiter()).call('GET', path))).toBe('404 not_found');
    expect((await ana.call('POST', '/accounts', { body: { currency: 'USD' } })).body.currency).toBe('USD');
    expect(codeOf(await ana.call('POST', '/accounts', { body: { currency: 'XXX' } }))).toBe('400 validation_failed');
    expect(codeOf(await ana.call('POST', '/accounts', { body: { balance: '1.00' } }))).toBe('400 validation_failed');
  });

  test('when they are listed, then everybody sees their own and a manager all, page by page', async () => {
    const eva = await harness.customer('Eva');
    const own: number[] = [];
    for (let number = 0; number < 5; number++) own.push((await harness.openAccount(eva)).id);
    expect((await pages(eva, '/accounts?limit=2')).map(idsOf)).toEqual([
      own.slice(0, 2),
      own.slice(2, 4),
      own.slice(4),
    ]);
    expect(idsOf((await eva.call('GET', `/accounts?owner_id=${eva.id}`)).body)).toEqual(own);
    expect(codeOf(await eva.call('GET', `/accounts?owner_id=${ana.id}`))).toBe('403 forbidden');
    const asManager = `/accounts?limit=3&owner_id=${eva.id}`;
    expect((await pages(harness.manager, asManager)).flatMap(idsOf)).toEqual(own);
    const all = (await pages(harness.manager, '/accounts?limit=200')).flatMap(idsOf);
    expect(all).toEqual(expect.arrayContaining(own));
    expect(codeOf(await eva.call('GET', '/accounts?cursor=bm9uc2Vuc2U'))).toBe('400 validation_failed');
    expect((await eva.call('GET', '/accounts?cursor=999999999999999')).body).toEqual([]);
  });

  test('when a guest asks, then 403: an account is for somebody with a sign-in', async () => {
    const { body } = await harness.auth.as(harness.manager)('PUT', '/tables/12');
    const guest = (await harness.auth.call('POST', '/auth/guest', { body: { table_token: body.table_token } })).body;
    const call = caller(harness.url, { token: guest.access_token });
    expect(codeOf(await call('POST', '/accounts', { body: {} }))).toBe('403 account_required');
    expect(codeOf(await call('GET', '/accounts'))).toBe('403 account_required');
    expect(codeOf(await caller(harness.url)('GET', '/accounts'))).toBe('401 authentication_required');
  });
});

describe('a statement', () => {
  test('when it has several pages, then they are newest first, each entry with the balance after it, without holes', async () => {
    const account = await harness.openAccount(ana);
    const books = await openBooks({ uri: harness.servers.mongodbUri, database: harness.servers.database });
    const cash = await books.accounts.getCashAccount('BRL', new Date());
    for (let batch = 0; batch < 3; batch++)
      await books.post(
        Array.from({ length: 5 }, () =>
          newCommand({ kind: 'account_deposit', fromId: cash.id, toId: account.id, amountMinor: 100n }),
        ),
      );
    await books.close();
    const path = `/accounts/${account.id}/entries`;
    const all = (await pages(ana, `${path}?limit=4`)) as unknown as { id: number; balance: string }[][];
    expect(all.map(({ length }) => length)).toEqual([4, 4, 4, 3]);
    expect(all.flat().map(({ balance }) => balance)).toEqual(
      Array.from({ length: 15 }, (_, index) => `${15 - index}.00`),
    );
    expect(new Set(idsOf(all.flat())).size).toBe(15);
    expect((await ana.call('GET', path)).body).toHaveLength(15);
    expect((await harness.manager.call('GET', `/accounts/${cash.id}/entries?limit=1`)).body).toHaveLength(1);
    expect((await ana.call('GET', `/accounts/${(await harness.openAccount(ana)).id}/entries`)).body).toEqual([]);
  });

  test('when an account has many entries, then a page reads as many keys as it has entries', async () => {
    const account = await harness.openAccount(ana);
    const books = await openBooks({ uri: harness.servers.mongodbUri, database: harness.servers.database });
    const cash = await books.accounts.getCashAccount('BRL', new Date());
    for (let batch = 0; batch < 8; batch++)
      await books.post(
        Array.from({ length: 250 }, () =>
          newCommand({ kind: 'account_deposit', fromId: cash.id, toId: account.id, amountMinor: 1n }),
        ),
      );
    await books.close();
    const page = { status: 'posted', entries: { $elemMatch: { account: account.id, seq: { $gte: 1000, $lt: 1050 } } } };
    const { executionStats } = await harness.db.collection('transfers').find(page).explain('executionStats');
    expect([executionStats.nReturned, executionStats.totalKeysExamined]).toEqual([50, expect.any(Number)]);
    expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(52);
  }, 30_000);
});
