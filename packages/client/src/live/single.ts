import type { CallOptions } from '../calls/call-types.ts';
import type { ResourceName } from '../calls/route.ts';
import type { FeedEvent } from '../feed/feed-types.ts';
import type { Server, Source } from './source.ts';

type Single<T> = {
  name: ResourceName;
  get: (server: Server, options: CallOptions) => Promise<T>;
  rowIn?: (event: FeedEvent) => T | null;
};
/**
 * Creates a source for something that exists only once in a restaurant, such as its settings. Comparisons with the server are
 * rare (every 5 min), because events report most changes.
 */
export const single = <T extends { version: number }>({ get, ...source }: Single<T>): Source<T> => ({
  ...source,
  load: async function* loadSingle(server, options) {
    yield [await get(server, options)];
  },
  isPublic: true,
  idOf: () => 1,
  versionOf: ({ version }) => version,
  compareEveryMs: 300_000,
});
