import { generateKeyPairSync } from 'node:crypto';
import mongoose from 'mongoose';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { Account } from '../src/accounts/account.ts';
import { signReceipt } from '../src/transfers/receipt.ts';
import type { Signer } from '@comanda/shared/crypto/statement';
import { newCommand, type Books } from './support/books.ts';
import { findingsOf } from './support/findings.ts';
import { postWhile } from './support/post-while.ts';
import { rewrite } from './support/rewrite.ts';
import { openSmallLedger, type SmallLedger } from './support/small-ledger.ts';

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

const makeCheckpoint = (): Promise<unknown> => ledger.checkpoint();
const postOneMore = (): Promise<unknown> => books.post([newCommand({ from: rui, to: ana, amountMinor: 5n })]);

const findings = (expectedJws?: string) => findingsOf({ connection: books.connection, keys: ledger.keys, expectedJws });

describe('verify-ledger on an intact ledger', () => {
  test('finds nothing without checkpoints', async () => {
    expect(await findings()).toEqual([]);
  });

  test('finds nothing with checkpoints', async () => {
    await makeCheckpoint();
    await postOneMore();
    await makeCheckpoint();

    expect(await findings()).toEqual([]);
  });

  test('finds nothing while transfers are posted', async () => {
    let stopped = false;
    const posting = (async () => {
      while (!stopped)
        await books.post(Array.from({ length: 5 }, () => newCommand({ from: ana, to: rui, amountMinor: 1n })));
    })();

    const found: string[] = [];
    for (let round = 0; round < 5; round++) found.push(...(await findings()));
    stopped = true;
    await posting;

    expect(found).toEqual([]);
  });
});

describe('verify-ledger on a collection that was dropped or replaced', () => {
  const names = ['transfers', 'accounts', 'checkpoints', 'keys', 'counters'];
  test.each(names)('reports first that the collection %s was dropped', async (name) => {
    await makeCheckpoint();
    await books.connection.dropCollection(name);

    expect((await findings())[0]).toBe(`collection ${name}: it does not exist`);
  });

  test.each(names)('reports only the view that replaced %s if it has the same documents', async (name) => {
    await makeCheckpoint();
    await books.connection.collection(name).rename('copy');
    await books.connection.createCollection(name, { viewOn: 'copy', pipeline: [] });

    expect(await findings()).toEqual([`collection ${name}: it is a view`]);
  });

  test("reports a view that it can't read", async () => {
    const pipeline = [{ $project: { any: { $divide: [1, 0] } } }];
    await books.connection.collection('accounts').rename('copy');
    await books.connection.createCollection('accounts', { viewOn: 'copy', pipeline });

    const found = await findings();

    expect(found[0]).toBe('collection accounts: it is a view');
    expect(found.at(-1)).toContain('collection accounts: so the rest cannot be verified: ');
  });
});

describe('verify-ledger on a ledger that was tampered with', () => {
  test('reports the newest row if an attacker added entries that create money', async () => {
    await makeCheckpoint();
    const cash = await books.accounts.getCashAccount('BRL', new Date());
    const created = 100_000_000n;
    const forge = (account: Account, amount: bigint, hash: string) => ({
      account: account.id,
      seq: account.seq + 1,
      amount,
      balance: account.balanceMinor + amount,
      prev: account.hash,
      hash,
    });
    const payee = (await books.accounts.findAccount(rui.id)) ?? rui;
    const entries = [forge(cash, -created, 'any'), forge(payee, created, 'text')];
    await books.rows.updateOne({ _id: ids[3] }, { $push: { entries: { $each: entries } } });
    for (const { account: _id, seq, hash, balance } of entries)
      await books.heads.updateOne({ _id }, { $set: { seq, hash, balance } });

    expect((await findings())[0]).toBe(`transfer ${ids[3]}: it has 4 entries, not 2`);
  });

  test('reports each of several rows with wrong types', async () => {
    const unchecked = { bypassDocumentValidation: true };
    const amount = new mongoose.mongo.Double(0.1) as never;
    await books.rows.updateOne({ _id: ids[0] }, { $set: { amount } }, unchecked);
    await books.rows.updateOne({ _id: ids[1] }, { $set: { created_at: 'yesterday' } as never }, unchecked);
    await books.rows.updateOne({ _id: ids[2] }, { $set: { entries: [] } }, unchecked);
    await books.heads.updateOne({ _id: rui.id }, { $unset: { balance: '' } }, unchecked);

    const found = await findings();

    expect(found.slice(0, 4)).toEqual([
      `transfer ${ids[0]}: its amount is not a 64-bit integer`,
      `transfer ${ids[1]}: its created_at is not a date`,
      `transfer ${ids[2]}: it has 0 entries, not 2`,
      expect.stringContaining('account '),
    ]);
    expect(found).toContain(`account ${rui.id}: it has no balance`);
  });

  test('reports a transfer whose amount was edited', async () => {
    await books.rows.updateOne({ _id: ids[1] }, { $set: { amount: 2_000n } });

    expect((await findings())[0]).toBe(`transfer ${ids[1]}: its entries have another amount`);
  });

  test('reports a transfer whose entry and balance were edited', async () => {
    await books.rows.updateOne({ _id: ids[1] }, { $inc: { 'entries.1.amount': 5n, 'entries.1.balance': 5n } });

    expect((await findings())[0]).toContain(`transfer ${ids[1]}:`);
  });

  test('reports an account whose balance was edited', async () => {
    await books.heads.updateOne({ _id: rui.id }, { $inc: { balance: 1_000_000n } });

    expect((await findings())[0]).toBe(`account ${rui.id}: its balance is not that of its newest entry`);
  });

  test('reports an edited balance even if a row claims to come from a newer release', async () => {
    await books.rows.updateOne({ _id: ids[1] }, { $set: { shape: 2 } as never });
    await books.heads.updateOne({ _id: rui.id }, { $inc: { balance: 1_000_000n } });

    const found = await findings();

    expect(found).toContain(`transfer ${ids[1]}: it is newer than this program, which cannot verify it`);
    expect(found).toContain(`account ${rui.id}: its balance is not that of its newest entry`);
  });

  test('reports an account whose owner was changed', async () => {
    await books.heads.updateOne({ _id: ana.id }, { $set: { owner_id: 666 } });

    expect(await findings()).toEqual([
      `account ${ana.id}: its owner_id is not that of its statement`,
      expect.stringMatching(/^transfer \d+: entry 1 of account \d+ does not follow from the entry before it$/),
    ]);
  });

  test("reports an account whose owner's name was changed", async () => {
    await books.heads.updateOne({ _id: ana.id }, { $set: { owner_name: 'Rui' } });

    expect(await findings()).toEqual([`account ${ana.id}: its owner_name is not that of its statement`]);
  });

  test('reports the first of two rows that were swapped', async () => {
    await ledger.swap(ids[1], ids[2]);

    expect((await findings())[0]).toContain(`transfer ${ids[1]}:`);
  });

  test('reports an account whose newest row was deleted', async () => {
    await books.rows.deleteOne({ _id: ids[3] });

    expect((await findings())[0]).toBe(`account ${ana.id}: its newest entry, 5, is missing`);
  });

  test('reports that the newest row was deleted, even if both accounts were reset', async () => {
    await makeCheckpoint();
    const entries = (await books.journal.findTransfer(ids[2]))?.entries ?? [];
    await books.rows.deleteOne({ _id: ids[3] });
    for (const { accountId: _id, seq, hash, balanceMinor: balance } of entries)
      await books.heads.updateOne({ _id }, { $set: { seq, hash, balance } });

    expect((await findings())[0]).toBe(`account ${ana.id}: a checkpoint signed entry 5, which does not exist`);
  });

  test('reports an account if one of its rows in the middle was deleted', async () => {
    await books.rows.deleteOne({ _id: ids[1] });

    expect((await findings())[0]).toBe(`account ${ana.id}: entry 3 is missing before entry 4`);
  });

  test('detects that the journal was rewritten without new receipts', async () => {
    await rewrite(books, () => 'no.signa.ture');

    expect((await findings())[0]).toContain('its receipt is not signed by a trusted key');
  });

  test('detects that the journal was rewritten with receipts signed by another key', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await rewrite(books, (transfer) => signReceipt(transfer, { kid: signer.kid, privateKey }));

    expect((await findings())[0]).toContain('its receipt is not signed by a trusted key');
  });

  test('detects that the journal was rewritten with receipts signed by the right key', async () => {
    await makeCheckpoint();
    await rewrite(books, (transfer) => signReceipt(transfer, signer));

    const found = await findings();
    expect(found).toContainEqual(expect.stringContaining('is not the one that a checkpoint signed'));
    expect(found).toContainEqual(expect.stringContaining('its consent has another amount'));
  });
});

describe('verify-ledger after a service trusted an account that was tampered with', () => {
  test('reports only the rows that stole or created money', async () => {
    const cash = await books.accounts.getCashAccount('BRL', new Date());
    const attacker = { id: rui.id, ownerId: rui.ownerId };
    const theft = newCommand({ from: { ...attacker, id: ana.id }, to: rui, amountMinor: 10n });
    const mint = newCommand({ from: { ...attacker, id: cash.id }, to: rui, amountMinor: 10n });
    const deposit = newCommand({ from: { id: ana.id, ownerId: null }, to: rui, amountMinor: 10n });

    // An attacker with write access can drop the index that allows only one cash account.
    await books.heads.dropIndex('one_cash');
    const stolen = await postWhile(ledger, { account: ana, is: { owner_id: rui.ownerId }, command: theft });
    const created = await postWhile(ledger, {
      account: cash,
      is: { owner_id: rui.ownerId, balance: 10n },
      command: mint,
    });
    const paid = await postWhile(ledger, { account: ana, is: { owner_id: null }, command: deposit });

    const found = await findings();
    expect(found.filter((finding) => finding.startsWith('transfer ') && finding.includes(' paid'))).toEqual([
      `transfer ${stolen}: its user is not the owner of the account that paid`,
      `transfer ${created}: it is no deposit, but was paid by a cash account`,
      `transfer ${paid}: it is a deposit, but was not paid by a cash account`,
    ]);
  });
});

describe('verify-ledger on checkpoints that were tampered with', () => {
  const checkpoints = () => books.connection.collection<{ _id: number; jws: string }>('checkpoints');
  beforeEach(async () => {
    await makeCheckpoint();
    await postOneMore();
    await makeCheckpoint();
  });

  test('reports a checkpoint that was edited', async () => {
    await checkpoints().updateOne({ _id: 2 }, { $set: { 'heads.0.seq': 1 } });

    expect((await findings()).at(-1)).toBe('checkpoint 2: its rows are not those that were signed');
  });

  test('reports that the first checkpoint was deleted', async () => {
    await checkpoints().deleteOne({ _id: 1 });

    expect((await findings()).at(-1)).toBe('checkpoint 2: checkpoint 1 is missing before it');
  });

  test("detects that the newest checkpoint was deleted if given that checkpoint's signature from the logs", async () => {
    const newest = await checkpoints().findOne({ _id: 2 });
    await checkpoints().deleteOne({ _id: 2 });

    expect(await findings()).toEqual([]);
    expect(await findings(newest?.jws)).toEqual(['checkpoint 2: it is in the logs, but not in the database']);
  });
});
