import type { AccountStore } from '../accounts/account-store.ts';
import type { Signer } from '../receipts/statement.ts';
import { maxHeads, signCheckpoint } from './checkpoint.ts';
import type { Checkpoint, SignedHead } from './checkpoint.ts';
import type { CheckpointStore } from './checkpoint-store.ts';

export type MakeCheckpointsDeps = {
  accounts: Pick<AccountStore, 'findHeadsChangedSince'>;
  checkpoints: CheckpointStore;
  signer: Signer;
  everyMs: number;
};

/** The checkpoint period of a time; both arguments in milliseconds. */
export const periodOf = (nowMs: number, everyMs: number): number => Math.floor(nowMs / everyMs);

/**
 * Signs the heads of all accounts that changed since the last checkpoints, and returns the new checkpoints: none if no
 * account changed, and no more once another instance has inserted one.
 */
export async function makeCheckpoints(deps: MakeCheckpointsDeps, nowMs: number): Promise<Checkpoint[]> {
  const { accounts, checkpoints, signer, everyMs } = deps;
  const period = periodOf(nowMs, everyMs);
  let previous = await checkpoints.findNewestCheckpoint();
  // One period more: for writes that were not committed then, and for instances whose clocks are late.
  const since = previous ? previous.period - 1 : 0;
  const signedSeqs = await checkpoints.findSeqsSignedSince(since);
  const unsigned = withoutSigned(accounts.findHeadsChangedSince(since), signedSeqs);
  const inserted: Checkpoint[] = [];
  for await (const heads of chunksOf(unsigned)) {
    const checkpoint = signCheckpoint({ at: new Date(nowMs), period, heads }, previous, signer);
    if (!(await checkpoints.insertCheckpoint(checkpoint))) return inserted;
    inserted.push(checkpoint);
    previous = checkpoint;
  }
  return inserted;
}

async function* withoutSigned(
  heads: AsyncIterable<{ id: number; seq: number; hash: string }>,
  signedSeqs: ReadonlyMap<number, number>,
): AsyncGenerator<SignedHead> {
  for await (const { id: account, seq, hash } of heads)
    if (seq !== signedSeqs.get(account)) yield { account, seq, hash };
}

async function* chunksOf(heads: AsyncIterable<SignedHead>): AsyncGenerator<SignedHead[]> {
  let chunk: SignedHead[] = [];
  for await (const head of heads) {
    chunk.push(head);
    if (chunk.length < maxHeads) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
