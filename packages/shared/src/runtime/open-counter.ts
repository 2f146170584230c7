export type OpenCounter = {
  /** Adds 1 to the count for `key` and returns true. If the count is already `max`, adds nothing and returns false. */
  tryAdd: (key: string) => boolean;
  remove: (key: string) => void;
  isFull: (key: string) => boolean;
};

/** Creates a counter of things that are open, such as connections: at most `max` for each key. */
export function createOpenCounter(max: number): OpenCounter {
  const counts = new Map<string, number>();
  return {
    isFull: (key) => (counts.get(key) ?? 0) >= max,
    tryAdd: (key) => {
      const count = counts.get(key) ?? 0;
      if (count >= max) return false;
      counts.set(key, count + 1);
      return true;
    },
    remove: (key) => {
      const count = (counts.get(key) ?? 1) - 1;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}
