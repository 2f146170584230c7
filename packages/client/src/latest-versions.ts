type Versioned = { id: number; version: number };

/** Resources by their id, each in the highest version that was applied. Order and duplicates do not matter. */
export type LatestVersions<T extends Versioned> = {
  /** Returns whether `resource` is newer than what was there. */
  apply: (resource: T) => boolean;
  remove: (id: number) => boolean;
  all: () => T[];
  clear: () => void;
};

export function createLatestVersions<T extends Versioned>(): LatestVersions<T> {
  const latest = new Map<number, T>();
  return {
    apply: (resource) => {
      const current = latest.get(resource.id);
      if (current && current.version >= resource.version) return false;
      latest.set(resource.id, resource);
      return true;
    },
    remove: (id) => latest.delete(id),
    all: () => [...latest.values()],
    clear: () => latest.clear(),
  };
}
