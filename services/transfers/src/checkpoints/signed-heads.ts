import type { PublicKeys } from '@comanda/shared/crypto/statement';
import type { CheckpointStore } from './checkpoint-store.ts';
import { isAsSigned, readCheckpoint } from './checkpoint.ts';

/** `read` returns the `seq` of the newest entry that was ever signed for each account, by account id. */
export type SignedHeads = { read: (trusted: PublicKeys) => Promise<ReadonlyMap<number, number>> };

/** Creates a reader of signed heads. Its first call reads all checkpoints, and later calls read only new ones. */
export function createSignedHeads(checkpoints: Pick<CheckpointStore, 'findAfter'>): SignedHeads {
  const seqs = new Map<number, number>();
  let newest = 0;
  return {
    read: async (trusted) => {
      for await (const stored of checkpoints.findAfter(newest)) {
        const facts = readCheckpoint(stored.jws, trusted);
        if (facts?.number !== stored.number) continue;
        newest = stored.number;
        if (!isAsSigned(stored, facts)) continue;
        for (const { account, seq } of stored.heads) seqs.set(account, Math.max(seq, seqs.get(account) ?? 0));
      }
      return seqs;
    },
  };
}
