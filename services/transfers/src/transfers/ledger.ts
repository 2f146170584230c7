import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, problem } from '@comanda/contracts/problem';
import { databaseUnavailable, mongoProblem } from '@comanda/shared/mongo/connection';
import { createBatcher, QueueFull, type Slot } from '@comanda/shared/runtime/batcher';
import { postBatch, type PostBatchDeps, type Posting } from './post-batch.ts';
import type { TransferCommand } from './transfer.ts';

/**
 * The one write path of money: the commands that wait while one batch commits are the next batch. A command that was
 * submitted has spent its token. It is tried again until it is decided or its token expires, also after its caller was
 * answered.
 *
 * What repeats, from the outside in: the ledger tries a command again that may still be posted; `postBatch` halves a group
 * that cannot be committed; a group that met a conflict is decided anew; a commit whose outcome is unknown is repeated.
 */
export type Ledger = {
  /** @throws QueueFull; 503 `service_unavailable` while the database is down */
  reserve: (userId: number) => Slot<TransferCommand, Posting>;
  /** Accepts nothing more, and tries nothing again; waits for what is running. */
  close: () => Promise<void>;
};
type LedgerDeps = Omit<PostBatchDeps, 'ids'> & { isUp: () => boolean };

const limits = { maxBatch: 256, maxQueue: 2048, maxPerOwner: 256 };
/** Pauses before a command is tried again double, from the first to the last. */
const [firstPauseMs, lastPauseMs] = [50, 1000];

export function createLedger({ isUp, ...deps }: LedgerDeps): Ledger {
  const postDeps = { ...deps, ids: new WeakMap<TransferCommand, number>() };
  const batcher = createBatcher<TransferCommand, Posting>({
    ...limits,
    run: (commands) => postBatch(postDeps, commands),
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
      // After this, only the same token or idempotency key can find out, at another instance.
      if (closing.signal.aborted) throw problem('service_unavailable', { outcome: 'unknown' }, { 'Retry-After': '1' });
      await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => undefined); // aborted by close()
    }
  }
  return {
    reserve: (userId) => {
      if (!isUp()) throw databaseUnavailable();
      const slot = batcher.reserve(userId);
      return { submit: (command) => postUntilDecided(slot, command), release: slot.release };
    },
    close: () => {
      closing.abort();
      return batcher.close();
    },
  };
}

/** Whether the command may still be posted: nothing was decided, or it is unknown whether it was. */
const isUndecided = (error: unknown): boolean =>
  error instanceof Problem
    ? error.code === 'service_unavailable'
    : error instanceof QueueFull || mongoProblem(error) !== null;
