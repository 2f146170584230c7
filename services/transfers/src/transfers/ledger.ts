import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, unavailable } from '@comanda/contracts/problem';
import { databaseUnavailable, mongoProblem } from '@comanda/shared/mongo/connection';
import { createBatcher, QueueFull, type Slot } from '@comanda/shared/runtime/batcher';
import type { NextId } from '../ids/id-store.ts';
import { postBatch, type PostBatchDeps, type Posting } from './post-batch.ts';
import type { ConsentedTransfer, TransferCommand } from './transfer.ts';

/** The right to post one transfer. Disposing it frees its place in the queue if nothing was posted. */
export type TransferSlot = Disposable & {
  /** Posts the transfer. Must be called at most once. Returns when it is decided. */
  post: (transfer: ConsentedTransfer) => Promise<Posting>;
};
/**
 * The only write path for money. The commands that wait while one batch commits are the next batch. Before a command is posted,
 * its token was spent. It is retried until it is decided or its token expires, even after its caller got a response.
 *
 * Retries, from the outside in: the ledger retries a command that may still be posted; `postBatch` halves a group
 * that cannot be committed; a group that met a conflict is decided again; a commit whose outcome is unknown is repeated.
 */
export type Ledger = {
  /**
   * Reserves a place in the queue and a transfer id before the token is spent: after that, a full queue must not waste the token.
   * @throws QueueFull; 503 `service_unavailable` while the database is down
   */
  reserve: (userId: number) => Promise<TransferSlot>;
  /** Accepts no more commands and retries none; waits for the running batch. */
  close: () => Promise<void>;
};
type LedgerDeps = PostBatchDeps & { nextId: NextId; isUp: () => boolean };

const limits = { maxBatch: 256, maxQueue: 2048, maxPerOwner: 256 };
/** The pauses before retries double, from the first to the last. */
const [firstPauseMs, lastPauseMs] = [50, 1000];

export function createLedger({ isUp, nextId, ...deps }: LedgerDeps): Ledger {
  const batcher = createBatcher<TransferCommand, Posting>({
    ...limits,
    run: (commands) => postBatch(deps, commands),
  });
  deps.metrics.watchQueue(batcher.depth);
  const closing = new AbortController();
  async function postUntilDecided(
    firstSlot: Slot<TransferCommand, Posting>,
    command: TransferCommand,
  ): Promise<Posting> {
    let slot: Slot<TransferCommand, Posting> | null = firstSlot;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(lastPauseMs, 2 * pauseMs)) {
      try {
        slot ??= batcher.reserve(command.userId);
        return await slot.submit(command);
      } catch (error) {
        if (!isUndecided(error)) throw error;
        slot = null;
      }
      // From now on, only another instance can find the result, for the same token or idempotency key.
      if (closing.signal.aborted) throw unavailable({ outcome: 'unknown' });
      await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => undefined); // aborted by close()
    }
  }
  return {
    reserve: async (userId) => {
      if (!isUp()) throw databaseUnavailable();
      const transferId = await nextId();
      const slot = batcher.reserve(userId);
      return {
        post: (transfer) => postUntilDecided(slot, { ...transfer, transferId }),
        [Symbol.dispose]: slot[Symbol.dispose],
      };
    },
    close: () => {
      closing.abort();
      return batcher.close();
    },
  };
}

/** Returns whether the command may still be posted: nothing was decided, or it is unknown whether it was. */
const isUndecided = (error: unknown): boolean =>
  error instanceof Problem
    ? error.code === 'service_unavailable'
    : error instanceof QueueFull || mongoProblem(error) !== null;
