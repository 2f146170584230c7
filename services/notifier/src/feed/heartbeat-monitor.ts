import { isDeepStrictEqual } from 'node:util';
import { events } from '@comanda/contracts/events';
import type { FeedChecksums } from '@comanda/contracts/feed';
import type { Heartbeat } from '@comanda/shared/messaging/heartbeat';

/** How many seconds without a heartbeat make the feed stalled. One is published every 3 s. */
const maxSilentChecks = 8;
/** How many seconds until a source that is in no contract counts as removed: 5 minutes. */
const maxSilentChecksOfUnknown = 300;
const knownSources: ReadonlySet<string> = new Set(['/notifier', ...Object.values(events).map(({ source }) => source)]);
/** How long events may wait to be published before the feed reports it, because no screen shows them yet. */
const maxWaitingMs = 5000;

export type HeartbeatMonitor = {
  /** Call it for every message that was read, with its `source` if known. */
  heard: (source?: string) => void;
  /** Takes a heartbeat: from now on its source is expected. */
  takeHeartbeat: (heartbeat: Heartbeat) => void;
  /** The time of the last message before the silence; null if there is none. */
  silentSince: () => Date | null;
  /** How long the oldest event of any source has waited to be published; null if less than 5 s. */
  oldestWaitingMs: () => number | null;
  /** The epoch of the orders database in the newest heartbeat; null if no heartbeat had one. */
  databaseEpoch: () => string | null;
  /** The checksums in the newest heartbeats; null without any. */
  checksums: () => FeedChecksums | null;
  close: () => void;
};

/**
 * Reports whether events still arrive, whatever may be broken on their way. The stream itself must be heard, and so must every
 * source that has published a heartbeat. A source that this release does not know may be newer, removed or renamed; it is
 * forgotten after 5 minutes of silence. Also reports whether older events have yet to be published, as the sources say.
 * `onChange` is called when either changes, and when the database was restored.
 */
export function createHeartbeatMonitor(clock: () => number, onChange: () => void): HeartbeatMonitor {
  type Source = { silentChecks: number; heardAt: number };
  const heardNow = (): Source => ({ silentChecks: 0, heardAt: clock() });
  const stream = heardNow();
  const sources = new Map<string, Source>();
  const waitingMs = new Map<string, number>();
  const checksums = new Map<string, FeedChecksums | undefined>();
  let databaseEpoch: string | null = null;
  let announced = { isSilent: false, isBehind: false, databaseEpoch: null as string | null };

  const silent = (): Source[] =>
    [stream, ...sources.values()].filter(({ silentChecks }) => silentChecks >= maxSilentChecks);
  function oldestWaitingMs(): number | null {
    const oldestMs = Math.max(0, ...waitingMs.values());
    return oldestMs < maxWaitingMs ? null : oldestMs;
  }
  function announce(): void {
    const current = { isSilent: silent().length > 0, isBehind: oldestWaitingMs() !== null, databaseEpoch };
    if (isDeepStrictEqual(current, announced)) return;
    announced = current;
    onChange();
  }
  function heard(source?: string): void {
    Object.assign(stream, heardNow());
    if (source !== undefined && sources.has(source)) sources.set(source, heardNow());
    announce();
  }
  function forgetRemoved(): void {
    for (const [source, { silentChecks }] of sources) {
      if (knownSources.has(source) || silentChecks < maxSilentChecksOfUnknown) continue;
      for (const facts of [sources, waitingMs, checksums]) facts.delete(source);
    }
  }
  // Counts checks instead of time, so that a process that was itself suspended does not report the others as silent.
  const timer = setInterval(() => {
    for (const each of [stream, ...sources.values()]) each.silentChecks++;
    forgetRemoved();
    announce();
  }, 1000);
  return {
    heard,
    takeHeartbeat: ({ source, oldestWaitingMs: ms, databaseEpoch: epoch, checksums: reported }) => {
      sources.set(source, heardNow());
      if (ms !== undefined) waitingMs.set(source, ms);
      databaseEpoch = epoch ?? databaseEpoch;
      checksums.set(source, reported);
      heard(source);
    },
    oldestWaitingMs,
    databaseEpoch: () => databaseEpoch,
    checksums: () => [...checksums.values()].find((each) => each !== undefined) ?? null,
    silentSince: () => {
      const times = silent().map(({ heardAt }) => heardAt);
      return times.length === 0 ? null : new Date(Math.min(...times));
    },
    close: () => clearInterval(timer),
  };
}
