import type { Position } from '@comanda/shared/messaging/read-stream';
import type { Entry } from './entry.ts';

/**
 * A position relative to the ring. `in_ring`: `next` is the index of the entry that follows the position. `older`: the ring no
 * longer has the entry at the position, but the stream may have it. `newer`: the ring has not reached the position yet.
 * `unknown`: the position belongs to another stream.
 */
export type RingPosition = { kind: 'in_ring'; next: number } | { kind: 'older' | 'newer' | 'unknown' };

export type Ring = {
  push: (entry: Entry) => void;
  newest: () => Entry | null;
  /** Returns the newest entry that clients may receive; null if there is none. */
  newestSent: () => Entry | null;
  /** Returns the total weight of all entries, in bytes. */
  bytes: () => number;
  /** Finds where to continue after `position`. A position is in the ring only if the entry at its offset has the same id. */
  positionAfter: (position: Position) => RingPosition;
  /** Returns the position before the first entry, or `older` once entries have been removed. */
  beginning: () => RingPosition;
  /**
   * Returns up to `count` entries, starting at `index`. An index is valid only in the turn of the event loop in which it was
   * obtained.
   */
  slice: (index: number, count: number) => readonly Entry[];
  clear: () => void;
};

/**
 * How many entries that clients never receive, such as heartbeats, the ring stores in addition to the events. They are needed to
 * find positions: a client's cursor may belong to a recent heartbeat.
 */
const maxUnsent = 500;
/** Returns true if any client may receive the entry. */
export const isSent = ({ packet }: Entry): boolean => packet !== '';

/**
 * Creates a ring with the newest entries, sorted by offset. It stores as many events as fit within both limits, and up to a tenth
 * more. The newest event and the newest entry are stored even if they exceed the limits.
 */
export function createRing({ maxEntries, maxBytes }: { maxEntries: number; maxBytes: number }): Ring {
  let entries: Entry[] = [];
  let bytes = 0;
  let sent = 0;
  let unsent = 0;
  let newestSent: Entry | null = null;
  let complete = true;
  function add(entry: Entry, by: 1 | -1): void {
    bytes += by * entry.weight;
    if (isSent(entry)) sent += by;
    else unsent += by;
  }
  function trim(): void {
    const isTooMuch = (): boolean => sent > maxEntries || bytes > maxBytes;
    let first = 0;
    for (const entry of entries.slice(0, -1)) {
      if (entry === newestSent || !isTooMuch()) break;
      add(entry, -1);
      first++;
    }
    entries = entries.slice(first);
    complete = false;
  }
  function removeOldUnsent(): void {
    entries = entries.filter((entry) => {
      const isKept = isSent(entry) || unsent <= maxUnsent;
      if (!isKept) add(entry, -1);
      return isKept;
    });
  }
  return {
    push: (entry) => {
      entries.push(entry);
      add(entry, 1);
      if (isSent(entry)) newestSent = entry;
      if (unsent > maxUnsent * 1.1) removeOldUnsent();
      const isTooMuch = sent > maxEntries * 1.1 || bytes > maxBytes * 1.1;
      if (isTooMuch && entries.length > 1) trim();
    },
    newest: () => entries.at(-1) ?? null,
    newestSent: () => newestSent,
    bytes: () => bytes,
    positionAfter: ({ offset, id }) => {
      const [first] = entries;
      const last = entries.at(-1);
      if (!first || !last) return { kind: 'unknown' };
      if (offset > last.offset) return { kind: 'newer' };
      if (offset < first.offset) return { kind: 'older' };
      const index = indexOf(entries, offset);
      if (index < 0) return { kind: 'older' };
      return entries[index]?.id === id ? { kind: 'in_ring', next: index + 1 } : { kind: 'unknown' };
    },
    beginning: () => (complete ? { kind: 'in_ring', next: 0 } : { kind: 'older' }),
    slice: (index, count) => entries.slice(index, index + count),
    clear: () => {
      entries = [];
      bytes = 0;
      sent = 0;
      unsent = 0;
      newestSent = null;
      complete = true;
    },
  };
}

/** Finds the index of the entry with this offset; -1 if there is none. */
function indexOf(entries: readonly Entry[], offset: number): number {
  let low = 0;
  let high = entries.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = entries[middle]?.offset ?? 0;
    if (found === offset) return middle;
    if (found < offset) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
