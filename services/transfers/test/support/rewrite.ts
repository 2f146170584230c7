import { genesisHash } from '../../src/accounts/account.ts';
import type { signReceipt } from '../../src/transfers/receipt.ts';
import { toTransfer, type PostedDocument } from '../../src/transfers/journal-document.ts';
import { entryHash, transferDigest } from '../../src/transfers/transfer.ts';
import type { Books } from './books.ts';

/**
 * Rewrites the journal with other amounts and matching hashes and balances, as an attacker with write access to the database
 * could.
 */
export async function rewrite(
  books: Books,
  sign: (transfer: Parameters<typeof signReceipt>[0]) => string,
): Promise<void> {
  const documents = (await books.rows
    .find({ status: 'posted' }, { useBigInt64: true })
    .sort({ _id: 1 })
    .toArray()) as unknown[];
  const heads = new Map<number, { seq: number; balanceMinor: bigint; hash: string }>();
  for (const document of documents as PostedDocument[]) {
    const transfer = toTransfer(document);
    const facts = { ...transfer, amountMinor: transfer.amountMinor + 1n };
    const digest = transferDigest(facts);
    const entries = await Promise.all(
      facts.entries.map(async (entry, side) => {
        const account = await books.accounts.findAccount(entry.accountId);
        if (!account) throw new Error('no account');
        const before = heads.get(entry.accountId) ?? { seq: 0, balanceMinor: 0n, hash: genesisHash(account) };
        const amountMinor = side === 0 ? -facts.amountMinor : facts.amountMinor;
        const next = { ...entry, amountMinor, balanceMinor: before.balanceMinor + amountMinor, prev: before.hash };
        const whole = { ...next, hash: entryHash(next, digest) };
        heads.set(entry.accountId, whole);
        return whole;
      }),
    );
    const receipt = sign({ ...facts, entries: entries as never });
    const stored = entries.map(({ accountId, amountMinor, balanceMinor, ...rest }) => ({
      account: accountId,
      amount: amountMinor,
      balance: balanceMinor,
      ...rest,
    }));
    await books.rows.updateOne({ _id: transfer.id }, { $set: { amount: facts.amountMinor, entries: stored, receipt } });
  }
  for (const [id, { balanceMinor, hash }] of heads)
    await books.heads.updateOne({ _id: id }, { $set: { balance: balanceMinor, hash } });
}
