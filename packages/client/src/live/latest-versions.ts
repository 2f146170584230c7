import { createChecksum, type Versioned } from '@comanda/contracts/checksum';

/** Resources by their id, each in the highest version that was applied. Order and duplicates do not matter. */
export type LatestVersions<T extends Versioned> = {
  /** Returns whether `resource` is newer than what was there, or replaces what is distrusted. */
  apply: (resource: T) => boolean;
  /** Puts `resource` there, whatever its version. */
  replace: (resource: T) => void;
  remove: (id: number) => boolean;
  all: () => T[];
  /**
   * Forgets these resources except for their versions, so that a late duplicate does not bring them back. Of those that are
   * distrusted, the versions are forgotten too.
   */
  retire: (resources: readonly T[]) => void;
  /** Keeps what is there until anything else is known: whatever is applied next replaces it. */
  distrust: () => void;
  /** Removes what has been distrusted since and was not replaced. Returns whether there was any. */
  removeDistrusted: () => boolean;
  clear: () => void;
};

/** So many versions of retired resources are remembered. */
const maxRetired = 5000;

type Options<T> = {
  /** Which resources are in the checksum; all by default. */
  isCounted?: (resource: T) => boolean;
  /** Called with the checksum after each change. */
  onChecksum?: (checksum: string) => void;
};

export function createLatestVersions<T extends Versioned>(options: Options<T> = {}): LatestVersions<T> {
  const { isCounted = () => true, onChecksum = () => undefined } = options;
  const checksum = createChecksum();
  const latest = new Map<number, T>();
  const distrusted = new Set<number>();
  const retired = new Map<number, number>();
  function put(resource: T): void {
    const before = latest.get(resource.id);
    if (before && isCounted(before)) checksum.remove(before);
    if (isCounted(resource)) checksum.add(resource);
    latest.set(resource.id, resource);
    onChecksum(checksum.text());
    distrusted.delete(resource.id);
    retired.delete(resource.id);
  }
  function remove(id: number): boolean {
    const before = latest.get(id);
    if (!before) return false;
    distrusted.delete(id);
    latest.delete(id);
    if (isCounted(before)) checksum.remove(before);
    onChecksum(checksum.text());
    return true;
  }
  return {
    apply: (resource) => {
      const { id, version } = resource;
      const knownVersion = distrusted.has(id) ? 0 : (latest.get(id)?.version ?? retired.get(id) ?? 0);
      if (version <= knownVersion) return false;
      put(resource);
      return true;
    },
    replace: put,
    remove,
    all: () => [...latest.values()],
    retire: (resources) => {
      for (const { id, version } of resources) {
        if (!distrusted.has(id)) retired.set(id, version);
        remove(id);
      }
      for (const id of retired.keys()) {
        if (retired.size <= maxRetired) break;
        retired.delete(id);
      }
    },
    distrust: () => {
      for (const id of latest.keys()) distrusted.add(id);
      retired.clear();
    },
    removeDistrusted: () => {
      const ids = [...distrusted];
      for (const id of ids) remove(id);
      return ids.length > 0;
    },
    clear: () => {
      for (const id of latest.keys()) remove(id);
      retired.clear();
    },
  };
}
