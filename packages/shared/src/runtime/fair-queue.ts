export type FairQueue<T> = {
  push: (owner: unknown, item: T) => void;
  /** Removes up to `maxItems` items: one from each owner in turn, each owner's items in their order. */
  take: (maxItems: number) => T[];
  size: () => number;
};

/** Creates a queue that serves its owners in turn, so that no owner waits for all items of another. */
export function createFairQueue<T>(): FairQueue<T> {
  // The owner whose turn it is comes first. An owner that was served and has more items moves to the end.
  const waiting = new Map<unknown, T[]>();
  let size = 0;

  return {
    push: (owner, item) => {
      const queued = waiting.get(owner);
      if (queued) queued.push(item);
      else waiting.set(owner, [item]);
      size++;
    },
    take: (maxItems) => {
      const items: T[] = [];
      for (const [owner, queued] of waiting) {
        if (items.length >= maxItems) break;
        waiting.delete(owner);
        items.push(queued.shift() as T);
        // An entry that is set again during the iteration is visited again in the same iteration.
        if (queued.length > 0) waiting.set(owner, queued);
      }
      size -= items.length;
      return items;
    },
    size: () => size,
  };
}
