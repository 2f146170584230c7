import { isFinal } from '../call-failure.ts';
import type { CallsByName } from '../calls/call-types.ts';
import type { DatabaseEpoch } from '../database-epoch.ts';

export type SeenOptions = {
  /** This screen's name in the kitchen, for example `kitchen-1`. It is read at each report, because staff may rename the screen. */
  readonly device: string;
};
export type SeenReporter = {
  /**
   * Reports all orders that are on the screen now. `stations` lists the stations whose dishes the screen shows. Without
   * `stations`, the screen shows all dishes, and a report counts for every station. Each order is reported only once for the
   * same `stations`.
   */
  painted: (orderIds: readonly number[], stations?: readonly string[]) => void;
  close: () => void;
};

type Deps = Pick<CallsByName, 'markSeen'> & { epoch: DatabaseEpoch };
/** An order that was shown. `at` is the list of stations as one string, and orders with the same `at` are reported together. */
type Painted = { id: number; at: string; stations: readonly string[] | undefined };

const batchEveryMs = 500;
const retryAfterMs = 2000;
const maxBatch = 200;
/** How many reports to remember. A forgotten report is sent again without harm, because the server counts only the first one. */
const maxRemembered = 5000;

/**
 * Creates a reporter for the orders that a screen shows. Reports that could not be delivered are retried, even during a long
 * outage. Reports that the server rejects are dropped.
 */
export function createSeenReporter({ markSeen, epoch }: Deps, screen: SeenOptions): SeenReporter {
  const reported = new Set<string>();
  let waiting: readonly Painted[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  // The restored database may not contain the earlier reports.
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
      await markSeen({ order_ids: batch.map(({ id }) => id), device: screen.device, ...stations });
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
