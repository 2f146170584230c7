import { createChecksum } from '@comanda/contracts/checksum';

/** A resource with its version, which never gets lower. Checksums exist only for lists whose ids are numbers. */
export type Versioned = { id: number | string; version: number };

/** The newest known version of each resource, by id. Duplicates and older versions are ignored. */
export type LatestVersions<T extends Versioned> = {
  /** Stores `resource` if it is newer than the stored version, or if the stored one is distrusted. Returns true if it did. */
  apply: (resource: T) => boolean;
  /** Stores `resource`, even if the stored version is higher. */
  replace: (resource: T) => void;
  remove: (id: T['id']) => boolean;
  find: (id: T['id']) => T | undefined;
  all: () => T[];
  /**
   * Removes these resources but remembers their versions, so a late duplicate does not bring them back. The versions of
   * distrusted resources are not remembered.
   */
  retire: (resources: readonly T[]) => void;
  /**
   * Marks all stored resources as distrusted, because the server may have lower versions now. They stay until newer data
   * arrives, and any version replaces them.
   */
  distrust: () => void;
  /** Removes resources that are still distrusted. Returns true if there were any. */
  removeDistrusted: () => boolean;
  clear: () => void;
};

/** The maximum number of removed resources whose versions are remembered. */
const maxRetired = 5000;

type Options<T> = {
  /** Checks whether the checksum covers this resource. By default, it covers all resources. */
  isCounted?: (resource: T) => boolean;
  /** Called with the new checksum after each change. */
  onChecksum?: (checksum: string) => void;
};

export function createLatestVersions<T extends Versioned>(options: Options<T> = {}): LatestVersions<T> {
  const { isCounted = () => true, onChecksum = () => undefined } = options;
  const checksum = createChecksum();
  const latest = new Map<T['id'], T>();
  const distrusted = new Set<T['id']>();
  const retired = new Map<T['id'], number>();
  function put(resource: T): void {
    const before = latest.get(resource.id);
    if (before && isCounted(before)) checksum.remove(counted(before));
    if (isCounted(resource)) checksum.add(counted(resource));
    latest.set(resource.id, resource);
    onChecksum(checksum.text());
    distrusted.delete(resource.id);
    retired.delete(resource.id);
  }
  function remove(id: T['id']): boolean {
    const before = latest.get(id);
    if (!before) return false;
    distrusted.delete(id);
    latest.delete(id);
    if (isCounted(before)) checksum.remove(counted(before));
    onChecksum(checksum.text());
    return true;
  }
  return {
    apply: (resource) => {
      const { id, version } = resource;
      const knownVersion = distrusted.has(id) ? -1 : (latest.get(id)?.version ?? retired.get(id) ?? -1);
      if (version <= knownVersion) return false;
      put(resource);
      return true;
    },
    replace: put,
    remove,
    find: (id) => latest.get(id),
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

const counted = ({ id, version }: Versioned): { id: number; version: number } => ({ id: Number(id), version });
