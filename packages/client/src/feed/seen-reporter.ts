import { isFinal } from '../call-failure.ts';
import type { CallsByName } from '../calls/call-types.ts';
import type { DatabaseEpoch } from '../database-epoch.ts';

export type SeenOptions = {
  /** This screen's name in the kitchen, for example `kitchen-1`. */
  device: string;
};
export type SeenReporter = {
  /**
   * Reports the orders that are on the screen now. Call it with all their ids. Each order is reported once for the same
   * `stations`, which are the stations whose dishes the screen shows. Without `stations`, the screen shows all dishes, and the
   * report counts for every station of an order.
   */
  painted: (orderIds: readonly number[], stations?: readonly string[]) => void;
  close: () => void;
};

type Deps = Pick<CallsByName, 'markSeen'> & { epoch: DatabaseEpoch };
/** `at` is the list of stations as one string, by which reports are grouped. */
type Painted = { id: number; at: string; stations: readonly string[] | undefined };

const batchEveryMs = 500;
const retryAfterMs = 2000;
const maxBatch = 200;
/** How many reports to remember. Forgetting one costs only a request, because the server counts the first report. */
const maxRemembered = 5000;

/**
 * Reports the orders that a screen shows. Retries reports that did not arrive, even during a long outage. Rejected reports are
 * dropped.
 */
export function createSeenReporter({ markSeen, epoch }: Deps, { device }: SeenOptions): SeenReporter {
  const reported = new Set<string>();
  let waiting: readonly Painted[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  // A restored database may have lost the reports.
  const stopListening = epoch.onRestored(() => reported.clear());

  function schedule(delayMs: number): void {
    if (timer === undefined && waiting.length > 0 && !isClosed) timer = setTimeout(() => void report(), delayMs);
  }
  async function report(): Promise<void> {
    const [first] = waiting;
    const batch = waiting.filter(({ at }) => at === first?.at).slice(0, maxBatch);
    const stations = first?.stations && { stations: [...first.stations] };
    let delayMs = batchEveryMs;
    try {
      await markSeen({ order_ids: batch.map(({ id }) => id), device, ...stations });
      drop(batch);
    } catch (error) {
      if (isFinal(error)) drop(batch);
      else delayMs = retryAfterMs;
    }
    timer = undefined;
    schedule(delayMs);
  }
  function drop(batch: readonly Painted[]): void {
    const dropped = new Set(batch);
    waiting = waiting.filter((each) => !dropped.has(each));
  }
  return {
    painted: (orderIds, stations) => {
      const at = JSON.stringify(stations ?? null);
      const added = orderIds.filter((id) => !reported.has(id + at));
      for (const id of added) reported.add(id + at);
      waiting = [...waiting, ...added.map((id) => ({ id, at, stations }))];
      for (const each of reported) {
        if (reported.size <= maxRemembered) break;
        reported.delete(each);
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
