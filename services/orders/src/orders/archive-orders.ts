import type { Clock } from '@comanda/shared/runtime/clock';
import { every } from '@comanda/shared/runtime/every';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { OrderArchiveStore } from './order-archive-store.ts';

type Deps = {
  archive: Pick<OrderArchiveStore, 'findArchivable' | 'keepBillsClosed' | 'copy' | 'removeCopied'>;
  /** The age at which a closed order is archived, in days. */
  afterDays: number;
  clock: Clock;
};

const dayMs = 24 * 3600 * 1000;
const maxBatch = 200;
const everyMs = 3600 * 1000;
const retryAfterMs = 10_000;

/**
 * Moves one batch of old closed orders to the archive. Each order is durably copied before it is removed. If this process is
 * killed in between, the order is in both collections, and the next run removes it from `pedidos`. Returns how many orders were
 * found.
 */
export async function archiveBatch({ archive, afterDays, clock }: Deps): Promise<number> {
  const before = new Date(clock() - afterDays * dayMs);
  const found = await archive.findArchivable({ before, limit: maxBatch });
  if (found.length === 0) return 0;
  const archivable = await archive.keepBillsClosed(found);
  await archive.copy(archivable);
  await archive.removeCopied(archivable);
  return found.length;
}

type KeepArchiving = Deps & { isReady: () => boolean; logger: Logger };

/** Starts to archive old orders every hour. Several instances may do so at the same time. Returns a function that stops this. */
export function keepArchiving({ isReady, logger, ...deps }: KeepArchiving): () => Promise<void> {
  return every({
    run: async (signal) => {
      let count = 0;
      for (let found = maxBatch; found === maxBatch && !signal.aborted; count += found)
        found = await archiveBatch(deps);
      if (count > 0) logger.info({ orders: count }, 'archived orders');
    },
    everyMs,
    retryMs: retryAfterMs,
    isReady,
    logger,
    failure: 'could not archive orders',
  }).close;
}
