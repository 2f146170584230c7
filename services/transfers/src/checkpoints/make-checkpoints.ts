import { clusterSeconds, type ClusterTime } from '@comanda/shared/mongo/cluster-time';
import type { AccountStore } from '../accounts/account-store.ts';
import type { PublicKeys, Signer } from '@comanda/shared/crypto/statement';
import type { JournalStore } from '../transfers/journal-store.ts';
import { isAsSigned, maxRows, readCheckpoint, signCheckpoint, type Checkpoint, type SignedRow } from './checkpoint.ts';
import type { CheckpointStore } from './checkpoint-store.ts';
import type { SignedHeads } from './signed-heads.ts';

export type MakeCheckpointsDeps = {
  accounts: Pick<AccountStore, 'findHeads'>;
  journal: Pick<JournalStore, 'findDecisionsWrittenSince'>;
  checkpoints: CheckpointStore;
};
type Input = {
  signer: Signer;
  trusted: PublicKeys;
  now: Date;
  /**
   * If set, signs only changes after this time. That is fast, but misses changes that were written before this time and committed
   * after it. If undefined, signs everything that isn't signed yet.
   */
  writtenAfter?: ClusterTime | undefined;
  /**
   * The newest entry ever signed for each account. If set, all accounts are compared with it, even those that seem unchanged. If
   * undefined, only accounts whose `written` has changed are compared.
   */
  signedHeads?: SignedHeads | undefined;
};
export type MadeCheckpoints = {
  made: Checkpoint[];
  readUntil: ClusterTime;
  /** Signs of tampering with the database, as sentences. */
  defects: string[];
  /** True if no checkpoint can be created, because a document that is not a signed checkpoint has the next number. */
  isBlocked: boolean;
};

/**
 * The longest time between a transaction's write and its commit, with a margin. MongoDB aborts a transaction after
 * `transactionLifetimeLimitSeconds`, by default 60 s.
 */
export const commitMargin = clusterSeconds(120);

/**
 * Signs the newest entries of all accounts that were opened or changed since the last checkpoints, and all new rejected and
 * expired rows. Returns the new checkpoints. Stops early if another instance has inserted a checkpoint with the next number. Only
 * the database's cluster time decides what is new: no instance's clock, no setting and no unsigned data.
 */
export async function makeCheckpoints(deps: MakeCheckpointsDeps, input: Input): Promise<MadeCheckpoints> {
  const { signer, trusted, now, writtenAfter, signedHeads } = input;
  const { checkpoints } = deps;
  // This must be the first read, so that all other reads see everything that was committed before `readUntil`.
  const readUntil = await checkpoints.getReadTime();
  const before = await findSigned(checkpoints, input);
  if (signedHeads) for (const [account, seq] of await signedHeads.read(trusted)) before.seqs.set(account, seq);
  const margin = before.completeUntil - commitMargin;
  const since = writtenAfter ?? (margin < 0n ? 0n : margin);
  const { defects } = before;
  let { number, previous } = before;
  const made: Checkpoint[] = [];
  const rows = unsignedRows(deps, { since, compareAll: signedHeads !== undefined, before });
  for await (const { rows: chunk, isLast } of chunksOf(rows)) {
    // Until the last checkpoint of this run is created, `completeUntil` stays the same. So if this instance stops, the next run
    // starts there.
    const isComplete = isLast && writtenAfter === undefined;
    const completeUntil = isComplete ? readUntil : before.completeUntil;
    number++;
    const checkpoint = signCheckpoint({ rows: chunk, at: now, completeUntil, readUntil, number, previous }, signer);
    if (!(await checkpoints.insertCheckpoint(checkpoint))) {
      const isBlocked = !(await isSigned(checkpoints, number, trusted));
      if (isBlocked) defects.push(`document ${number} is not a signed checkpoint: no checkpoint can be made`);
      return { made, readUntil, defects, isBlocked };
    }
    made.push(checkpoint);
    previous = checkpoint.jws;
  }
  return { made, readUntil, defects, isBlocked: false };
}

/**
 * Returns true if checkpoint `number` has a valid signature: another instance created it. Also returns true if it does not exist.
 */
async function isSigned(checkpoints: CheckpointStore, number: number, trusted: PublicKeys): Promise<boolean> {
  const stored = await checkpoints.findNewest(number);
  return stored === null || readCheckpoint(stored.jws, trusted)?.number === number;
}

type Signed = {
  /** The number of the newest checkpoint with a valid signature. */
  number: number;
  previous: string | null;
  completeUntil: ClusterTime;
  /** For each account, the `seq` of its newest signed entry. For each rejected or expired row, 0. */
  seqs: Map<number | string, number>;
  defects: string[];
};

/**
 * Returns the facts and rows of recent checkpoints. Reports those with an invalid signature or rows as defects, and leaves them
 * out.
 */
async function findSigned(checkpoints: CheckpointStore, { trusted, writtenAfter }: Input): Promise<Signed> {
  const signed: Signed = { number: 0, previous: null, completeUntil: 0n, seqs: new Map(), defects: [] };
  for await (const stored of checkpoints.findNewestFirst()) {
    const facts = readCheckpoint(stored.jws, trusted);
    if (facts?.number !== stored.number) {
      signed.defects.push(`document ${stored.number} is not a signed checkpoint`);
      continue;
    }
    if (signed.previous === null) {
      signed.number = stored.number;
      signed.previous = stored.jws;
      signed.completeUntil = facts.completeUntil;
    }
    if (writtenAfter !== undefined || facts.readUntil < signed.completeUntil - commitMargin) break;
    if (!isAsSigned(stored, facts)) {
      signed.defects.push(`the rows of checkpoint ${stored.number} are not those that were signed`);
      continue;
    }
    for (const { account, seq } of stored.heads) if (!signed.seqs.has(account)) signed.seqs.set(account, seq);
    for (const { id } of stored.decisions) signed.seqs.set(rowKey(id), 0);
  }
  return signed;
}

/** Returns the map key for a rejected or expired row. An account's key is its id. */
const rowKey = (id: number | string): string => `row ${id}`;

type Wanted = { since: ClusterTime; compareAll: boolean; before: Signed };

/**
 * Yields accounts' newest entries and rows that aren't signed yet. An entry older than the signed one is a defect: entries were
 * removed.
 */
async function* unsignedRows(
  { accounts, journal }: MakeCheckpointsDeps,
  { since, compareAll, before: { seqs, defects } }: Wanted,
): AsyncGenerator<SignedRow> {
  for await (const head of accounts.findHeads(compareAll ? undefined : since)) {
    const signedSeq = seqs.get(head.account) ?? -1;
    if (head.seq > signedSeq) yield { head };
    if (head.seq < signedSeq)
      defects.push(`account ${head.account} has ${head.seq} entries, but entry ${signedSeq} was signed`);
  }
  for await (const decision of journal.findDecisionsWrittenSince(since))
    if (!seqs.has(rowKey(decision.id))) yield { decision };
}

async function* chunksOf(rows: AsyncIterable<SignedRow>): AsyncGenerator<{ rows: SignedRow[]; isLast: boolean }> {
  let chunk: SignedRow[] = [];
  for await (const row of rows) {
    if (chunk.length === maxRows) {
      yield { rows: chunk, isLast: false };
      chunk = [];
    }
    chunk.push(row);
  }
  if (chunk.length > 0) yield { rows: chunk, isLast: true };
}
