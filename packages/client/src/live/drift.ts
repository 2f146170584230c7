import type { Versioned } from './latest-versions.ts';

/** How long to wait for the feed to deliver a version that a comparison has found, in milliseconds. A later delivery is drift. */
const maxFeedLagMs = 3000;

export type Drift = ReturnType<typeof createDrift>;

/**
 * Tracks versions that a comparison with the server found before the feed delivered them. If the feed does not deliver a
 * version within 3 s, `onDrift` is called with the resource's id.
 */
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
    /** Records a version that a comparison found before the feed delivered it. */
    expect: ({ id, version }: Versioned): void => void notYetInFeed.set(id, { version, at: performance.now() }),
    /** Records that the feed has delivered a version. */
    arrived: ({ id, version }: Versioned): void => {
      if ((notYetInFeed.get(id)?.version ?? Infinity) <= version) notYetInFeed.delete(id);
    },
    /** Starts the timer that reports versions which are still missing after 3 s. */
    schedule,
    clear: (): void => notYetInFeed.clear(),
    close: (): void => clearTimeout(timer),
  };
}
