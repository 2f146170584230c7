/** The epoch of the server's database. It changes when the database is restored from a backup. */
export type DatabaseEpoch = {
  /** Records the epoch in the server's response; null if there was none. Calls the listeners if it differs from a known epoch. */
  take: (epoch: string | null) => void;
  /**
   * Calls `listener` when the database was restored, because versions may have gone back. Returns a function that removes the
   * listener.
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
