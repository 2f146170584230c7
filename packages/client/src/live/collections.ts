import type { CallName } from '../calls/call-types.ts';
import { routes } from '../calls/calls.ts';
import { openCollection, type Collection, type CollectionDeps, type CollectionOptions } from './collection.ts';
import type { Source } from './source.ts';

export type OpenCollection = <T>(source: Source<T>, options?: CollectionOptions<T>) => Collection<T>;

/** A source and the collection that was opened for it. */
type Opened = readonly [Source<never>, Pick<Collection<never>, 'apply' | 'load' | 'remove'>];

/** Creates the set of a client's open collections. The responses to the client's calls are applied to all of them. */
export function createCollections(deps: CollectionDeps) {
  const all = new Set<Opened>();
  const open: OpenCollection = (source, options = {}) => {
    const collection = openCollection(deps, source, options);
    const opened = [source, collection] as unknown as Opened;
    all.add(opened);
    const close = (): void => {
      all.delete(opened);
      collection.close();
    };
    return { ...collection, close };
  };
  /**
   * Applies the response to a call: updates the row in the response, removes the row that the call has deleted, or loads the
   * row that the call has changed.
   */
  function takeResponse(call: CallName, input: unknown, body: unknown): void {
    const { row } = routes[call];
    /** The rows that are being loaded, by the name of their source. Collections with the same rows share one request. */
    const loading = new Map<string | undefined, Promise<null>>();
    for (const [source, { apply, load, remove }] of all) {
      const removed = source.removedByCalls?.[call];
      const changed = source.changedByCalls?.[call]?.(body as never, input as never) ?? null;
      const rows = source.rowsInCalls?.[call];
      // A response with status 304 has no body, because the row has not changed.
      if (row !== undefined && row === source.name && body !== undefined) apply(body as never);
      if (rows) for (const each of rows(body as never)) apply(each);
      if (changed !== null && source.loadOne) {
        const loaded = loading.get(source.name) ?? source.loadOne(deps, changed, {});
        loading.set(source.name, loaded);
        void load(changed, loaded);
      }
      if (removed) remove(removed(input as never));
    }
  }
  return { open, takeResponse };
}
