import type { SignedHead } from '../checkpoints/checkpoint.ts';
import { fromMinor } from '../money.ts';
import type { PublicKeys } from '../receipts/statement.ts';
import { checkChain } from './check-chain.ts';
import type { ChainEntry } from './check-chain.ts';
import { checkCheckpoints } from './check-checkpoints.ts';
import { checkTransfer } from './check-transfer.ts';
import type { Finding } from './finding.ts';
import { accountRow, transferRow } from './finding.ts';
import type { LedgerReader } from './ledger-reader-store.ts';

type Progress = (what: 'transfers' | 'accounts', done: number, total: number) => void;
type Options = {
  reader: LedgerReader;
  keys: PublicKeys;
  /** The signature of a checkpoint from the logs, which must exist in the database. */
  expectedJws?: string | undefined;
  onProgress: Progress;
};
const progressEvery = 10_000;

/**
 * Finds all defects of a ledger: checks every transfer with its receipt, every account's chain with its balance and its
 * signed heads, every checkpoint, and that all balances add up to zero. Transfers that are posted in the meantime are no
 * defects.
 */
export async function* verifyLedger({ reader, keys, expectedJws, onProgress }: Options): AsyncGenerator<Finding> {
  const size = await reader.getSize();
  yield* checkTransfers(reader, { keys, onProgress: (done) => onProgress('transfers', done, size.transfers) });
  yield* checkChains(reader, (done) => onProgress('accounts', done, size.accounts));
  yield* checkCheckpoints(reader.findCheckpoints(), { keys, expectedJws });
  for (const { currency, sum } of await reader.getSums())
    if (sum !== 0n)
      yield { row: `all accounts in ${currency}`, what: `their balances add up to ${fromMinor(sum)}, not to zero` };
}

async function* checkTransfers(
  reader: LedgerReader,
  { keys, onProgress }: { keys: PublicKeys; onProgress: (done: number) => void },
): AsyncGenerator<Finding> {
  let done = 0;
  for await (const transfer of reader.findTransfers()) {
    yield* checkTransfer(transfer, keys);
    if (++done % progressEvery === 0) onProgress(done);
  }
  onProgress(done);
}

async function* checkChains(reader: LedgerReader, onProgress: (done: number) => void): AsyncGenerator<Finding> {
  const entries = await groupSorted(reader.findEntries(), ({ accountId }) => accountId);
  const heads = await groupSorted(reader.findSignedHeads(), ({ account }) => account);
  let done = 0;
  // Accounts are read after the entries were sorted, so an account's head is never older than the entries read.
  for await (const account of reader.findAccounts()) {
    yield* orphans(entries.before(account.id), heads.before(account.id));
    const signedHeads: SignedHead[] = [];
    for await (const head of heads.of(account.id)) signedHeads.push(head);
    const chain = withLaterEntries(reader, entries.of(account.id), account);
    const finding = await checkChain({ account, entries: chain, signedHeads });
    if (finding) yield finding;
    if (++done % progressEvery === 0) onProgress(done);
  }
  yield* orphans(entries.before(Number.POSITIVE_INFINITY), heads.before(Number.POSITIVE_INFINITY));
  onProgress(done);
}

/** Entries and signed heads whose account does not exist. */
async function* orphans(entries: AsyncIterable<ChainEntry>, heads: AsyncIterable<SignedHead>): AsyncGenerator<Finding> {
  for await (const { transferId, accountId } of entries)
    yield { row: transferRow(transferId), what: `it has an entry of account ${accountId}, which does not exist` };
  for await (const { account } of heads)
    yield { row: accountRow(account), what: 'a checkpoint signed it, but it does not exist' };
}

/** `entries`, then those that were posted after they were read, up to the head of the account. */
async function* withLaterEntries(
  reader: LedgerReader,
  entries: AsyncIterable<ChainEntry>,
  { id, seq }: { id: number; seq: number },
): AsyncGenerator<ChainEntry> {
  let newestSeq = 0;
  for await (const entry of entries) {
    newestSeq = entry.seq;
    yield entry;
  }
  if (newestSeq >= seq) return;
  for await (const entry of reader.findEntriesAbove(id, newestSeq)) if (entry.seq <= seq) yield entry;
}

/** Groups items that are sorted by a number, in one pass. Groups are to be read in ascending order. */
async function groupSorted<T>(items: AsyncGenerator<T>, groupOf: (item: T) => number) {
  let next = await items.next();
  async function* takeWhile(isIncluded: (group: number) => boolean): AsyncGenerator<T> {
    while (!next.done && isIncluded(groupOf(next.value))) {
      yield next.value;
      next = await items.next();
    }
  }
  return {
    of: (group: number) => takeWhile((each) => each === group),
    before: (group: number) => takeWhile((each) => each < group),
  };
}
