import type { Feed, FeedHandlers } from './feed-types.ts';

type OpenFeed = (handlers: FeedHandlers) => Feed;

/**
 * One connection for all feeds of a client: a phone that follows the menu and its orders opens one socket. It is opened
 * with the first feed and closed with the last. A feed that continues from a cursor of its own has a connection of its own.
 */
export function createSharedFeed(openFeed: OpenFeed): OpenFeed {
  const followers = new Set<FeedHandlers>();
  let connection: Feed | null = null;

  /** An error of one follower does not keep the others from hearing. */
  function notifyAll(notify: (follower: FeedHandlers) => void): void {
    for (const follower of followers)
      try {
        notify(follower);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
  }
  const open = (): Feed =>
    openFeed({
      onEvent: (event, cursor) => notifyAll((follower) => follower.onEvent?.(event, cursor)),
      onStanding: (standing) => notifyAll((follower) => follower.onStanding?.(standing)),
      onAwake: () => notifyAll((follower) => follower.onAwake?.()),
    });

  function follow(handlers: FeedHandlers): Feed {
    const follower = { ...handlers };
    followers.add(follower);
    const shared = (connection ??= open());
    // Where it stands, also if that does not change. Not before the caller has the feed that is returned.
    queueMicrotask(() => {
      if (followers.has(follower)) follower.onStanding?.(shared.standing());
    });
    return {
      ...shared,
      close: () => {
        if (!followers.delete(follower) || followers.size > 0) return;
        shared.close();
        connection = null;
      },
    };
  }
  return (handlers) => (handlers.after === undefined ? follow(handlers) : openFeed(handlers));
}
