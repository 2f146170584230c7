import { toClusterTime, toTimestamp } from '@comanda/shared/mongo/cluster-time';
import type { Timestamp } from '@comanda/shared/mongo/cluster-time';
import type { Checkpoint } from './checkpoint.ts';

/** `_id` is the number: two instances cannot insert the same one. All other facts are in the signature alone. */
export type CheckpointDocument = {
  _id: number;
  heads: { account: number; seq: number; hash: string; written: Timestamp }[];
  decisions: { id: number | string; hash: string; written: Timestamp }[];
  jws: string;
};

export const toCheckpoint = ({ _id: number, heads, decisions, jws }: CheckpointDocument): Checkpoint => ({
  number,
  heads: heads.map(({ written, ...head }) => ({ ...head, written: toClusterTime(written) })),
  decisions: decisions.map(({ written, ...decision }) => ({ ...decision, written: toClusterTime(written) })),
  jws,
});

export const toCheckpointDocument = ({ number, heads, decisions, jws }: Checkpoint): CheckpointDocument => ({
  _id: number,
  heads: heads.map(({ written, ...head }) => ({ ...head, written: toTimestamp(written) })),
  decisions: decisions.map(({ written, ...decision }) => ({ ...decision, written: toTimestamp(written) })),
  jws,
});
