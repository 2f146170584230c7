import type { CallOptions } from '../calls/call-types.ts';
import type { LatestVersions, Versioned } from './latest-versions.ts';

type Options<T extends Versioned> = {
  resources: LatestVersions<T>;
  /** Returns the resources that belong in the list. */
  shown: () => T[];
  readList: (options: CallOptions) => AsyncIterable<readonly T[]>;
  /** Fetches one resource. Returns null if the resource no longer exists. Absent if only the whole list can be fetched. */
  readOne?: ((id: T['id'], options: CallOptions) => Promise<T | null>) | undefined;
  onListed: (resource: T) => void;
  onChange: () => void;
};

type Fetched<T extends Versioned> = { listed: ReadonlyMap<T['id'], T>; signal: AbortSignal };

/** Creates functions that compare a local list with the server's list. */
export function createComparison<T extends Versioned>(options: Options<T>) {
  const { resources, shown, readList, readOne, onListed, onChange } = options;
  /** The versions that the last comparison did not find on the server, by resource id. */
  let doubted = new Map<T['id'], number>();

  /** Fetches the whole list. Returns a function that checks local resources that the server's list no longer contains. */
  async function readAll(signal: AbortSignal): Promise<() => Promise<void>> {
    const belonging = new Set(shown());
    resources.retire(resources.all().filter((resource) => !belonging.has(resource)));
    const before = new Map(resources.all().map(({ id, version }) => [id, version]));
    const listed = new Map<T['id'], T>();
    for await (const page of readList({ signal })) {
      // A page may still arrive after the fetch was aborted.
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
   * Checks each resource that the server's list does not contain, by fetching it. If the server has no such resource or a lower
   * version, the local list is changed only after the second comparison with this result. This is because a database that has
   * just lost its primary may return an older state, and no order may disappear from a screen because of that. If single
   * resources can't be fetched, a missing resource is removed immediately.
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
