import type { Signer } from '../receipts/statement.ts';
import { mostHeads, signCheckpoint } from './checkpoint.ts';
import type { Checkpoint, SignedHead } from './checkpoint.ts';
import type { CheckpointStore } from './checkpoint-store.ts';

type Desk = { store: CheckpointStore; signer: Signer; everyMs: number };

/** The period of checkpoints that `now` is in, both in milliseconds. */
export const periodOf = (now: number, everyMs: number): number => Math.floor(now / everyMs);

/**
 * Signs the heads of all accounts that have moved since the last checkpoints; returns what was added. Where nothing has
 * moved, or another instance is at it, there is nothing to add.
 */
export async function makeCheckpoint({ store, signer, everyMs }: Desk, now: number): Promise<Checkpoint[]> {
  const period = periodOf(now, everyMs);
  let before = await store.newest();
  // One period more, for what was being written then, and for instances whose clocks are behind.
  const since = before ? before.period - 1 : 0;
  const signed = await store.signedSince(since);
  const added: Checkpoint[] = [];
  for await (const heads of portions(unsigned(store.movedSince(since), signed))) {
    const checkpoint = signCheckpoint({ at: new Date(now), period, heads }, before, signer);
    if (!(await store.add(checkpoint))) return added;
    added.push(checkpoint);
    before = checkpoint;
  }
  return added;
}

async function* unsigned(heads: AsyncIterable<SignedHead>, signed: ReadonlyMap<number, number>) {
  for await (const head of heads) if (head.seq !== signed.get(head.account)) yield head;
}

async function* portions(heads: AsyncIterable<SignedHead>): AsyncGenerator<SignedHead[]> {
  let portion: SignedHead[] = [];
  for await (const head of heads) {
    portion.push(head);
    if (portion.length < mostHeads) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
