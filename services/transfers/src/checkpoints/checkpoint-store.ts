import type { Connection } from 'mongoose';
import { isTimestamp, toClusterTime, type ClusterTime } from '@comanda/shared/mongo/cluster-time';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import {
  checkpointSchema,
  toCheckpoint,
  toCheckpointDocument,
  type CheckpointDocument,
} from './checkpoint-document.ts';
import type { Checkpoint } from './checkpoint.ts';

/** An election cannot roll back data read with this option. */
const committed = { readConcern: { level: 'majority' } } as const;
/** Checkpoints as stored. Readers must verify the signature to detect changes. */
export type StoredCheckpoint = Checkpoint;
export type CheckpointStore = ReturnType<typeof createCheckpointStore>;

export function createCheckpointStore(connection: Connection) {
  const checkpoints = collectionOf(connection, checkpointSchema);
  return {
    /** Yields all checkpoints, newest first. Ignores documents whose id is not a number. */
    findNewestFirst: async function* (): AsyncGenerator<StoredCheckpoint> {
      const found = checkpoints.find({ _id: { $gt: 0 } }, { ...committed, batchSize: 8 }).sort({ _id: -1 });
      for await (const document of found) yield toStored(document);
    },
    /** Yields checkpoints with higher numbers than `number`, in ascending order. */
    findAfter: async function* (number: number): AsyncGenerator<StoredCheckpoint> {
      const found = checkpoints.find({ _id: { $gt: number } }, { ...committed, batchSize: 8 }).sort({ _id: 1 });
      for await (const document of found) yield toStored(document);
    },
    /** Returns the newest version of a checkpoint, which may not have reached a majority yet; null if there is none. */
    findNewest: async (number: number): Promise<StoredCheckpoint | null> => {
      const found = await checkpoints.findOne({ _id: number }, { readConcern: { level: 'local' } });
      return found && toStored(found);
    },
    /** Returns a cluster time such that later reads see everything committed before it. */
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
    /** Inserts a checkpoint. Returns false if there already is a document with this number. */
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

/** Drops anything that cannot be a list of rows, so that the digest differs from the signed one. */
function toStored({ _id: number, jws, heads, decisions }: CheckpointDocument): StoredCheckpoint {
  const isRow = (row: unknown): boolean => isTimestamp((row as { written?: unknown } | null)?.written);
  return toCheckpoint({
    _id: number,
    jws: typeof jws === 'string' ? jws : '',
    heads: Array.isArray(heads) ? heads.filter(isRow) : [],
    decisions: Array.isArray(decisions) ? decisions.filter(isRow) : [],
  });
}
