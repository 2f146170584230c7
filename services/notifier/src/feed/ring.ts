import type { Position } from '@comanda/shared/messaging/stream-reader';
import type { Entry } from './entry.ts';

/**
 * Where a position is, as seen from the ring. `next`: the index of the entry after it. `unknown`: the position is of
 * another stream.
 */
export type RingPosition = { kind: 'in_ring'; next: number } | { kind: 'older' | 'newer' | 'unknown' };

export type Ring = {
  push: (entry: Entry) => void;
  newest: () => Entry | null;
  /** The weight of all entries, in bytes. */
  bytes: () => number;
  /** Where to continue after `position`. It is in the ring only if the entry at its offset has the same id. */
  positionAfter: (position: Position) => RingPosition;
  /** The position before the first entry; `older` once entries have been removed. */
  beginning: () => RingPosition;
  /** Up to `count` entries from `index`. An index is valid only in the turn of the event loop in which it was read. */
  slice: (index: number, count: number) => readonly Entry[];
  clear: () => void;
};

/**
 * The newest entries, by ascending offset: as many as fit into both limits, and up to a tenth more. The newest one is
 * there even if it is larger.
 */
export function createRing({ maxEntries, maxBytes }: { maxEntries: number; maxBytes: number }): Ring {
  let entries: Entry[] = [];
  let bytes = 0;
  let complete = true;
  function trim(): void {
    let first = Math.max(0, entries.length - maxEntries);
    for (const { weight } of entries.slice(0, first)) bytes -= weight;
    while (bytes > maxBytes && first < entries.length - 1) bytes -= entries[first++]?.weight ?? 0;
    entries = entries.slice(first);
    complete = false;
  }
  return {
    push: (entry) => {
      entries.push(entry);
      bytes += entry.weight;
      const isTooMuch = entries.length > maxEntries * 1.1 || bytes > maxBytes * 1.1;
      if (isTooMuch && entries.length > 1) trim();
    },
    newest: () => entries.at(-1) ?? null,
    bytes: () => bytes,
    positionAfter: ({ offset, id }) => {
      const [first] = entries;
      const last = entries.at(-1);
      if (!first || !last) return { kind: 'unknown' };
      if (offset > last.offset) return { kind: 'newer' };
      if (offset < first.offset) return { kind: 'older' };
      const index = indexOf(entries, offset);
      return entries[index]?.id === id ? { kind: 'in_ring', next: index + 1 } : { kind: 'unknown' };
    },
    beginning: () => (complete ? { kind: 'in_ring', next: 0 } : { kind: 'older' }),
    slice: (index, count) => entries.slice(index, index + count),
    clear: () => {
      entries = [];
      bytes = 0;
      complete = true;
    },
  };
}

/** Returns -1 if no entry has this offset. */
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
