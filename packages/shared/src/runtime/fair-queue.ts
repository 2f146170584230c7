export type FairQueue<T> = {
  push: (owner: unknown, item: T) => void;
  /**
   * Removes up to `maxItems` items and returns them: one item from each owner in turn, with each owner's items in their order.
   */
  take: (maxItems: number) => T[];
  size: () => number;
};

/** Creates a queue that takes items from its owners in turn, so that no owner has to wait for all of another owner's items. */
export function createFairQueue<T>(): FairQueue<T> {
  // The first entry is the owner whose turn is next. After its turn, an owner with more items moves to the end.
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
        // A Map visits an entry that is deleted and set again during the iteration once more, at the end.
        if (queued.length > 0) waiting.set(owner, queued);
      }
      size -= items.length;
      return items;
    },
    size: () => size,
  };
}
