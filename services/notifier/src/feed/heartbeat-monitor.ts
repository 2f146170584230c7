/** So many seconds without a heartbeat, and the feed is stalled; one is published every 3 s. */
const maxSilentChecks = 8;

export type HeartbeatMonitor = {
  /** A message of any kind was read, published by `source` if that is known. */
  heard: (source?: string) => void;
  /** From now on this source is expected to be heard. */
  expect: (source: string) => void;
  /** The time of the last message before the silence; null if there is none. */
  silentSince: () => Date | null;
  close: () => void;
};

/**
 * Tells whether events still arrive, whatever may be broken on their way: the stream itself must be heard, and every
 * source that has published a heartbeat. `onChange` is called when a silence begins or ends.
 */
export function createHeartbeatMonitor(clock: () => number, onChange: () => void): HeartbeatMonitor {
  type Source = { silentChecks: number; heardAt: number };
  const heardNow = (): Source => ({ silentChecks: 0, heardAt: clock() });
  const stream = heardNow();
  const sources = new Map<string, Source>();
  let wasSilent = false;

  const silent = (): Source[] =>
    [stream, ...sources.values()].filter(({ silentChecks }) => silentChecks >= maxSilentChecks);
  function announce(): void {
    const isSilent = silent().length > 0;
    if (isSilent === wasSilent) return;
    wasSilent = isSilent;
    onChange();
  }
  // Counts checks instead of time: a process that was itself suspended must not take the others for silent.
  const timer = setInterval(() => {
    for (const each of [stream, ...sources.values()]) each.silentChecks++;
    announce();
  }, 1000);
  return {
    heard: (source) => {
      Object.assign(stream, heardNow());
      if (source !== undefined && sources.has(source)) sources.set(source, heardNow());
      announce();
    },
    expect: (source) => void sources.set(source, heardNow()),
    silentSince: () => {
      const times = silent().map(({ heardAt }) => heardAt);
      return times.length === 0 ? null : new Date(Math.min(...times));
    },
    close: () => clearInterval(timer),
  };
}
