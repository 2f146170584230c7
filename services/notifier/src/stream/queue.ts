/** A queue between any number of producers and one loop that consumes their values. */
export type Queue<T> = AsyncIterable<readonly T[]> & {
  add: (value: T) => void;
  /** Ends the loop. Values that the loop hasn't consumed yet are dropped. */
  close: () => void;
};

/**
 * Creates a queue. Each step of the loop gets all values that were added since the last step. Unless the loop is busy, the step
 * runs in the same turn of the event loop in which the first of these values was added.
 */
export function createQueue<T>(): Queue<T> {
  const state = { values: [] as T[], isClosed: false, wake: (): void => undefined };
  return {
    add: (value) => {
      state.values.push(value);
      state.wake();
    },
    close: () => {
      state.isClosed = true;
      state.wake();
    },
    async *[Symbol.asyncIterator]() {
      while (!state.isClosed) {
        if (state.values.length === 0) await new Promise<void>((resolve) => (state.wake = resolve));
        const { values } = state;
        state.values = [];
        if (values.length > 0 && !state.isClosed) yield values;
      }
    },
  };
}
