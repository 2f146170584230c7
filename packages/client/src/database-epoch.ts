/** The epoch of the server's database. It changes when the database is restored from a backup. */
export type DatabaseEpoch = {
  /** Takes the server's epoch; null if it sent none. Calls the listeners if another one was known. */
  take: (epoch: string | null) => void;
  /** Calls `listener` when the database was restored: versions may have gone back. Returns a function that removes it. */
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
