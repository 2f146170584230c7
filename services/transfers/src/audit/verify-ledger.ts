import { toClusterTime, type ClusterTime, type Timestamp } from '@comanda/shared/mongo/cluster-time';
import { toAccount, type AccountDocument } from '../accounts/account-document.ts';
import { readCheckpoint, type SignedHead } from '../checkpoints/checkpoint.ts';
import { fromMinor } from '@comanda/contracts/money';
import type { PublicKeys } from '@comanda/shared/crypto/statement';
import { toEntry, type EntryDocument } from '../transfers/journal-document.ts';
import { checkChain, type ChainEntry, type NumberedHead, type StoredAccount } from './check-chain.ts';
import { checkCheckpoints } from './check-checkpoints.ts';
import { checkDecisions } from './check-decisions.ts';
import { createPartiesCheck } from './check-parties.ts';
import { checkOpening, checkRow } from './check-row.ts';
import { checkCounters, checkIndexes, findWrongCollections } from './check-indexes.ts';
import { type Finding, accountRow, keyRow, transferRow } from './finding.ts';
import { isRefusal, type LedgerReader, type RawDocument, type RawElement } from './ledger-reader-store.ts';
import { shapeDefects } from './shape.ts';
import { accountShape, entryShape, headShape } from './stored-shapes.ts';

export type Counted = 'transfers' | 'accounts' | 'checkpoints';
type Progress = (what: Counted, done: number, total: number) => void;
type Options = {
  reader: LedgerReader;
  keys: PublicKeys;
  /** The keys with which auth-stepup signs authorizations. Null: checks only that each authorization exists. */
  consentKeys: PublicKeys | null;
  /** The ids of sealed keys that KEY_SEALING_SECRET does not open; empty if the keys come from a key set. */
  unopenedKeys?: readonly unknown[];
  /** A checkpoint's signature from the logs. The database must contain this checkpoint. Undefined if none was given. */
  expectedJws?: string | undefined;
  onProgress: Progress;
};
const progressEvery = 10_000;
/** The number of rows whose accounts are loaded together. */
const rowsAtOnce = 1000;

/**
 * Finds the defects in a ledger, even if its fields have the wrong types. Checks every row with its receipt or statement and its
 * authorization, and every account's chain with its balance and signed heads. Also checks every checkpoint and the rows it
 * signed, the indexes, and that all balances add up to zero. Transfers that are posted in the meantime are not defects.
 */
export async function* verifyLedger(options: Options): AsyncGenerator<Finding> {
  const wrong = await findWrongCollections(options.reader);
  yield* wrong;
  try {
    yield* verifyContent(options);
  } catch (error) {
    // Reading fails if an attacker has replaced a collection with a view that can't be read.
    const [first] = wrong;
    if (!first || !isRefusal(error)) throw error;
    yield { row: first.row, what: `so the rest cannot be verified: ${error.message}` };
  }
}

async function* verifyContent(options: Options): AsyncGenerator<Finding> {
  const { reader, keys, consentKeys, unopenedKeys = [], expectedJws, onProgress } = options;
  const size = await reader.getSize();
  const completeUntil = await getCompleteUntil(reader, keys);
  const onRow = (done: number): void => onProgress('transfers', done, size.transfers);
  yield* checkRows(reader, { keys, consentKeys, onProgress: onRow });
  const onAccount = (done: number): void => onProgress('accounts', done, size.accounts);
  const withoutConsentUntil = await getWithoutConsentUntil(reader, keys);
  yield* checkAccounts(reader, { keys, completeUntil, withoutConsentUntil, onProgress: onAccount });
  const onCheckpoints = (done: number): void => onProgress('checkpoints', done, size.checkpoints);
  yield* checkCheckpoints(counted(reader.findCheckpoints(), onCheckpoints), { keys, expectedJws });
  // The signed rows are read first. Otherwise, a row that is written and signed in the meantime would be reported as missing.
  const signed = await startReading(reader.findSignedDecisions());
  yield* checkDecisions({ rows: reader.findDecisions(), signed, completeUntil });
  yield* checkSums(reader);
  yield* checkIndexes(reader);
  yield* checkCounters(reader);
  for (const id of unopenedKeys) yield { row: keyRow(id), what: 'KEY_SEALING_SECRET does not open it' };
}

/** Returns `completeUntil` of the newest checkpoint with a valid signature: everything committed before that time is signed. */
async function getCompleteUntil(reader: LedgerReader, keys: PublicKeys): Promise<ClusterTime> {
  for await (const { jws } of reader.findCheckpointsNewestFirst()) {
    const facts = readCheckpoint(String(jws), keys);
    if (facts) return facts.completeUntil;
  }
  return 0n;
}

/**
 * Returns the last checkpoint whose rows may lack an authorization, because they were posted before authorizations were stored.
 * This is the first checkpoint that declares that authorizations are stored, because it still contains rows from just before.
 * Returns 0 for a ledger that has always stored authorizations. To remove an authorization or to post without one, an attacker
 * would have to replace all checkpoints since then.
 */
async function getWithoutConsentUntil(reader: LedgerReader, keys: PublicKeys): Promise<number> {
  let newest = 0;
  for await (const { _id: number, jws } of reader.findCheckpointsOldestFirst()) {
    newest = Number(number);
    if (readCheckpoint(String(jws), keys)?.consents) return newest === 1 ? 0 : newest;
  }
  return newest;
}

type RowsInput = { keys: PublicKeys; consentKeys: PublicKeys | null; onProgress: (done: number) => void };

async function* checkRows(reader: LedgerReader, { keys, consentKeys, onProgress }: RowsInput): AsyncGenerator<Finding> {
  const checkParties = createPartiesCheck(reader, keys);
  let done = 0;
  for await (const rows of chunksOf(reader.findRows(), rowsAtOnce)) {
    for (const document of rows)
      for (const what of checkRow(document, { keys, consentKeys })) yield { row: transferRow(document['_id']), what };
    yield* checkParties(rows);
    done += rows.length;
    if (done % progressEvery === 0) onProgress(done);
  }
  onProgress(done);
}

type AccountsInput = {
  keys: PublicKeys;
  completeUntil: ClusterTime;
  withoutConsentUntil: number;
  onProgress: (done: number) => void;
};

async function* checkAccounts(
  reader: LedgerReader,
  { keys, onProgress, ...since }: AccountsInput,
): AsyncGenerator<Finding> {
  const entries = await groupSorted(toEntries(reader.findEntries()), ({ accountId }) => accountId);
  const heads = await groupSorted(toHeads(reader.findSignedHeads()), ({ account }) => account);
  let done = 0;
  // The accounts are read after all entries, so that an account's newest entry is never older than the entries that were read.
  for await (const document of reader.findAccounts()) {
    const defects = shapeDefects(document, accountShape);
    for (const what of defects) yield { row: accountRow(document['_id']), what };
    if (defects.length > 0) {
      await skipAccount(document['_id'], [entries, heads]);
      continue;
    }
    const account = toStoredAccount(document);
    for (const what of checkOpening(account, account.statement, keys)) yield { row: accountRow(account.id), what };
    yield* orphans(entries.before(account.id), heads.before(account.id));
    const chain = withLaterEntries(reader, entries.of(account.id), account);
    const finding = await checkChain({ account, entries: chain, signedHeads: heads.of(account.id), ...since });
    if (finding) yield finding;
    if (++done % progressEvery === 0) onProgress(done);
  }
  yield* orphans(entries.before(Number.POSITIVE_INFINITY), heads.before(Number.POSITIVE_INFINITY));
  onProgress(done);
}

function toStoredAccount(document: RawDocument): StoredAccount {
  const stored = document as unknown as AccountDocument;
  return { ...toAccount(stored), statement: stored.statement, written: toClusterTime(stored.written) };
}
async function* toEntries(elements: AsyncIterable<RawElement>): AsyncGenerator<ChainEntry> {
  // Skips entries with a wrong shape. They were already reported with their transfers.
  for await (const { documentId: transferId, element, hasConsent } of elements)
    if (shapeDefects(element, entryShape).length === 0)
      yield { transferId, hasConsent, ...toEntry(element as EntryDocument) };
}
async function* toHeads(elements: AsyncIterable<RawElement>): AsyncGenerator<NumberedHead> {
  for await (const { documentId, element } of elements) {
    if (shapeDefects(element, headShape).length > 0) continue; // already reported with its checkpoint
    const { written, ...head } = element as Omit<SignedHead, 'written'> & { written: Timestamp };
    yield { ...head, checkpoint: Number(documentId), written: toClusterTime(written) };
  }
}

/** Skips the entries and the signed heads of an account that can't be checked. */
async function skipAccount(id: unknown, groups: { skip: (group: number) => Promise<void> }[]): Promise<void> {
  if (typeof id === 'number') for (const group of groups) await group.skip(id);
}

/** Reports entries and signed heads of accounts that do not exist. */
async function* orphans(
  entries: AsyncIterable<ChainEntry>,
  heads: AsyncIterable<NumberedHead>,
): AsyncGenerator<Finding> {
  for await (const { transferId, accountId } of entries)
    yield { row: transferRow(transferId), what: `it has an entry of account ${accountId}, which does not exist` };
  for await (const { account } of heads)
    yield { row: accountRow(account), what: 'a checkpoint signed it, but it does not exist' };
}

/** Yields `entries`, followed by the account's entries that were posted after `entries` were read, up to its newest entry. */
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
  for await (const entry of toEntries(reader.findEntriesAbove(id, newestSeq)))
    if (entry.accountId === id && entry.seq > newestSeq && entry.seq <= seq) yield entry;
}

async function* checkSums(reader: LedgerReader): AsyncGenerator<Finding> {
  for (const { currency, sum } of await reader.getSums()) {
    const row = `all accounts in ${String(currency)}`;
    if (typeof sum !== 'bigint') yield { row, what: 'their balances cannot be added up' };
    else if (sum !== 0n) yield { row, what: `their balances add up to ${fromMinor(sum)}, not to zero` };
  }
}

async function* counted<T>(items: AsyncIterable<T>, onDone: (count: number) => void): AsyncGenerator<T> {
  let count = 0;
  for await (const item of items) {
    count++;
    yield item;
  }
  onDone(count);
}

async function* chunksOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Requests the first item immediately, so that all items show the database's state at this moment. */
async function startReading<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await items.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* items;
  })();
}

/**
 * Groups items by a number, in one pass. The items must be sorted by this number, and callers must read the groups in ascending
 * order.
 */
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
    skip: async (group: number): Promise<void> => {
      while (!next.done && groupOf(next.value) <= group) next = await items.next();
    },
  };
}
