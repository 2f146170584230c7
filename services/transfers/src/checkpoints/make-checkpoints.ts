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
   * Only what was written after this time: cheap, but it misses what was written before it and committed after it.
   * Undefined: everything that is not signed yet.
   */
  writtenAfter?: ClusterTime | undefined;
  /**
   * All that was ever signed of accounts: the heads of all accounts are compared with it, also of those that say that
   * they were not written since. Undefined: `written` decides which accounts are compared.
   */
  signedHeads?: SignedHeads | undefined;
};
export type MadeCheckpoints = {
  made: Checkpoint[];
  readUntil: ClusterTime;
  /** What somebody else has written to the database, in sentences. */
  defects: string[];
  /** No checkpoint can be made: its number has a document that is not a signed checkpoint. */
  isBlocked: boolean;
};

/**
 * A transaction may be committed this much later than its rows were written: MongoDB aborts it after
 * `transactionLifetimeLimitSeconds`, which is 60 by default.
 */
export const commitMargin = clusterSeconds(120);

/**
 * Signs the heads of all accounts that were opened or changed since the last checkpoints, and all refused and expired
 * rows. Returns the new checkpoints: none if nothing is new, and no more once another instance has inserted one. Only the
 * cluster time of the database decides what is new: no clock of an instance, no setting, and nothing that is not signed.
 */
export async function makeCheckpoints(deps: MakeCheckpointsDeps, input: Input): Promise<MadeCheckpoints> {
  const { signer, trusted, now, writtenAfter, signedHeads } = input;
  const { checkpoints } = deps;
  // Before all other reads, which then see all that was committed before it.
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
    // If this instance ends before the last one is made, the next checkpoints begin where these began.
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

/** Whether another instance has made checkpoint `number`. */
async function isSigned(checkpoints: CheckpointStore, number: number, trusted: PublicKeys): Promise<boolean> {
  const stored = await checkpoints.findNewest(number);
  return stored === null || readCheckpoint(stored.jws, trusted)?.number === number;
}

type Signed = {
  /** Of the newest checkpoint that is signed. */
  number: number;
  previous: string | null;
  completeUntil: ClusterTime;
  /** The newest entry number that was signed of each account, and 0 for refused and expired rows. */
  seqs: Map<number | string, number>;
  defects: string[];
};

/** What recent checkpoints have signed. One whose signature or list is not valid counts for nothing. */
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

/** Accounts have the numbers, and rows other keys. */
const rowKey = (id: number | string): string => `row ${id}`;

type Wanted = { since: ClusterTime; compareAll: boolean; before: Signed };

/** Heads that are older than what was signed are defects: entries were removed. */
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
