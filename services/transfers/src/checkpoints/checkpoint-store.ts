import type { Connection } from 'mongoose';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import { toCheckpoint, toCheckpointDocument } from './checkpoint-document.ts';
import type { CheckpointDocument } from './checkpoint-document.ts';
import type { Checkpoint } from './checkpoint.ts';

/** An election cannot take back what was read with it. */
const committed = { readConcern: { level: 'majority' } } as const;

export type CheckpointStore = ReturnType<typeof createCheckpointStore>;

export function createCheckpointStore(connection: Connection) {
  const checkpoints = connection.collection<CheckpointDocument>('checkpoints');
  return {
    findNewestCheckpoint: async (): Promise<Checkpoint | null> => {
      const [found] = await checkpoints.find({}, committed).sort({ _id: -1 }).limit(1).toArray();
      return found ? toCheckpoint(found) : null;
    },
    /** The newest entry number of each account that was signed in `period` or later, by account id. */
    findSeqsSignedSince: async (period: number): Promise<Map<number, number>> => {
      const seqs = new Map<number, number>();
      for await (const { heads } of checkpoints.find({ period: { $gte: period } }, committed).sort({ _id: 1 }))
        for (const { account, seq } of heads) seqs.set(account, seq);
      return seqs;
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
