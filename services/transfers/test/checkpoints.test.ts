import mongoose from 'mongoose';
import { createLogger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createCheckpointMetrics } from '../src/checkpoints/checkpoint-metrics.ts';
import { createSignedHeads } from '../src/checkpoints/signed-heads.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { createCheckpointStore } from '../src/checkpoints/checkpoint-store.ts';
import { startCheckpointTimer } from '../src/checkpoints/checkpoint-timer.ts';
import { newCommand } from './support/books.ts';
import { findingsOf } from './support/findings.ts';
import { openSmallLedger, type SmallLedger } from './support/small-ledger.ts';

let where: { uri: string; database: string };
let ledger: SmallLedger;
beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('checkpoints');
  where = { uri, database };
});
let count = 0;
beforeEach(async () => {
  ledger = await openSmallLedger({ ...where, database: `${where.database}-${++count}` });
});
afterEach(() => ledger.books.close());

const post = (amountMinor = 1n): Promise<unknown> =>
  ledger.books.post([newCommand({ from: ledger.rui, to: ledger.ana, amountMinor })]);
/** Creates a checkpoint. Returns the accounts and the rows that it contains. */
async function signed(now?: Date): Promise<{ accounts: number[]; rows: unknown[] }> {
  const { made } = await ledger.checkpoint(now);
  return {
    accounts: made.flatMap(({ heads }) => heads.map(({ account }) => account)).toSorted((a, b) => a - b),
    rows: made.flatMap(({ decisions }) => decisions.map(({ id }) => id)),
  };
}
const findings = () => findingsOf({ connection: ledger.books.connection, keys: ledger.keys });
const stored = () => ledger.books.connection.collection<{ _id: number }>('checkpoints');

describe('a checkpoint', () => {
  test('signs everything new exactly once', async () => {
    const { books, ana, rui } = ledger;
    const cash = await books.accounts.getCashAccount('BRL', new Date());
    const empty = await books.funded(0n);
    await post(1_000_000n);
    await books.journal.insertExpired('a-token', new Date());

    const first = await signed();
    const second = await signed();
    await post();
    const third = await signed();

    expect(first).toEqual({
      accounts: [ana.id, cash.id, rui.id, empty.id].toSorted((a, b) => a - b),
      rows: [expect.any(Number), 'expired a-token'],
    });
    expect(second).toEqual({ accounts: [], rows: [] });
    expect(third).toEqual({ accounts: [ana.id, rui.id].toSorted((a, b) => a - b), rows: [] });
    expect(await findings()).toEqual([]);
  });

  test("signs other instances' writes, even if a clock is half an hour ahead", async () => {
    await signed(new Date(Date.now() + 30 * 60_000));
    await post();

    const { accounts } = await signed();

    expect(accounts).toHaveLength(2);
  });

  test('is created even if an attacker has added an unsigned checkpoint', async () => {
    await signed();
    await stored().insertOne({ _id: 1000, heads: [], decisions: [], jws: 'nonsense' } as never);
    await post();

    const { accounts } = await signed();

    expect(accounts).toHaveLength(2);
    expect(await findings()).toContain('checkpoint 1000: checkpoint 3 is missing before it');
  });

  test('lets verify-ledger report an account whose newest change is missing from it', async () => {
    await signed();
    await post();
    const long = Date.now() - 3_600_000;
    const written = await import('mongoose').then(
      ({ mongo }) => new mongo.Timestamp({ t: Math.floor(long / 1000), i: 1 }),
    );
    await ledger.books.heads.updateOne({ _id: ledger.ana.id }, { $set: { written } as never });
    await signed();

    expect(await findings()).toContain(`account ${ledger.ana.id}: no checkpoint has signed its newest entry, 6`);
  });

  test("isn't created if an attacker has taken its number", async () => {
    await signed();
    await stored().insertOne({ _id: 2, heads: [], decisions: [], jws: 'nonsense' } as never);
    await stored().insertOne({ _id: 2 ** 52, heads: [], decisions: [], jws: 'nonsense' } as never);
    await post();

    const { made, isBlocked, defects } = await ledger.checkpoint();

    expect([made, isBlocked]).toEqual([[], true]);
    expect(defects).toEqual([
      `document ${2 ** 52} is not a signed checkpoint`,
      'document 2 is not a signed checkpoint',
      'document 2 is not a signed checkpoint: no checkpoint can be made',
    ]);
  });

  test('causes no error if another instance creates it at the same time', async () => {
    const results = await Promise.all([ledger.checkpoint(), ledger.checkpoint()]);

    expect(results.flatMap(({ made }) => made)).toHaveLength(1);
    expect(results.flatMap(({ defects }) => defects)).toEqual([]);
  });

  test('is ignored if the list in it was changed', async () => {
    await signed();
    await post();
    const claim = { account: ledger.ana.id, seq: 6, hash: 'h', written: new mongoose.mongo.Timestamp(1n) };
    await stored().updateOne({ _id: 1 }, { $push: { heads: claim } as never });

    const { made, defects } = await ledger.checkpoint();

    expect(made.flatMap(({ heads }) => heads).filter(({ account }) => account === ledger.ana.id)).toHaveLength(1);
    expect(defects).toEqual(['the rows of checkpoint 1 are not those that were signed']);
  });

  test('signs a change that was hidden from the previous checkpoint', async () => {
    const signedHeads = createSignedHeads(createCheckpointStore(ledger.books.connection));
    await ledger.checkpoint(new Date(), { signedHeads });
    await post();
    await ledger.books.heads.updateMany({}, { $set: { written: new mongoose.mongo.Timestamp(1n) } as never });
    const { accounts: seen } = await signed();

    const { made } = await ledger.checkpoint(new Date(), { signedHeads });

    const accounts = made.flatMap(({ heads }) => heads.map(({ account }) => account));
    expect([seen, accounts.toSorted((a, b) => a - b)]).toEqual([[], [ledger.ana.id, ledger.rui.id]]);
  });

  test('reports entries that were removed after the previous checkpoint', async () => {
    await signed();
    await ledger.books.heads.updateOne({ _id: ledger.ana.id }, { $set: { seq: 3 } });

    const { made, defects } = await ledger.checkpoint();

    expect([made, defects]).toEqual([[], [`account ${ledger.ana.id} has 3 entries, but entry 5 was signed`]]);
  });
});

describe('the timer for checkpoints', () => {
  function startTimer(everyRows: number) {
    const { books, signer, keys } = ledger;
    const lines: string[] = [];
    const metrics = createMetrics('test');
    let nowMs = Date.now();
    const timer = startCheckpointTimer({
      accounts: books.accounts,
      journal: books.journal,
      checkpoints: createCheckpointStore(books.connection),
      keys: { signer: () => signer, trusted: () => keys },
      everyMs: 60_000,
      everyRows,
      isUp: () => true,
      clock: () => nowMs,
      logger: createLogger({ service: 'transfers', level: 'error' }, { write: (line) => void lines.push(line) }),
      metrics: createCheckpointMetrics(metrics),
    });
    return { timer, lines, metrics, passMs: (ms: number) => (nowMs += ms) };
  }

  test("logs an error if it can't create a checkpoint", async () => {
    await signed();
    await stored().insertOne({ _id: 2, heads: [], decisions: [], jws: 'nonsense' } as never);
    await post();
    const { timer, lines, metrics, passMs } = startTimer(1);

    timer.countRows(1);
    await until(() => lines.length > 0, { what: 'an error line' });
    await timer.close();

    passMs(180_000);
    const early = timer.warnings();
    passMs(1);
    expect(lines.map((line) => JSON.parse(line).defect)).toEqual([
      'document 2 is not a signed checkpoint',
      'document 2 is not a signed checkpoint: no checkpoint can be made',
    ]);
    expect(early).toEqual([]);
    expect(timer.warnings()).toEqual([
      'No checkpoint could be made for three periods: what was written since can be removed without a trace.',
    ]);
    const text = await metrics.metrics();
    expect(text).toMatch(/comanda_checkpoint_defects_total\S* 2\n/);
    expect(text).toMatch(/comanda_checkpoint_age_seconds\S* 180/);
  });
});

test('an instance creates a checkpoint early if there are many new rows', async () => {
  const { books, signer, keys } = ledger;
  const checkpoints = createCheckpointStore(books.connection);
  const timer = startCheckpointTimer({
    accounts: books.accounts,
    journal: books.journal,
    checkpoints,
    keys: { signer: () => signer, trusted: () => keys },
    everyMs: 86_400_000,
    everyRows: 100,
    isUp: () => true,
    clock: Date.now,
    logger: silentLogger,
    metrics: createCheckpointMetrics(createMetrics('test')),
  });

  timer.countRows(99);
  const before = await stored().countDocuments();
  timer.countRows(1);
  await until(() => stored().countDocuments(), { what: 'a checkpoint' });
  await post();
  timer.countRows(100);
  await until(async () => (await stored().countDocuments()) === 2, { what: 'another checkpoint' });
  await timer.close();

  expect(before).toBe(0);
  expect((await signed()).accounts).toEqual([]);
  expect(await findings()).toEqual([]);
});
