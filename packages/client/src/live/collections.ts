import type { CallName } from '../calls/call-types.ts';
import { routes } from '../calls/calls.ts';
import { openCollection, type Collection, type CollectionDeps, type CollectionOptions } from './collection.ts';
import type { Source } from './source.ts';

export type OpenCollection = <T>(source: Source<T>, options?: CollectionOptions<T>) => Collection<T>;

/** A source with rows of any type, and its open collection. */
type Opened = readonly [Source<never>, Pick<Collection<never>, 'apply' | 'load' | 'remove'>];

/** The open collections of a client. The responses to its calls are applied to all of them. */
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
  /** Applies the row in a response, removes a row that the call has deleted, and loads a row that it has changed. */
  function takeResponse(call: CallName, input: unknown, body: unknown): void {
    const { row } = routes[call];
    for (const [source, { apply, load, remove }] of all) {
      const [changed, removed] = [source.changedByCalls?.[call], source.removedByCalls?.[call]];
      // If the row has not changed (304), the response has no body.
      if (row !== undefined && row === source.name && body !== undefined) apply(body as never);
      if (changed) void load(changed(body as never));
      if (removed) remove(removed(input as never));
    }
  }
  return { open, takeResponse };
}
