import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import type { PostingOutcome } from '../src/transfers/post-batch.ts';
import type { PostedTransfer, ConsentedTransfer } from '../src/transfers/transfer.ts';
import { newCommand, openBooks, randomId, type Books } from './support/books.ts';

let where: { uri: string; database: string };
let books: Books;
let otherInstance: Books;
beforeAll(async () => {
  const { mongodbUri: uri, database } = await isolatedServers('transfers-write-path');
  where = { uri, database };
  [books, otherInstance] = [await openBooks(where), await openBooks(where)];
});
afterAll(async () => {
  await otherInstance.close();
  await books.close();
});

/** Opens an account for Ana with `balance` minor units, and an empty one for Rui. */
const openAccounts = async (balance: bigint) => ({ ana: await books.funded(balance), rui: await books.funded(0n) });

function nameOf(outcome: PostingOutcome | undefined): string {
  if (!outcome) return 'nothing';
  if ('error' in outcome) return (outcome.error as { code: string }).code;
  if (outcome.value === 'too_late') return 'too_late';
  const { row, replayed } = outcome.value;
  return replayed ? `${row.status}, replayed` : row.status;
}
function transferOf(outcome: PostingOutcome | undefined): PostedTransfer {
  const value = outcome && 'value' in outcome ? outcome.value : 'too_late';
  if (value === 'too_late' || value.row.status !== 'posted') throw new Error(`not posted: ${nameOf(outcome)}`);
  return value.row;
}

describe('a batch', () => {
  test('processes several transfers in order', async () => {
    const { ana, rui } = await openAccounts(1000n);

    const outcomes = await books.post([
      newCommand({ from: ana, to: rui, amountMinor: 600n }),
      newCommand({ from: ana, to: rui, amountMinor: 600n }),
      newCommand({ from: rui, to: ana, amountMinor: 600n }),
      newCommand({ from: ana, to: rui, amountMinor: 1000n }),
    ]);

    expect(outcomes.map(nameOf)).toEqual(['posted', 'refused', 'posted', 'posted']);
    expect([await books.balance(ana.id), await books.balance(rui.id)]).toEqual([0n, 1000n]);
    const { entries } = transferOf(outcomes[3]);
    expect(entries.map(({ seq, balanceMinor }) => [seq, balanceMinor])).toEqual([
      [4, 0n],
      [3, 1000n],
    ]);
  });

  test('posts the other commands even if one fails', async () => {
    const { ana, rui } = await openAccounts(100n);
    const good = () => newCommand({ from: ana, to: rui, amountMinor: 1n });
    const bad = newCommand({ from: ana, to: { id: randomId() }, amountMinor: 1n });

    const outcomes = await books.post([good(), good(), bad, good(), good()]);

    expect(outcomes.map((outcome) => 'value' in outcome)).toEqual([true, true, false, true, true]);
    expect(await books.balance(rui.id)).toBe(4n);
  });

  test('skips a command whose accounts are impossible', async () => {
    const { ana, rui } = await openAccounts(100n);
    const cash = await books.accounts.getCashAccount('BRL', new Date());
    const commands = [
      newCommand({ from: ana, to: rui, amountMinor: 1n, userId: rui.ownerId ?? 0 }),
      newCommand({ from: cash, to: rui, amountMinor: 1n, kind: 'internal_transfer' }),
      newCommand({ from: ana, to: rui, amountMinor: 1n, kind: 'account_deposit' }),
      newCommand({ from: ana, to: cash, amountMinor: 1n }),
      newCommand({ from: ana, to: rui, amountMinor: 1n, currency: 'USD' }),
      newCommand({ from: ana, to: rui, amountMinor: 1n }),
    ];

    const outcomes = await books.post(commands);

    const messages = outcomes.map((outcome) => ('error' in outcome ? (outcome.error as Error).message : 'posted'));
    expect(messages).toEqual([
      'this transfer cannot be posted: its user is not the owner of the account that paid',
      'this transfer cannot be posted: it is no deposit, but was paid by a cash account',
      'this transfer cannot be posted: it is a deposit, but was not paid by a cash account',
      'this transfer cannot be posted: it was paid to a cash account',
      'this transfer cannot be posted: its currency is not that of both accounts',
      'posted',
    ]);
    expect([await books.balance(ana.id), await books.balance(rui.id)]).toEqual([99n, 1n]);
  });

  test('posts every transfer only once, even if two instances post at the same time', async () => {
    const { ana, rui } = await openAccounts(10_000n);
    /** Retries a command while the other instance comes first, as the ledger does. */
    const postUntilDecided = async (
      instance: Books,
      commands: readonly ConsentedTransfer[],
    ): Promise<PostingOutcome[]> => {
      const outcomes = await instance.post(commands);
      const isBusy = (index: number): boolean => nameOf(outcomes[index]) === 'service_unavailable';
      const busy = commands.filter((_, index) => isBusy(index));
      const decided = outcomes.filter((_, index) => !isBusy(index));
      return busy.length === 0 ? outcomes : [...decided, ...(await postUntilDecided(instance, busy))];
    };
    const postBatches = async (instance: Books): Promise<PostingOutcome[]> => {
      const outcomes: PostingOutcome[] = [];
      for (let batch = 0; batch < 20; batch++)
        outcomes.push(
          ...(await postUntilDecided(
            instance,
            Array.from({ length: 5 }, () => newCommand({ from: ana, to: rui, amountMinor: 10n })),
          )),
        );
      return outcomes;
    };

    const outcomes = await Promise.all([postBatches(books), postBatches(otherInstance)]);

    expect(outcomes.flat().map(nameOf)).toEqual(Array.from({ length: 200 }, () => 'posted'));
    expect(await books.balance(rui.id)).toBe(2000n);
  });
});

describe('a token', () => {
  test('has one effect if it occurs twice in a batch', async () => {
    const { ana, rui } = await openAccounts(1000n);
    const command = newCommand({ from: ana, to: rui, amountMinor: 10n });

    const outcomes = await books.post([command, { ...command }]);

    expect(outcomes.map(nameOf)).toEqual(['posted', 'step_up_used']);
    expect(await books.balance(rui.id)).toBe(10n);
  });

  test('has one effect if it occurs again in a later batch', async () => {
    const { ana, rui } = await openAccounts(1000n);
    const command = newCommand({ from: ana, to: rui, amountMinor: 10n });
    await books.post([command]);

    const outcomes = await books.post([{ ...command }]);

    expect(outcomes.map(nameOf)).toEqual(['step_up_used']);
    expect(await books.balance(rui.id)).toBe(10n);
  });

  test('posts nothing after it has expired', async () => {
    const { ana, rui } = await openAccounts(100n);
    const consent = { jti: 'late', pinVersion: 1, expiresAtMs: Date.now() - 1, jws: '' };
    const late = newCommand({ from: ana, to: rui, amountMinor: 10n, consent });
    const inTime = newCommand({ from: ana, to: rui, amountMinor: 10n });

    const outcomes = await books.post([late, inTime]);

    expect(outcomes.map(nameOf)).toEqual(['too_late', 'posted']);
  });

  test('posts nothing after it was declared expired', async () => {
    const { ana, rui } = await openAccounts(100n);
    const command = newCommand({ from: ana, to: rui, amountMinor: 10n });
    const row = await books.journal.insertExpired(command.consent.jti, new Date());

    const outcomes = await books.post([command]);

    expect(row).toMatchObject({ status: 'expired' });
    expect(outcomes.map(nameOf)).toEqual(['step_up_expired']);
    expect(await books.balance(rui.id)).toBe(0n);
  });

  test('returns its transfer if it was spent before being declared expired', async () => {
    const { ana, rui } = await openAccounts(100n);
    const command = newCommand({ from: ana, to: rui, amountMinor: 10n });
    const [outcome] = await books.post([command]);

    const row = await books.journal.insertExpired(command.consent.jti, new Date());

    expect(row).toEqual(transferOf(outcome));
  });
});

describe('an idempotency key', () => {
  const idempotency = { key: 'lunch', fingerprint: 'h1' };

  test('returns the first response each time it is used', async () => {
    const { ana, rui } = await openAccounts(1000n);
    const command = newCommand({ from: ana, to: rui, amountMinor: 10n, idempotency });

    const outcomes = [...(await books.post([command, { ...command }])), ...(await books.post([{ ...command }]))];

    expect(outcomes.map(nameOf)).toEqual(['posted', 'posted, replayed', 'posted, replayed']);
    const [first, ...others] = outcomes.map(transferOf);
    expect(others).toEqual([first, first]);
    expect(await books.balance(rui.id)).toBe(10n);
  });

  test("is rejected if the request isn't the same", async () => {
    const { ana, rui } = await openAccounts(1000n);
    const command = newCommand({ from: ana, to: rui, amountMinor: 10n, idempotency });
    await books.post([command]);
    const consent = { ...command.consent, jti: 'other' };

    const outcomes = await books.post([{ ...command, consent, idempotency: { key: 'lunch', fingerprint: 'h2' } }]);

    expect(outcomes.map(nameOf)).toEqual(['idempotency_key_reused']);
    expect(await books.balance(rui.id)).toBe(10n);
  });

  test('stays rejected, even after the account has received money', async () => {
    const { ana, rui } = await openAccounts(5n);
    const command = newCommand({ from: ana, to: rui, amountMinor: 10n, idempotency });
    const first = await books.post([command]);
    const payer = await books.funded(100n);
    await books.post([newCommand({ from: payer, to: ana, amountMinor: 50n })]);

    const again = await otherInstance.post([{ ...command }]);

    expect([...first, ...again].map(nameOf)).toEqual(['refused', 'refused, replayed']);
    expect(await books.balance(ana.id)).toBe(55n);
  });
});
