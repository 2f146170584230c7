import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, unavailable } from '@comanda/contracts/problem';
import { databaseUnavailable, mongoProblem } from '@comanda/shared/mongo/connection';
import { createBatcher, QueueFull, type Slot } from '@comanda/shared/runtime/batcher';
import type { NextId } from '../ids/id-store.ts';
import { postBatch, type PostBatchDeps, type Posting } from './post-batch.ts';
import type { ConsentedTransfer, TransferCommand } from './transfer.ts';

/** A reserved place in the queue for one transfer. Disposing of it frees the place if nothing was posted. */
export type TransferSlot = Disposable & {
  /** Posts the transfer, and returns when it is decided. Call this at most once. */
  post: (transfer: ConsentedTransfer) => Promise<Posting>;
};
/**
 * The only way to move money. Commands are posted in batches: those that arrive while one batch commits form the next batch. A
 * command's token is spent before it is posted. A command is retried until it is decided or its token expires, even after its
 * caller got a response.
 *
 * There are four levels of retries. The ledger retries a command that may still be posted. `postBatch` halves a group that can't
 * be committed. A group that conflicts with another write is decided again. A commit whose outcome is unknown is repeated.
 */
export type Ledger = {
  /**
   * Reserves a place in the queue and a transfer id. Call this before spending the token, so that a full queue does not waste a
   * token.
   * @throws QueueFull; 503 `service_unavailable` while the database is down
   */
  reserve: (userId: number) => Promise<TransferSlot>;
  /** Rejects new commands, stops retrying, and waits for the running batch. */
  close: () => Promise<void>;
};
type LedgerDeps = PostBatchDeps & { nextId: NextId; isUp: () => boolean };

const limits = { maxBatch: 256, maxQueue: 2048, maxPerOwner: 256 };
/** The first and the longest pause before a retry, in milliseconds. Each pause is twice as long as the one before it. */
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
      // The service is stopping. Only another instance can still find the result, by the token or the idempotency key.
      if (closing.signal.aborted) throw unavailable({ outcome: 'unknown' });
      await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => undefined); // ended by close()
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

/** Returns true if the command may still be posted, because nothing was decided or the outcome is unknown. */
const isUndecided = (error: unknown): boolean =>
  error instanceof Problem
    ? error.code === 'service_unavailable'
    : error instanceof QueueFull || mongoProblem(error) !== null;
