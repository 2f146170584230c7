import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { OrderArchiveStore } from './order-archive-store.ts';

type Deps = {
  archive: Pick<OrderArchiveStore, 'findArchivable' | 'keepBillsClosed' | 'copy' | 'removeCopied'>;
  /** After how many days a closed order is archived. */
  afterDays: number;
  clock: Clock;
};

const dayMs = 24 * 3600 * 1000;
const maxBatch = 200;
const everyMs = 3600 * 1000;
const retryAfterMs = 10_000;

/**
 * Moves one batch of the oldest closed orders to the archive. An order is copied durably before it is removed: whoever is
 * killed in between leaves it in both, and the next run removes it. Returns how many were found.
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

/** Archives every hour. Several instances may do so at the same time. Returns a function that ends this. */
export function keepArchiving(deps: KeepArchiving): () => Promise<void> {
  const { isReady, logger } = deps;
  const shutdown = new AbortController();
  const { signal } = shutdown;
  async function archiveAll(): Promise<void> {
    let count = 0;
    for (let found = maxBatch; found === maxBatch && !signal.aborted; count += found) found = await archiveBatch(deps);
    if (count > 0) logger.info({ orders: count }, 'archived orders');
  }
  async function run(): Promise<void> {
    while (!signal.aborted) {
      let pauseMs = isReady() ? everyMs : 1000;
      try {
        if (isReady()) await archiveAll();
      } catch (error) {
        pauseMs = retryAfterMs;
        logger.warn({ err: error }, 'could not archive orders');
      }
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined); // aborted by the end
    }
  }
  const running = run();
  return async () => {
    shutdown.abort();
    await running;
  };
}
