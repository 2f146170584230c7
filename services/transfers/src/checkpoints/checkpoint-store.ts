import type { Connection } from 'mongoose';
import { toClusterTime, type ClusterTime } from '@comanda/shared/mongo/cluster-time';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import { checkpointSchema, toCheckpointDocument } from './checkpoint-document.ts';
import type { Checkpoint } from './checkpoint.ts';

/** An election cannot take back what was read with it. */
const committed = { readConcern: { level: 'majority' } } as const;
/** No checkpoint has it: a document with a higher number, or another type of id, is nobody's checkpoint. */
const maxNumber = 2 ** 52;

/** What the rows of stored checkpoints say. Whether they were changed is for the audit to find. */
export type StoredCheckpoint = {
  number: number;
  jws: string;
  heads: readonly { account: number; seq: number }[];
  decisions: readonly { id: number | string }[];
};
export type CheckpointStore = ReturnType<typeof createCheckpointStore>;

export function createCheckpointStore(connection: Connection) {
  const checkpoints = collectionOf(connection, checkpointSchema);
  return {
    /** All checkpoints, the newest first. */
    findNewestFirst: async function* (): AsyncGenerator<StoredCheckpoint> {
      const found = checkpoints.find({ _id: { $lt: maxNumber } }, { ...committed, batchSize: 8 }).sort({ _id: -1 });
      for await (const { _id: number, jws, heads, decisions } of found)
        yield {
          number,
          jws: typeof jws === 'string' ? jws : '',
          heads: Array.isArray(heads) ? heads : [],
          decisions: Array.isArray(decisions) ? decisions : [],
        };
    },
    /** A cluster time such that later reads see all that was committed before it. */
    getReadTime: async (): Promise<ClusterTime> => {
      const session = connection.getClient().startSession();
      try {
        await checkpoints.findOne({}, { ...committed, session, projection: { _id: 1 } });
        if (!session.operationTime) throw new Error('the server has no cluster time: it is not a replica set');
        return toClusterTime(session.operationTime);
      } finally {
        await session.endSession();
      }
    },
    /** Returns false if another instance has inserted a checkpoint with this number. */
    insertCheckpoint: async (checkpoint: Checkpoint): Promise<boolean> => {
      try {
        await checkpoints.insertOne(toCheckpointDocument(checkpoint));
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
  };
}
