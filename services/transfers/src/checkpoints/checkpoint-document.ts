import { toClusterTime, toTimestamp, type Timestamp } from '@comanda/shared/mongo/cluster-time';
import { collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { Checkpoint } from './checkpoint.ts';

type HeadDocument = { account: number; seq: number; hash: string; written: Timestamp };
type DecisionDocument = { id: number | string; hash: string; written: Timestamp };
/**
 * A stored checkpoint. `_id` is its number, so that two instances can't insert the same number. All other facts about the
 * checkpoint are only in the signed `jws`.
 */
export type CheckpointDocument = {
  _id: number;
  heads: HeadDocument[];
  decisions: DecisionDocument[];
  jws: string;
};

const headSchema = embeddedSchema<HeadDocument>({
  account: { type: Number, required: true },
  seq: { type: Number, required: true },
  hash: { type: String, required: true },
  written: { type: Object, required: true },
});
const decisionSchema = embeddedSchema<DecisionDocument>({
  id: { type: Object as never, required: true },
  hash: { type: String, required: true },
  written: { type: Object, required: true },
});
export const checkpointSchema = collectionSchema<CheckpointDocument>('checkpoints', {
  _id: { type: Number, min: 1 },
  heads: { type: [headSchema], required: true },
  decisions: { type: [decisionSchema], required: true },
  jws: { type: String, required: true },
});

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
