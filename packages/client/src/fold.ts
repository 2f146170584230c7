type Versioned = { id: number; version: number };

/** Things by their id, each in the highest version that came: order and duplicates cannot hurt it. */
export type Fold<T extends Versioned> = {
  /** Whether it is newer than what was there. */
  take: (one: T) => boolean;
  remove: (id: number) => boolean;
  all: () => T[];
  forget: () => void;
};

export function createFold<T extends Versioned>(): Fold<T> {
  const newest = new Map<number, T>();
  return {
    take: (one) => {
      const known = newest.get(one.id);
      if (known && known.version >= one.version) return false;
      newest.set(one.id, one);
      return true;
    },
    remove: (id) => newest.delete(id),
    all: () => [...newest.values()],
    forget: () => newest.clear(),
  };
}
