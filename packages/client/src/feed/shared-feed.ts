import type { Feed, FeedHandlers } from './feed-types.ts';

type OpenFeed = (handlers: FeedHandlers) => Feed;

/**
 * Creates a function that opens feeds over one shared connection, so a phone that follows the menu and its orders opens only
 * one socket. The first feed opens the connection, and the last one closes it. A feed that starts at a given cursor gets its
 * own connection.
 */
export function createSharedFeed(openFeed: OpenFeed): OpenFeed {
  const followers = new Set<FeedHandlers>();
  let connection: Feed | null = null;

  /** Notifies all followers, even if one of them throws. */
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
    // Passes the current status to the new feed, because the next change may be far off. Waits until the caller has received
    // the returned feed.
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
