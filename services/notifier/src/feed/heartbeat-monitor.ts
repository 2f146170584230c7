import { isDeepStrictEqual } from 'node:util';
import { events } from '@comanda/contracts/events';
import type { FeedChecksums } from '@comanda/contracts/feed';
import type { Heartbeat } from '@comanda/shared/messaging/heartbeat';

/** So many seconds without a heartbeat, and the feed is stalled; one is published every 3 s. */
const maxSilentChecks = 8;
/** After so many, a source of no contract is taken for removed: 5 minutes. */
const maxSilentChecksOfUnknown = 300;
const knownSources: ReadonlySet<string> = new Set(['/notifier', ...Object.values(events).map(({ source }) => source)]);
/** Events that have waited for so long to be published are missing on every screen. */
const maxWaitingMs = 5000;

export type HeartbeatMonitor = {
  /** A message of any kind was read, published by `source` if that is known. */
  heard: (source?: string) => void;
  /** From now on the source of this heartbeat is expected to be heard. */
  takeHeartbeat: (heartbeat: Heartbeat) => void;
  /** The time of the last message before the silence; null if there is none. */
  silentSince: () => Date | null;
  /** For how long the oldest event has waited to be published, by all sources; null if that is less than 5 s. */
  oldestWaitingMs: () => number | null;
  /** That of the orders, as the newest heartbeat says; null if none has said it. */
  databaseEpoch: () => string | null;
  /** Those that the newest heartbeats tell; null if they tell none. */
  checksums: () => FeedChecksums | null;
  close: () => void;
};

/**
 * Tells whether events still arrive, whatever may be broken on their way: the stream itself must be heard, and every
 * source that has published a heartbeat. One that this release does not know may be newer, or was removed or renamed since: it
 * is forgotten after 5 minutes of silence. Tells as well whether older events are still to come, as the sources say.
 * `onChange` is called when one of the two changes, and when the
 * database was restored.
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
  // Counts checks instead of time: a process that was itself suspended must not take the others for silent.
  const timer = setInterval(() => {
    for (const each of [stream, ...sources.values()]) each.silentChecks++;
    forgetRemoved();
    announce();
  }, 1000);
  return {
    heard,
    takeHeartbeat: ({ source, oldestWaitingMs: ms, databaseEpoch: epoch, checksums: told }) => {
      sources.set(source, heardNow());
      if (ms !== undefined) waitingMs.set(source, ms);
      databaseEpoch = epoch ?? databaseEpoch;
      checksums.set(source, told);
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
