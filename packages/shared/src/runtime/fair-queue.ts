export type FairQueue<T> = {
  push: (owner: unknown, item: T) => void;
  /** Up to `most` items: one of each owner in turn, each owner's own in their order. */
  take: (most: number) => T[];
  size: () => number;
};

/** A queue in which nobody waits for all that somebody else has in it. */
export function createFairQueue<T>(): FairQueue<T> {
  // Whose turn it is stands first; who was served and has more goes to the end.
  const waiting = new Map<unknown, T[]>();
  let size = 0;

  return {
    push: (owner, item) => {
      const own = waiting.get(owner);
      if (own) own.push(item);
      else waiting.set(owner, [item]);
      size++;
    },
    take: (most) => {
      const taken: T[] = [];
      for (const [owner, own] of waiting) {
        if (taken.length >= most) break;
        waiting.delete(owner);
        taken.push(own.shift() as T);
        // Set again while the map is walked: it is visited again in this same walk.
        if (own.length > 0) waiting.set(owner, own);
      }
      size -= taken.length;
      return taken;
    },
    size: () => size,
  };
}
