import type { CallOptions } from '../calls/call-types.ts';
import type { LatestVersions, Versioned } from './latest-versions.ts';

type Options<T extends Versioned> = {
  resources: LatestVersions<T>;
  /** Returns the resources that belong to the list. */
  shown: () => T[];
  readList: (options: CallOptions) => AsyncIterable<readonly T[]>;
  /** Fetches one resource. Returns null if it no longer exists. Absent if the list can only be fetched whole. */
  readOne?: ((id: T['id'], options: CallOptions) => Promise<T | null>) | undefined;
  onListed: (resource: T) => void;
  onChange: () => void;
};

type Fetched<T extends Versioned> = { listed: ReadonlyMap<T['id'], T>; signal: AbortSignal };

/** Compares the local list with the server's. */
export function createComparison<T extends Versioned>(options: Options<T>) {
  const { resources, shown, readList, readOne, onListed, onChange } = options;
  /** Versions that the last comparison could not find on the server, by resource id. */
  let doubted = new Map<T['id'], number>();

  /** Fetches the whole list. Returns a function that checks earlier resources that the list no longer contains. */
  async function readAll(signal: AbortSignal): Promise<() => Promise<void>> {
    const belonging = new Set(shown());
    resources.retire(resources.all().filter((resource) => !belonging.has(resource)));
    const before = new Map(resources.all().map(({ id, version }) => [id, version]));
    const listed = new Map<T['id'], T>();
    for await (const page of readList({ signal })) {
      // A page may arrive in the turn in which the fetch is aborted.
      signal.throwIfAborted();
      for (const resource of page) {
        listed.set(resource.id, resource);
        onListed(resource);
      }
    }
    signal.throwIfAborted();
    const isUnlisted = ({ id, version }: T): boolean =>
      before.get(id) === version && (listed.get(id)?.version ?? 0) < version;
    return () => findUnlisted(shown().filter(isUnlisted), { listed, signal });
  }
  /**
   * Fetches each unlisted resource. If the server has only a lower version or none, the list follows at the second comparison. A
   * database that has just lost its primary may return an older state, and no order may leave a screen because of that. What a list
   * that can only be fetched whole no longer contains is removed immediately.
   */
  async function findUnlisted(unlisted: readonly T[], { listed, signal }: Fetched<T>): Promise<void> {
    const doubtedBefore = doubted;
    doubted = new Map();
    for (const { id, version } of unlisted) {
      const found = readOne ? await readOne(id, { signal }) : (listed.get(id) ?? null);
      signal.throwIfAborted();
      if (found && found.version >= version) onListed(found);
      else if ((readOne || found) && doubtedBefore.get(id) !== version) doubted.set(id, version);
      else {
        if (found) resources.replace(found);
        else resources.remove(id);
        onChange();
      }
    }
  }
  return { readAll, forget: (): void => doubted.clear() };
}
