import { isFinal } from '../call-failure.ts';
import type { CallsByName } from '../calls/call-types.ts';
import type { DatabaseEpoch } from '../database-epoch.ts';

export type SeenOptions = {
  /** What the kitchen calls this screen, for example `kitchen-1`. */
  device: string;
};
export type SeenReporter = {
  /** To be called with the ids of all orders that are painted now. Each is reported once. */
  painted: (orderIds: readonly number[]) => void;
  close: () => void;
};

type Deps = Pick<CallsByName, 'markSeen'> & { epoch: DatabaseEpoch };

const batchEveryMs = 500;
const retryAfterMs = 2000;
const maxBatch = 200;
/** The server counts the first report only, so forgetting one costs a request and nothing else. */
const maxRemembered = 5000;

/** Reports what a screen shows. A report that did not arrive is repeated, also over a long outage; one that the server refuses is not. */
export function createSeenReporter({ markSeen, epoch }: Deps, { device }: SeenOptions): SeenReporter {
  const reported = new Set<number>();
  let waiting: number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  // A restored database may have forgotten the reports.
  const stopListening = epoch.onRestored(() => reported.clear());

  function schedule(delayMs: number): void {
    if (timer === undefined && waiting.length > 0 && !isClosed) timer = setTimeout(() => void report(), delayMs);
  }
  async function report(): Promise<void> {
    const batch = waiting.slice(0, maxBatch);
    let delayMs = batchEveryMs;
    try {
      await markSeen({ order_ids: batch, device });
      waiting = waiting.slice(batch.length);
    } catch (error) {
      if (isFinal(error)) waiting = waiting.slice(batch.length);
      else delayMs = retryAfterMs;
    }
    timer = undefined;
    schedule(delayMs);
  }
  return {
    painted: (orderIds) => {
      for (const id of orderIds) {
        if (reported.has(id)) continue;
        reported.add(id);
        waiting.push(id);
      }
      for (const id of reported) {
        if (reported.size <= maxRemembered) break;
        reported.delete(id);
      }
      schedule(batchEveryMs);
    },
    close: () => {
      isClosed = true;
      stopListening();
      clearTimeout(timer);
    },
  };
}
