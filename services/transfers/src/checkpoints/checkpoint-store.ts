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

/** With this option, a query returns only data that an election can't roll back. */
const committed = { readConcern: { level: 'majority' } } as const;
/** A checkpoint as it is stored. It may have been changed, so callers must verify its signature. */
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
    /** Yields the checkpoints after this number, in ascending order. */
    findAfter: async function* (number: number): AsyncGenerator<StoredCheckpoint> {
      const found = checkpoints.find({ _id: { $gt: number } }, { ...committed, batchSize: 8 }).sort({ _id: 1 });
      for await (const document of found) yield toStored(document);
    },
    /** Returns a checkpoint even if a majority of the replica set has not stored it yet; null if there is none. */
    findNewest: async (number: number): Promise<StoredCheckpoint | null> => {
      const found = await checkpoints.findOne({ _id: number }, { readConcern: { level: 'local' } });
      return found && toStored(found);
    },
    /** Returns the current cluster time. Later reads see everything that was committed before it. */
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
    /** Inserts a checkpoint. Returns false if a document with this number already exists. */
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

/**
 * Converts a stored document to a checkpoint. Leaves out everything that isn't a row; then, the digest no longer matches the
 * signature.
 */
function toStored({ _id: number, jws, heads, decisions }: CheckpointDocument): StoredCheckpoint {
  const isRow = (row: unknown): boolean => isTimestamp((row as { written?: unknown } | null)?.written);
  return toCheckpoint({
    _id: number,
    jws: typeof jws === 'string' ? jws : '',
    heads: Array.isArray(heads) ? heads.filter(isRow) : [],
    decisions: Array.isArray(decisions) ? decisions.filter(isRow) : [],
  });
}
