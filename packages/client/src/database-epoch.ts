/** Tracks the database epoch, an id that changes when the server's database is restored from a backup. */
export type DatabaseEpoch = {
  /** Records the epoch from a response, or null if the response contains none. Calls the listeners if the epoch has changed. */
  take: (epoch: string | null) => void;
  /**
   * Calls `listener` after a database restore, because resources may have lower versions than before. Returns a function that
   * removes the listener.
   */
  onRestored: (listener: () => void) => () => void;
};

export function createDatabaseEpoch(): DatabaseEpoch {
  const listeners = new Set<() => void>();
  let known: string | null = null;
  return {
    take: (epoch) => {
      const isAnother = known !== null && epoch !== null && epoch !== known;
      known = epoch ?? known;
      if (isAnother) for (const listener of listeners) listener();
    },
    onRestored: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
