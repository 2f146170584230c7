import type { CallOptions } from '../calls/call-types.ts';
import type { ResourceName } from '../calls/route.ts';
import type { FeedEvent } from '../feed/feed-types.ts';
import type { Server, Source } from './source.ts';

type Single<T> = {
  name: ResourceName;
  get: (server: Server, options: CallOptions) => Promise<T>;
  rowIn?: (event: FeedEvent) => T | null;
};
/** What exists once in a restaurant. Events bring most changes, so comparisons are rare. */
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
