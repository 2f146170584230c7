import type { Position } from '@comanda/shared/messaging/stream-reader';
import type { Entry } from './entry.ts';

/** Where a position is: the index of what comes after it, or why there is none. `unknown`: of another stream. */
export type Place = { next: number } | 'older' | 'newer' | 'unknown';

export type Ring = {
  push: (entry: Entry) => void;
  newest: () => Entry | null;
  /** Where to go on after `position`; it is in the ring only with its own id. */
  place: (position: Position) => Place;
  /** The place before everything, as long as nothing has been pushed out. */
  beginning: () => Place;
  /** Entries from `index`; fewer than `count` at the end. An index is good for this turn only. */
  slice: (index: number, count: number) => readonly Entry[];
  clear: () => void;
};

/** The last `size` entries, and up to a tenth more, by ascending offset. */
export function createRing(size: number): Ring {
  let entries: Entry[] = [];
  let complete = true;
  return {
    push: (entry) => {
      entries.push(entry);
      if (entries.length <= size * 1.1) return;
      entries = entries.slice(-size);
      complete = false;
    },
    newest: () => entries.at(-1) ?? null,
    place: ({ offset, id }) => {
      const [first] = entries;
      const last = entries.at(-1);
      if (!first || !last) return 'unknown';
      if (offset > last.offset) return 'newer';
      if (offset < first.offset) return 'older';
      const index = indexOf(entries, offset);
      return entries[index]?.id === id ? { next: index + 1 } : 'unknown';
    },
    beginning: () => (complete ? { next: 0 } : 'older'),
    slice: (index, count) => entries.slice(index, index + count),
    clear: () => {
      entries = [];
      complete = true;
    },
  };
}

/** -1 where no entry has this offset. */
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
