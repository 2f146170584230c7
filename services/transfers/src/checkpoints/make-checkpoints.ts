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
   * Limits the checkpoint to changes after this time. That is cheap, but misses earlier writes that were committed later.
   * Undefined: includes everything that is not signed yet.
   */
  writtenAfter?: ClusterTime | undefined;
  /**
   * Everything ever signed about accounts. The heads of all accounts are compared with it, even if they claim no change.
   * Undefined: `written` decides which accounts are compared.
   */
  signedHeads?: SignedHeads | undefined;
};
export type MadeCheckpoints = {
  made: Checkpoint[];
  readUntil: ClusterTime;
  /** Changes that others made to the database, described in sentences. */
  defects: string[];
  /** True if no checkpoint can be created, because its number belongs to a document that is not a signed checkpoint. */
  isBlocked: boolean;
};

/**
 * The longest time from a transaction's writes to its commit, with a margin: MongoDB aborts a transaction after
 * `transactionLifetimeLimitSeconds`, by default 60.
 */
export const commitMargin = clusterSeconds(120);

/**
 * Signs the heads of all accounts that were opened or changed since the last checkpoints, and all rejected and expired rows.
 * Returns the new checkpoints: none if nothing is new, and no more once another instance has inserted one. Only the database's
 * cluster time decides what is new, not an instance's clock, a setting or unsigned data.
 */
export async function makeCheckpoints(deps: MakeCheckpointsDeps, input: Input): Promise<MadeCheckpoints> {
  const { signer, trusted, now, writtenAfter, signedHeads } = input;
  const { checkpoints } = deps;
  // Must come before all other reads, which then see everything committed before this time.
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
    // If this instance stops before the last checkpoint is created, the next checkpoints start at the same place.
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

/** Checks whether checkpoint `number` is signed, because another instance created it. Also true if there is none. */
async function isSigned(checkpoints: CheckpointStore, number: number, trusted: PublicKeys): Promise<boolean> {
  const stored = await checkpoints.findNewest(number);
  return stored === null || readCheckpoint(stored.jws, trusted)?.number === number;
}

type Signed = {
  /** The number of the newest checkpoint with a valid signature. */
  number: number;
  previous: string | null;
  completeUntil: ClusterTime;
  /** The newest signed entry number of each account, and 0 for rejected and expired rows. */
  seqs: Map<number | string, number>;
  defects: string[];
};

/** Returns the contents of recent checkpoints. Ignores checkpoints with an invalid signature or list. */
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

/** Returns a key for a rejected or expired row. Accounts use their numbers as keys. */
const rowKey = (id: number | string): string => `row ${id}`;

type Wanted = { since: ClusterTime; compareAll: boolean; before: Signed };

/** Yields heads and rows that are not signed yet. A head older than its signed head is a defect: entries were removed. */
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
