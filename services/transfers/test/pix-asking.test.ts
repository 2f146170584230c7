import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeBank, type FakeBank } from '@comanda/local-stack/bank/fake-bank';
import { until } from '@comanda/testing/until';
import { startTransfersHarness, type TransfersHarness } from './support/harness.ts';

type Charge = { _id: number; [field: string]: unknown };

/** Stores a code that is open for ten minutes. */
const openCode = ({ db }: TransfersHarness): Promise<unknown> =>
  db.collection<Charge>('pix_charges').insertOne({
    _id: 1,
    payment_created_at: new Date(),
    mode: 'bank',
    txid: 'a'.repeat(32),
    amount: '1.00',
    expires_at: new Date(Date.now() + 600_000),
  });

let bank: FakeBank;
let harness: TransfersHarness;
let other: { close: () => Promise<void> };
beforeAll(async () => {
  bank = await startFakeBank();
  harness = await startTransfersHarness('pix-asking', { env: { ...bank.settings, PIX_ASK_EVERY_S: '1' } });
  other = await harness.startInstance();
  await openCode(harness); // so that the bank is asked every second
});
afterEach(() => bank.setFault(null));
afterAll(async () => {
  await harness.close();
  await bank.close();
});

/** Returns the times and the ranges of the questions for new Pix, without those for periods that are read again. */
const asked = (): { from: number; to: number; hasReturns: boolean }[] =>
  bank.requests.flatMap((request, index) => {
    if (request !== 'GET /v2/pix') return [];
    const query = new URLSearchParams(bank.queries[index]);
    const [from, to] = [Date.parse(query.get('inicio') ?? ''), Date.parse(query.get('fim') ?? '')];
    return [{ from, to, hasReturns: query.get('devolucaoPresente') === 'true' }];
  });
const overlapMs = 15 * 60_000;
const isNew = ({ from, to, hasReturns }: { from: number; to: number; hasReturns: boolean }): boolean =>
  !hasReturns && to > Date.now() - 60_000 && to - from < overlapMs + 30_000;
const newAsked = (): number => asked().filter(isNew).length;

describe('two instances', () => {
  test('ask the bank as often as one would, with the last 15 minutes again', async () => {
    await until(() => newAsked() > 0, { what: 'a question for new Pix' });
    const before = newAsked();

    await sleep(6000);

    const count = newAsked() - before;
    expect(count).toBeGreaterThanOrEqual(3);
    expect(count).toBeLessThanOrEqual(7);
    const last = asked().findLast(isNew);
    expect((last?.to ?? 0) - (last?.from ?? 0)).toBeGreaterThanOrEqual(overlapMs);
  });

  test('leave the bank alone for as long as it says', async () => {
    await until(() => newAsked() > 0, { what: 'a question for new Pix' }); // the first question of all asks for a day
    bank.setFault(({ path }) => (path === '/v2/pix' ? { status: 429, retryAfter: 4 } : null));
    const before = newAsked();
    await until(() => newAsked() > before, { what: 'a rejected question' });
    const rejected = asked().length;

    await sleep(2500);

    expect(asked().length).toBe(rejected);
    bank.setFault(null);
    await until(() => asked().length > rejected, { what: 'another question' });
  });

  test('read what comes late and what was returned again, at most a day at once', async () => {
    await until(() => asked().filter(({ hasReturns }) => hasReturns).length >= 3, {
      what: 'questions for returns',
      timeoutMs: 60_000,
    });

    const returns = asked().filter(({ hasReturns }) => hasReturns);
    const [first, second] = returns;
    const dayMs = 24 * 3600_000;
    expect((first?.to ?? 0) - (first?.from ?? 0)).toBe(dayMs);
    expect(second?.from).toBe(first?.to);
    expect(Date.now() - (first?.from ?? 0)).toBeGreaterThan(89 * dayMs);
    const late = asked().filter((each) => !each.hasReturns && !isNew(each) && each.to - each.from === dayMs);
    expect(late.length).toBeGreaterThanOrEqual(2);
  });

  test('leave out a part that the bank refuses to read again', async () => {
    const refused = new Set<string>();
    bank.setFault(({ query }) => {
      if (!query.includes('devolucaoPresente')) return null;
      refused.add(query);
      return { status: 400 };
    });

    await until(() => refused.size > 1, { what: 'a question for the next part', timeoutMs: 20_000 });
  });

  test('continue four receipts each at the same time, and none while the bank wants to be left alone', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `E${String(index).padStart(31, '0')}`);
    const receipts = harness.db.collection<{ _id: string; [field: string]: unknown }>('pix_receipts');
    const continued = (): number => bank.requests.filter((each) => each.startsWith('GET /v2/pix/E')).length;
    bank.setFault(({ path }) => (path === '/v2/pix' ? { status: 429, retryAfter: 3 } : 'hang'));
    const before = asked().length;
    await until(() => asked().length > before, { what: 'a rejected question' });
    const common = { amount: '1.00', received_at: new Date(), state: 'settling', refunds: [], version: 1, outbox: [] };
    await receipts.insertMany(ids.map((_id) => ({ ...common, _id, next_at: new Date() })));

    await sleep(1500);
    expect(continued()).toBe(0);
    bank.setFault(({ path }) => (path === '/v2/pix' ? null : 'hang'));
    await until(() => continued() > 0, { what: 'a receipt to be continued' });
    await sleep(500);
    const atOnce = continued();

    await receipts.deleteMany({ _id: { $in: ids } });
    expect(atOnce).toBeLessThanOrEqual(8);
  });

  test('take over when the other one ends', async () => {
    await other.close();
    const before = newAsked();

    await until(() => newAsked() > before + 1, { what: 'more questions', timeoutMs: 10_000 });
  });
});

test('an instance that ends gives its turn to the others at once, even if the bank is slow', async () => {
  const own = await startFakeBank();
  const single = await startTransfersHarness('pix-ending', { env: { ...own.settings, PIX_ASK_EVERY_S: '1' } });
  const lease = () => single.db.collection<{ _id: string }>('pix_marks').findOne({ _id: 'lease' });
  own.setFault(({ path }) => (path === '/v2/pix' ? 'hang' : null));
  await until(() => own.requests.includes('GET /v2/pix'), { what: 'a question for new Pix' });
  expect(await lease()).not.toBeNull();

  const closing = single.close();

  await until(async () => (await lease()) === null, { what: 'the lease to be given back', timeoutMs: 2000 });
  await closing;
  await own.close();
});

test('hints with invented ids ask three times in all at first, and then once each', async () => {
  const own = await startFakeBank();
  const single = await startTransfersHarness('pix-invented', { env: { ...own.settings, PIX_ASK_EVERY_S: '60' } });
  await openCode(single);
  const questions = (): number => own.requests.filter((request) => request === 'GET /v2/pix').length;
  const hint = async (id: string, count: number): Promise<void> => {
    const before = questions();
    const body = JSON.stringify({ pix: [{ endToEndId: id }] });
    await fetch(`${single.url}/pix-hints`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    await until(() => questions() - before >= count, { what: `${count} questions`, timeoutMs: 10_000 });
    await sleep(1500);
    expect(questions() - before).toBe(count);
  };
  // The instance itself asks when it starts: for new Pix, and for what is read again.
  await until(() => questions() >= 3, { what: 'the first questions' });
  await sleep(500);

  await hint('E1', 3);
  await hint('E2', 1);
  await hint('E3', 1);

  await single.close();
  await own.close();
});

test('a hint within a second after another one asks too, as soon as that is over', async () => {
  const own = await startFakeBank();
  const single = await startTransfersHarness('pix-hints', { env: { ...own.settings, PIX_ASK_EVERY_S: '60' } });
  await openCode(single);
  const stored = (): Promise<number> => single.db.collection('pix_receipts').countDocuments();
  const payWithHint = async (): Promise<void> => {
    const body = JSON.stringify({ pix: [{ endToEndId: own.pay({ amount: '1.00' }) }] });
    await fetch(`${single.url}/pix-hints`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  };

  await payWithHint();
  await until(async () => (await stored()) === 1, { what: 'the first Pix' });
  await payWithHint();

  await until(async () => (await stored()) === 2, { what: 'the second Pix', timeoutMs: 10_000 });
  await single.close();
  await own.close();
});
