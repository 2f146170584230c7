import type { CallName } from '../../client/src/calls/call-types.ts';
import type { Client, FeedEvent, FeedHandlers, FeedStanding, Who } from '../../client/src/client.ts';
import { reportFeedState } from '../../client/src/feed/feed-state.ts';
import { createCollections } from '../../client/src/live/collections.ts';
import type { Server } from '../../client/src/live/source.ts';

type FakeCalls = { [N in CallName]?: (input: never) => Promise<unknown> };
const waiter: Who = { userId: 3, role: 'waiter', name: 'Ana' };

/**
 * Creates a client whose collections are real, and whose calls and feed a test controls. The feed is live from the start, unless
 * `status` says otherwise.
 */
export function liveClient(
  given: FakeCalls,
  { who = waiter, status = 'live' }: { who?: Who | null; status?: FeedStanding['status'] } = {},
) {
  const feeds = new Set<FeedHandlers>();
  let standing: FeedStanding = { status };
  const calls = Object.fromEntries(
    Object.entries(given).map(([name, respond]) => [
      name,
      async (input: never) => {
        const body = await respond(input);
        collections.takeResponse(name as CallName, input, body);
        return body;
      },
    ]),
  );
  const open: Client['feed'] = (handlers) => {
    feeds.add(handlers);
    queueMicrotask(() => handlers.onStanding?.(standing));
    return {
      standing: () => standing,
      cursor: () => null,
      checksums: () => null,
      now: Date.now,
      close: () => void feeds.delete(handlers),
    };
  };
  const feed: Client['feed'] = (handlers) => reportFeedState({ open, now: Date.now, handlers });
  const pages: Client['pages'] = async function* pages(name, input) {
    yield await (given[name] as (input: unknown) => Promise<never>)(input);
  };
  const onWho = () => () => undefined;
  const deps = { feed, pages, who: () => who, onWho, now: Date.now };
  const collections = createCollections({ ...deps, calls: given as unknown as Server['calls'] });
  return {
    client: { ...deps, calls, collection: collections.open } as unknown as Client,
    /** Sends an event to everything that follows the feed. `time`: when the change happened. */
    emit: (type: FeedEvent['type'], data: unknown, time?: string): void => {
      for (const { onEvent } of feeds) onEvent?.({ type, data, time } as FeedEvent, 'cursor');
    },
    /** Makes everything that follows the feed compare itself with the server, as after the device slept. */
    wake: (): void => {
      for (const { onAwake } of feeds) onAwake?.();
    },
    /** Changes the status of the feed. */
    stand: (next: FeedStanding['status']): void => {
      standing = { status: next };
      for (const { onStanding } of feeds) onStanding?.(standing);
    },
  };
}
/** Ends the current turn of the event loop, in which a collection gathers its events. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
