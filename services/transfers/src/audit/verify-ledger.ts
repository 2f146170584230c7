import type { SignedHead } from '../checkpoints/checkpoint.ts';
import { fromMinor } from '../money.ts';
import type { PublicKeys } from '../receipts/statement.ts';
import { checkChain } from './check-chain.ts';
import type { Entry } from './check-chain.ts';
import { checkCheckpoints } from './check-checkpoints.ts';
import { checkTransfer } from './check-transfer.ts';
import type { Finding } from './finding.ts';
import { accountRow, transferRow } from './finding.ts';
import type { LedgerReader } from './ledger-reader-store.ts';

type Progress = (what: 'transfers' | 'accounts', done: number, of: number) => void;
type Options = { reader: LedgerReader; keys: PublicKeys; known?: string | undefined; onProgress: Progress };

/**
 * All that is wrong with a ledger, in the order in which it is found: every transfer with its receipt, every account's
 * chain with its balance and what checkpoints have signed of it, every checkpoint, and that all money adds up to zero.
 * What is posted meanwhile does no harm.
 */
export async function* verifyLedger({ reader, keys, known, onProgress }: Options): AsyncGenerator<Finding> {
  const size = await reader.size();
  let done = 0;
  for await (const transfer of reader.transfers()) {
    yield* checkTransfer(transfer, keys);
    if (++done % 10_000 === 0) onProgress('transfers', done, size.transfers);
  }
  onProgress('transfers', done, done);
  yield* checkChains(reader, (accounts) => onProgress('accounts', accounts, size.accounts));
  yield* checkCheckpoints(reader.checkpoints(), { keys, known });
  for (const { currency, sum } of await reader.sums())
    if (sum !== 0n)
      yield { row: `all accounts in ${currency}`, what: `they add up to ${fromMinor(sum)} and not to zero` };
}

async function* checkChains(reader: LedgerReader, onAccounts: (done: number) => void): AsyncGenerator<Finding> {
  const entries = await inGroups(reader.entries(), ({ accountId }) => accountId);
  const heads = await inGroups(reader.signedHeads(), ({ account }) => account);
  let done = 0;
  // Read after the entries were sorted: an account stands where they end, or further on.
  for await (const account of reader.accounts()) {
    for await (const entry of entries.before(account.id))
      yield {
        row: transferRow(entry.transferId),
        what: `it has an entry of account ${entry.accountId}: there is none`,
      };
    for await (const { account: id } of heads.before(account.id))
      yield { row: accountRow(id), what: 'a checkpoint has signed it, and it is gone' };
    const signed: SignedHead[] = [];
    for await (const head of heads.of(account.id)) signed.push(head);
    const chain = withLater(reader, entries.of(account.id), account);
    const finding = await checkChain({ account, entries: chain, signed });
    if (finding) yield finding;
    if (++done % 10_000 === 0) onAccounts(done);
  }
  for await (const entry of entries.before(Number.POSITIVE_INFINITY))
    yield { row: transferRow(entry.transferId), what: `it has an entry of account ${entry.accountId}: there is none` };
  for await (const { account: id } of heads.before(Number.POSITIVE_INFINITY))
    yield { row: accountRow(id), what: 'a checkpoint has signed it, and it is gone' };
  onAccounts(done);
}

/** The entries that were read, and those that were posted since, up to where the account stands. */
async function* withLater(
  reader: LedgerReader,
  entries: AsyncIterable<Entry>,
  { id, seq }: { id: number; seq: number },
): AsyncGenerator<Entry> {
  let newest = 0;
  for await (const entry of entries) {
    newest = entry.seq;
    yield entry;
  }
  if (newest >= seq) return;
  for await (const entry of reader.entriesAbove(id, newest)) if (entry.seq <= seq) yield entry;
}

/** What comes sorted by a number, to be taken group by group. The first item is fetched at once. */
async function inGroups<T>(items: AsyncGenerator<T>, groupOf: (item: T) => number) {
  let next = await items.next();
  async function* takeWhile(isIn: (group: number) => boolean): AsyncGenerator<T> {
    while (!next.done && isIn(groupOf(next.value))) {
      yield next.value;
      next = await items.next();
    }
  }
  return {
    of: (group: number) => takeWhile((each) => each === group),
    before: (group: number) => takeWhile((each) => each < group),
  };
}
