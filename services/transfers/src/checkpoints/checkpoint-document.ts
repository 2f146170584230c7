import type { Checkpoint, SignedHead } from './checkpoint.ts';

/** `_id` is the number: two instances cannot insert the same one. */
export type CheckpointDocument = { _id: number; at: Date; period: number; heads: SignedHead[]; jws: string };

export const toCheckpoint = ({ _id: number, ...rest }: CheckpointDocument): Checkpoint => ({ number, ...rest });

export const toCheckpointDocument = ({ number, at, period, heads, jws }: Checkpoint): CheckpointDocument => ({
  _id: number,
  at,
  period,
  heads: [...heads],
  jws,
});
