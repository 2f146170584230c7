import type { CallOptions } from '../calls/call-types.ts';
import type { LatestVersions } from './latest-versions.ts';

type Versioned = { id: number; version: number };
type Options<T extends Versioned> = {
  resources: LatestVersions<T>;
  /** Returns the resources that belong to the list. */
  shown: () => T[];
  readList: (options: CallOptions) => AsyncIterable<readonly T[]>;
  /** Fetches a resource, or returns null if it no longer exists. */
  readOne: (id: number, options: CallOptions) => Promise<T | null>;
  onListed: (resource: T) => void;
  onChange: () => void;
};

/** Compares the local list with the server's. */
export function createComparison<T extends Versioned>(options: Options<T>) {
  const { resources, shown, readList, readOne, onListed, onChange } = options;
  /** Versions that the last comparison did not find on the server, by resource id. */
  let doubted = new Map<number, number>();

  /** Fetches the whole list. Returns a function that checks earlier resources that the list no longer contains. */
  async function readAll(signal: AbortSignal): Promise<() => Promise<void>> {
    const belonging = new Set(shown());
    resources.retire(resources.all().filter((resource) => !belonging.has(resource)));
    const before = new Map(resources.all().map(({ id, version }) => [id, version]));
    const listed = new Map<number, number>();
    for await (const page of readList({ signal })) {
      // A page may arrive in the turn in which the fetch is aborted.
      signal.throwIfAborted();
      for (const resource of page) {
        listed.set(resource.id, resource.version);
        onListed(resource);
      }
    }
    signal.throwIfAborted();
    const isUnlisted = ({ id, version }: T): boolean => before.get(id) === version && (listed.get(id) ?? 0) < version;
    return () => findUnlisted(shown().filter(isUnlisted), signal);
  }
  /**
   * Fetches each unlisted resource. If the server has only a lower version or none, the list follows at the second comparison. A
   * database that has just lost its primary may return an older state, and no order may leave a screen because of that.
   */
  async function findUnlisted(unlisted: readonly T[], signal: AbortSignal): Promise<void> {
    const doubtedBefore = doubted;
    doubted = new Map();
    for (const { id, version } of unlisted) {
      const found = await readOne(id, { signal });
      signal.throwIfAborted();
      if (found && found.version >= version) onListed(found);
      else if (doubtedBefore.get(id) !== version) doubted.set(id, version);
      else {
        if (found) resources.replace(found);
        else resources.remove(id);
        onChange();
      }
    }
  }
  return { readAll, forget: (): void => doubted.clear() };
}
