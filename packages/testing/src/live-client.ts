import type { CallName } from '../../client/src/calls/call-types.ts';
import type { Client, FeedEvent, FeedHandlers, FeedStanding, Who } from '../../client/src/client.ts';
import { createCollections } from '../../client/src/live/collections.ts';
import type { Server } from '../../client/src/live/resources.ts';

type FakeCalls = { [N in CallName]?: (input: never) => Promise<unknown> };
const waiter: Who = { userId: 3, role: 'waiter', name: 'Ana' };

/**
 * Creates a client whose collections are real, and whose calls and feed a test controls. The feed is live from the start, unless
 * `status` says otherwise.
 */
export function liveClient(
  given: FakeCalls,
  { who = waiter, status = 'live' }: { who?: Who; status?: FeedStanding['status'] } = {},
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
  ) as unknown as Server['calls'];
  const feed: Client['feed'] = (handlers) => {
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
  const pages: Client['pages'] = async function* pages(name, input) {
    yield await (calls[name] as (input: unknown) => Promise<never>)(input);
  };
  const onWho = () => () => undefined;
  const collections = createCollections({
    deps: { feed, who: () => who, onWho },
    server: { calls, pages, who: () => who, now: Date.now },
  });
  return {
    client: {
      calls,
      feed,
      pages,
      who: () => who,
      onWho,
      now: Date.now,
      collection: collections.open,
    } as unknown as Client,
    /** Sends an event to everything that follows the feed. */
    emit: (type: FeedEvent['type'], data: unknown): void => {
      for (const { onEvent } of feeds) onEvent?.({ type, data } as FeedEvent, 'cursor');
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
