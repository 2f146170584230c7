import { clusterSeconds, type ClusterTime } from '@comanda/shared/mongo/cluster-time';
import type { AccountStore } from '../accounts/account-store.ts';
import type { PublicKeys, Signer } from '../receipts/statement.ts';
import type { JournalStore } from '../transfers/journal-store.ts';
import { maxRows, readCheckpoint, signCheckpoint, type Checkpoint, type SignedRow } from './checkpoint.ts';
import type { CheckpointStore } from './checkpoint-store.ts';

export type MakeCheckpointsDeps = {
  accounts: Pick<AccountStore, 'findHeadsWrittenSince'>;
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
};
export type MadeCheckpoints = { made: Checkpoint[]; readUntil: ClusterTime };

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
  const { signer, now, writtenAfter } = input;
  const { checkpoints } = deps;
  // Before all other reads, which then see all that was committed before it.
  const readUntil = await checkpoints.getReadTime();
  const before = await findSigned(checkpoints, input);
  const since = writtenAfter ?? before.completeUntil - commitMargin;
  let { number, previous } = before;
  const made: Checkpoint[] = [];
  for await (const { rows, isLast } of chunksOf(unsignedRows(deps, since < 0n ? 0n : since, before.seqs))) {
    // If this instance ends before the last one is made, the next checkpoints begin where these began.
    const isComplete = isLast && writtenAfter === undefined;
    const completeUntil = isComplete ? readUntil : before.completeUntil;
    number++;
    const checkpoint = signCheckpoint({ rows, at: now, completeUntil, readUntil, number, previous }, signer);
    if (!(await checkpoints.insertCheckpoint(checkpoint))) break;
    made.push(checkpoint);
    previous = checkpoint.jws;
  }
  return { made, readUntil };
}

type Signed = {
  /** Of the newest checkpoint. */
  number: number;
  previous: string | null;
  completeUntil: ClusterTime;
  /** The newest entry number that was signed of each account, and 0 for refused and expired rows. */
  seqs: Map<number | string, number>;
};

/** What recent checkpoints have signed. One whose signature is not valid counts for nothing. */
async function findSigned(checkpoints: CheckpointStore, { trusted, writtenAfter }: Input): Promise<Signed> {
  const signed: Signed = { number: 0, previous: null, completeUntil: 0n, seqs: new Map() };
  for await (const { number, jws, heads, decisions } of checkpoints.findNewestFirst()) {
    signed.number ||= number;
    const facts = readCheckpoint(jws, trusted);
    if (facts?.number !== number) continue;
    if (signed.previous === null) {
      signed.previous = jws;
      signed.completeUntil = facts.completeUntil;
    }
    if (writtenAfter !== undefined || facts.readUntil < signed.completeUntil - commitMargin) break;
    for (const { account, seq } of heads) if (!signed.seqs.has(account)) signed.seqs.set(account, seq);
    for (const { id } of decisions) signed.seqs.set(rowKey(id), 0);
  }
  return signed;
}

/** Accounts have the numbers, and rows other keys. */
const rowKey = (id: number | string): string => `row ${id}`;

async function* unsignedRows(
  { accounts, journal }: MakeCheckpointsDeps,
  since: ClusterTime,
  signed: Signed['seqs'],
): AsyncGenerator<SignedRow> {
  for await (const head of accounts.findHeadsWrittenSince(since))
    if (head.seq !== signed.get(head.account)) yield { head };
  for await (const decision of journal.findDecisionsWrittenSince(since))
    if (!signed.has(rowKey(decision.id))) yield { decision };
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
