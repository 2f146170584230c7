import type { Versioned } from './latest-versions.ts';

/** How long the feed may lag behind the list before this counts as drift, in milliseconds. */
const maxFeedLagMs = 3000;

export type Drift = ReturnType<typeof createDrift>;

/** Tracks versions that the list had before the feed. They count as drift if the feed does not bring them soon. */
export function createDrift(onDrift: (ids: readonly Versioned['id'][]) => void) {
  const notYetInFeed = new Map<Versioned['id'], { version: number; at: number }>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function report(): void {
    timer = undefined;
    const isDue = ({ at }: { at: number }): boolean => performance.now() - at >= maxFeedLagMs;
    const ids = [...notYetInFeed].filter(([, version]) => isDue(version)).map(([id]) => id);
    for (const id of ids) notYetInFeed.delete(id);
    if (ids.length > 0) onDrift(ids);
    schedule();
  }
  function schedule(): void {
    if (notYetInFeed.size > 0) timer ??= setTimeout(report, maxFeedLagMs);
  }
  return {
    /** Records a version that the list had before the feed. */
    expect: ({ id, version }: Versioned): void => void notYetInFeed.set(id, { version, at: performance.now() }),
    /** Records that the feed has delivered a version. */
    arrived: ({ id, version }: Versioned): void => {
      if ((notYetInFeed.get(id)?.version ?? Infinity) <= version) notYetInFeed.delete(id);
    },
    /** Reports the versions that are still missing after 3 s. */
    schedule,
    clear: (): void => notYetInFeed.clear(),
    close: (): void => clearTimeout(timer),
  };
}
