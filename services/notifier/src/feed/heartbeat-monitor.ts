import { events } from '@comanda/contracts/events';
import type { FeedChecksums } from '@comanda/contracts/feed';
import type { Heartbeat } from '@comanda/shared/messaging/heartbeat';
import type { Clock } from '@comanda/shared/runtime/clock';

/** How many seconds a source may be silent before the feed is `stalled`. Each source sends a heartbeat every 3 s. */
const maxSilentChecks = 8;
/** How many seconds a source that is in no contract may be silent before it is forgotten: 5 minutes. */
const maxSilentChecksOfUnknown = 300;
const knownSources: ReadonlySet<string> = new Set(['/notifier', ...Object.values(events).map(({ source }) => source)]);
/**
 * How long an event may wait to be published, in milliseconds, before the feed reports the delay. No screen shows an unpublished
 * event.
 */
const maxWaitingMs = 5000;

export type HeartbeatMonitor = {
  /** Call this for every message, with its `source` if known. */
  heard: (source?: string) => void;
  /** Call this every second. */
  secondPassed: () => void;
  /**
   * Returns true if the feed's status may have changed since the last call: a source is silent or is back, events wait too long
   * or no longer do, or the database has a new epoch.
   */
  hasChanged: () => boolean;
  /** Processes a heartbeat. From then on, the monitor reports when this heartbeat's source falls silent. */
  takeHeartbeat: (heartbeat: Heartbeat) => void;
  /** Returns the time of the last message before the silence; null if no source is silent. */
  silentSince: () => Date | null;
  /** Returns how long the oldest unpublished event of any source has been waiting; null if less than 5 s. */
  oldestWaitingMs: () => number | null;
  /** Returns the orders database's epoch from the latest heartbeat that had one; null if none had. */
  databaseEpoch: () => string | null;
  /** Returns the checksums from the latest heartbeats; null if they had none. */
  checksums: () => FeedChecksums | null;
};

/**
 * Creates a monitor that detects when events stop arriving, wherever they get stuck. It expects messages on the stream itself,
 * and from every source that has published a heartbeat. An unknown source may be newer than this release, or may have been
 * removed or renamed, so it is forgotten after 5 minutes of silence. The monitor also detects older events that have yet to be
 * published, according to the heartbeats.
 */
export function createHeartbeatMonitor(clock: Clock): HeartbeatMonitor {
  type Source = { silentChecks: number; heardAt: number };
  const heardNow = (): Source => ({ silentChecks: 0, heardAt: clock() });
  const stream = heardNow();
  const sources = new Map<string, Source>();
  const waitingMs = new Map<string, number>();
  const checksumsBySource = new Map<string, FeedChecksums | undefined>();
  let databaseEpoch: string | null = null;
  let reported = { isSilent: false, isBehind: false, databaseEpoch: null as string | null };

  const silent = (): Source[] =>
    [stream, ...sources.values()].filter(({ silentChecks }) => silentChecks >= maxSilentChecks);
  function oldestWaitingMs(): number | null {
    const oldestMs = Math.max(0, ...waitingMs.values());
    return oldestMs < maxWaitingMs ? null : oldestMs;
  }
  function heard(source?: string): void {
    Object.assign(stream, heardNow());
    if (source !== undefined && sources.has(source)) sources.set(source, heardNow());
  }
  function forgetRemoved(): void {
    for (const [source, { silentChecks }] of sources) {
      if (knownSources.has(source) || silentChecks < maxSilentChecksOfUnknown) continue;
      for (const facts of [sources, waitingMs, checksumsBySource]) facts.delete(source);
    }
  }
  return {
    heard,
    // Counts seconds instead of comparing times. Otherwise, a process that was suspended would report all other sources as silent.
    secondPassed: () => {
      for (const each of [stream, ...sources.values()]) each.silentChecks++;
      forgetRemoved();
    },
    hasChanged: () => {
      const before = reported;
      reported = { isSilent: silent().length > 0, isBehind: oldestWaitingMs() !== null, databaseEpoch };
      return (
        reported.isSilent !== before.isSilent ||
        reported.isBehind !== before.isBehind ||
        reported.databaseEpoch !== before.databaseEpoch
      );
    },
    takeHeartbeat: ({ source, oldestWaitingMs: ms, databaseEpoch: epoch, checksums }) => {
      sources.set(source, heardNow());
      if (ms !== undefined) waitingMs.set(source, ms);
      databaseEpoch = epoch ?? databaseEpoch;
      checksumsBySource.set(source, checksums);
      heard(source);
    },
    oldestWaitingMs,
    databaseEpoch: () => databaseEpoch,
    checksums: () => [...checksumsBySource.values()].find((each) => each !== undefined) ?? null,
    silentSince: () => {
      const times = silent().map(({ heardAt }) => heardAt);
      return times.length === 0 ? null : new Date(Math.min(...times));
    },
  };
}
