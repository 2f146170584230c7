import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { Posting, PostingOutcome } from '../src/transfers/post-batch.ts';
import { openBooks, randomId, newCommand } from './support/books.ts';
import type { Books } from './support/books.ts';

let where: { uri: string; database: string };
let books: Books;
beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('transfers-write-path');
  where = { uri, database };
  books = await openBooks(where);
});
afterAll(() => books.close());

const statusOf = (outcome: PostingOutcome | undefined): string => {
  if (!outcome) return 'nothing';
  if ('error' in outcome) return (outcome.error as { code: string }).code;
  if (outcome.value === 'too_late') return 'too_late';
  return outcome.value.replayed ? `${outcome.value.row.status} again` : outcome.value.row.status;
};
const transferOf = (outcome: PostingOutcome | undefined) => {
  const value: Posting = outcome && 'value' in outcome ? outcome.value : 'too_late';
  if (value === 'too_late' || value.row.status !== 'posted') throw new Error(`not posted: ${statusOf(outcome)}`);
  return value.row.transfer;
};

describe('the write path', () => {
  test('when a batch has all kinds of wishes, then each has its own outcome, decided in their order', async () => {
    const [ana, rui] = [await books.funded(1000n), await books.funded(0n)];
    const outcomes = await books.post([
      newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 600n }),
      newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 600n }),
      newCommand({ fromId: rui.id, toId: ana.id, amountMinor: 600n }),
      newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 1000n }),
    ]);
    expect(outcomes.map(statusOf)).toEqual(['posted', 'refused', 'posted', 'posted']);
    expect([await books.balance(ana.id), await books.balance(rui.id)]).toEqual([0n, 1000n]);
    const { entries } = transferOf(outcomes[3]);
    expect(entries.map(({ seq, balanceMinor }) => [seq, balanceMinor])).toEqual([
      [4, 0n],
      [3, 1000n],
    ]);
  });

  test('when one token comes twice, in one batch or in two, then it has one effect', async () => {
    const [ana, rui] = [await books.funded(1000n), await books.funded(0n)];
    const once = newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 10n });
    expect((await books.post([once, { ...once }])).map(statusOf)).toEqual(['posted', 'step_up_used']);
    expect((await books.post([{ ...once }])).map(statusOf)).toEqual(['step_up_used']);
    expect(await books.balance(rui.id)).toBe(10n);
  });

  test('when one call with a key comes twice, in one batch or in two, then both have the first one’s answer', async () => {
    const [ana, rui] = [await books.funded(1000n), await books.funded(0n)];
    const once = newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 10n, idempotency: { key: 'lunch', fingerprint: 'h1' } });
    const [first, second] = await books.post([once, { ...once }]);
    const [third] = await books.post([{ ...once }]);
    expect([first, second, third].map(statusOf)).toEqual(['posted', 'posted again', 'posted again']);
    expect(transferOf(third)).toEqual(transferOf(first));
    expect(transferOf(second)).toEqual(transferOf(first));
    const other = { ...once, consent: { ...once.consent, jti: 'other' }, idempotency: { key: 'lunch', fingerprint: 'h2' } };
    expect((await books.post([other])).map(statusOf)).toEqual(['idempotency_key_reused']);
    expect(await books.balance(rui.id)).toBe(10n);
  });

  test('when a call with a key was refused, then it stays refused after money came in, also elsewhere', async () => {
    const [ana, rui] = [await books.funded(5n), await books.funded(100n)];
    const once = newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 10n, idempotency: { key: 'lunch', fingerprint: 'h1' } });
    expect((await books.post([once])).map(statusOf)).toEqual(['refused']);
    await books.post([newCommand({ fromId: rui.id, toId: ana.id, amountMinor: 50n })]);
    const elsewhere = await openBooks(where);
    try {
      expect((await elsewhere.post([{ ...once }])).map(statusOf)).toEqual(['refused again']);
    } finally {
      await elsewhere.close();
    }
    expect(await books.balance(ana.id)).toBe(55n);
  });

  test('when a token has ended, then nothing is begun', async () => {
    const [ana, rui] = [await books.funded(100n), await books.funded(0n)];
    const late = newCommand({
      fromId: ana.id,
      toId: rui.id,
      amountMinor: 10n,
      consent: { jti: 'late', pinVersion: 1, expiresAtMs: Date.now() - 1 },
    });
    const other = newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 10n });
    expect((await books.post([late, other])).map(statusOf)).toEqual(['too_late', 'posted']);
  });

  test('when a token was taken out of use, then nothing is posted with it any more', async () => {
    const [ana, rui] = [await books.funded(100n), await books.funded(0n)];
    const slow = newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 10n });
    expect(await books.journal.insertExpired(slow.consent.jti, new Date())).toMatchObject({ status: 'expired' });
    expect((await books.post([slow])).map(statusOf)).toEqual(['step_up_expired']);
    expect(await books.balance(rui.id)).toBe(0n);
  });

  test('when a token was used already, then taking it out of use says for what', async () => {
    const [ana, rui] = [await books.funded(100n), await books.funded(0n)];
    const quick = newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 10n });
    const [outcome] = await books.post([quick]);
    const row = await books.journal.insertExpired(quick.consent.jti, new Date());
    expect(row).toEqual({ status: 'posted', transfer: transferOf(outcome) });
  });

  test('when one wish of a batch cannot be decided at all, then the others are posted', async () => {
    const [ana, rui] = [await books.funded(100n), await books.funded(0n)];
    const good = () => newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 1n });
    const poison = newCommand({ fromId: ana.id, toId: randomId(), amountMinor: 1n });
    const outcomes = await books.post([good(), good(), poison, good(), good()]);
    expect(outcomes.map((outcome) => 'value' in outcome)).toEqual([true, true, false, true, true]);
    expect(await books.balance(rui.id)).toBe(4n);
  });

  test('when two instances post to one account at once, then no newCommand is lost and none is doubled', async () => {
    const [ana, rui] = [await books.funded(10_000n), await books.funded(0n)];
    const elsewhere = await openBooks(where);
    const batches = Array.from({ length: 40 }, () =>
      Array.from({ length: 5 }, () => newCommand({ fromId: ana.id, toId: rui.id, amountMinor: 10n })),
    );
    const half = async (of: Books, mine: typeof batches) => {
      const outcomes: PostingOutcome[] = [];
      for (const batch of mine) outcomes.push(...(await of.post(batch)));
      return outcomes;
    };
    try {
      const outcomes = await Promise.all([half(books, batches.slice(0, 20)), half(elsewhere, batches.slice(20))]);
      const posted = outcomes.flat().filter((outcome) => statusOf(outcome) === 'posted');
      expect(await books.balance(rui.id)).toBe(10n * BigInt(posted.length));
      expect(outcomes.flat().map(statusOf)).toEqual(Array.from({ length: 200 }, () => 'posted'));
    } finally {
      await elsewhere.close();
    }
  });
});
