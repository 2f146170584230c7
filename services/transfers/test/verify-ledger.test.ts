import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { Account } from '../src/accounts/account.ts';
import { createLedgerReaderStore } from '../src/audit/ledger-reader-store.ts';
import { verifyLedger } from '../src/audit/verify-ledger.ts';
import { signReceipt } from '../src/receipts/receipt.ts';
import type { Signer } from '../src/receipts/statement.ts';
import { newCommand } from './support/books.ts';
import type { Books } from './support/books.ts';
import { rewrite } from './support/rewrite.ts';
import { openSmallLedger } from './support/small-ledger.ts';
import type { SmallLedger } from './support/small-ledger.ts';

let where: { uri: string; database: string };
let ledger: SmallLedger;
let books: Books;
let ana: Account;
let rui: Account;
let ids: SmallLedger['ids'];
let signer: Signer;

beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('verify-ledger');
  where = { uri, database };
});
let count = 0;
beforeEach(async () => {
  ledger = await openSmallLedger({ ...where, database: `${where.database}-${++count}` });
  ({ books, ana, rui, ids, signer } = ledger);
});
afterEach(() => books.close());

const checkpoint = (): Promise<unknown> => ledger.checkpoint();

async function findings(expectedJws?: string): Promise<string[]> {
  const reader = createLedgerReaderStore(books.connection);
  const found: string[] = [];
  for await (const { row, what } of verifyLedger({ reader, keys: ledger.keys, expectedJws, onProgress: () => undefined }))
    found.push(`${row}: ${what}`);
  return found;
}

describe('a ledger that nobody touched', () => {
  test('when it is verified, with checkpoints and without, then nothing is found', async () => {
    expect(await findings()).toEqual([]);
    await checkpoint();
    await books.post([newCommand({ fromId: rui.id, toId: ana.id, amountMinor: 5n })]);
    await checkpoint();
    expect(await findings()).toEqual([]);
  });

  test('when money is posted meanwhile, then nothing is found', async () => {
    let stop = false;
    const posting = (async () => {
      while (!stop)
        await books.post(Array.from({ length: 5 }, () => newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 1n })));
    })();
    for (let time = 0; time < 5; time++) expect(await findings()).toEqual([]);
    stop = true;
    await posting;
  });
});

describe('a ledger that was tampered with', () => {
  test('when an amount was edited, then its transfer is named', async () => {
    await books.rows.updateOne({ _id: ids[1] }, { $set: { amount: 2_000n } });
    expect((await findings())[0]).toBe(`transfer ${ids[1]}: its entries are of another amount than it says`);
  });

  test('when an entry and its balance were edited, then its transfer is named', async () => {
    await books.rows.updateOne({ _id: ids[1] }, { $inc: { 'entries.1.amount': 5n, 'entries.1.balance': 5n } });
    expect((await findings())[0]).toContain(`transfer ${ids[1]}:`);
  });

  test('when a balance was edited, then its account is named', async () => {
    await books.heads.updateOne({ _id: rui.id }, { $inc: { balance: 1_000_000n } });
    expect((await findings())[0]).toBe(`account ${rui.id}: its balance is not that of its newest entry`);
  });

  test('when an account was given to somebody else, then its chain is found not to be theirs', async () => {
    await books.heads.updateOne({ _id: ana.id }, { $set: { owner_id: 666 } });
    expect((await findings())[0]).toMatch(
      /^transfer \d+: entry 1 of account \d+ does not follow from the one before it$/,
    );
  });

  test('when two rows have changed places, then the first of them is named', async () => {
    await ledger.swap(ids[1], ids[2]);
    expect((await findings())[0]).toContain(`transfer ${ids[1]}:`);
  });

  test('when the newest row was deleted, then the account that lacks it is named', async () => {
    await books.rows.deleteOne({ _id: ids[3] });
    expect((await findings())[0]).toBe(`account ${ana.id}: its newest entry, 5, is missing`);
  });

  test('when the newest row was deleted and both accounts set back, then the checkpoint tells', async () => {
    await checkpoint();
    const before = (await books.journal.findTransfer(ids[2]))?.entries ?? [];
    await books.rows.deleteOne({ _id: ids[3] });
    for (const { accountId: _id, seq, hash, balanceMinor: balance } of before)
      await books.heads.updateOne({ _id }, { $set: { seq, hash, balance } });
    expect((await findings())[0]).toBe(`account ${ana.id}: a checkpoint has signed entry 5, and there is none`);
  });

  test('when a row in the middle was deleted, then the account that lacks it is named', async () => {
    await books.rows.deleteOne({ _id: ids[1] });
    expect((await findings())[0]).toBe(`account ${ana.id}: entry 3 is missing before entry 4`);
  });

  test('when the whole journal was written anew with right hashes, then the receipts tell', async () => {
    await rewrite(books, () => 'no.signa.ture');
    expect((await findings())[0]).toContain('its receipt is not signed by a key of the house');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await rewrite(books, (transfer) => signReceipt(transfer, { kid: signer.kid, privateKey }));
    expect((await findings())[0]).toContain('its receipt is not signed by a key of the house');
  });

  test('when it was written anew with receipts signed by the house itself, then the checkpoint tells', async () => {
    await checkpoint();
    await rewrite(books, (transfer) => signReceipt(transfer, signer));
    expect((await findings())[0]).toContain('is not the one that a checkpoint signed');
  });

  test('when checkpoints were edited or taken out, then they are named, the last one by whoever has the log', async () => {
    await checkpoint();
    await books.post([newCommand({ fromId: rui.id, toId: ana.id, amountMinor: 5n })]);
    await checkpoint();
    const checkpoints = books.connection.collection<{ _id: number; jws: string }>('checkpoints');
    const last = await checkpoints.findOne({ _id: 2 });
    await checkpoints.updateOne({ _id: 2 }, { $set: { 'heads.0.seq': 1 } });
    expect((await findings()).at(-1)).toBe('checkpoint 2: its heads are not those it signed');
    await checkpoints.deleteOne({ _id: 2 });
    expect(await findings()).toEqual([]);
    expect(await findings(last?.jws)).toEqual(['checkpoint 2: it was logged, and is not there']);
    await checkpoint();
    await checkpoints.deleteOne({ _id: 1 });
    expect((await findings()).at(-1)).toBe('checkpoint 2: checkpoint 1 is missing before it');
  });
});
