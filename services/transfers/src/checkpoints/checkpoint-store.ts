import type { Connection, mongo } from 'mongoose';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { AccountDocument } from '../accounts/account-store.ts';
import type { Checkpoint, SignedHead } from './checkpoint.ts';

type CheckpointDocument = { _id: number; at: Date; period: number; heads: SignedHead[]; jws: string };

const toCheckpoint = ({ _id: number, ...rest }: CheckpointDocument): Checkpoint => ({ number, ...rest });
// A head that an election takes back must not have been signed.
const settled = { readConcern: { level: 'majority' } } as const;

export type CheckpointStore = ReturnType<typeof createCheckpointStore>;

export function createCheckpointStore(connection: Connection) {
  const checkpoints = connection.collection<CheckpointDocument>('checkpoints');
  const accounts = connection.collection('accounts') as unknown as mongo.Collection<AccountDocument>;
  return {
    newest: async (): Promise<Checkpoint | null> => {
      const [found] = await checkpoints.find({}, settled).sort({ _id: -1 }).limit(1).toArray();
      return found ? toCheckpoint(found) : null;
    },
    /** Heads that were signed in `period` and later, the newest of each account. */
    signedSince: async (period: number): Promise<Map<number, number>> => {
      const seqs = new Map<number, number>();
      for await (const { heads } of checkpoints.find({ period: { $gte: period } }, settled).sort({ _id: 1 }))
        for (const { account, seq } of heads) seqs.set(account, seq);
      return seqs;
    },
    /** The heads of accounts that have moved in `period` and later. */
    movedSince: async function* (period: number): AsyncGenerator<SignedHead> {
      const options = { ...settled, projection: { seq: 1, hash: 1 }, hint: { moved: 1, _id: 1 } };
      for await (const { _id: account, seq, hash } of accounts.find({ moved: { $gte: period } }, options))
        yield { account, seq, hash };
    },
    /** False when another instance has made the checkpoint of this number. */
    add: async ({ number, at, period, heads, jws }: Checkpoint): Promise<boolean> => {
      try {
        await checkpoints.insertOne({ _id: number, at, period, heads: [...heads], jws });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
  };
}
