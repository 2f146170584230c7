import type { FeedState } from '@comanda/contracts/feed';

/** The position of a feed, over all its connections. */
export type FeedProgress = {
  /** The position where the next connection continues; null if it starts with new events. */
  cursor: () => string | null;
  /** Moves to the event. Returns false if it was received before. */
  takeEvent: (id: string, cursor: string) => boolean;
  /** Moves to the state's cursor. Returns whether events are missing without a `gap` from the server. */
  takeState: (state: FeedState, previousStatus: string) => boolean;
  /** Forgets the cursor, which the server has rejected. */
  dropCursor: () => void;
  /** Starts again for another user. Returns whether there was anything to forget. */
  reset: () => boolean;
};

/** How many ids of events are remembered, because the server may send an event twice. */
const maxRememberedIds = 2000;

export function createFeedProgress(after: string | null): FeedProgress {
  const seenIds = new Set<string>();
  let cursor = after;
  let wasLive = false;
  return {
    cursor: () => cursor,
    takeEvent: (id, eventCursor) => {
      cursor = eventCursor;
      if (seenIds.has(id)) return false;
      seenIds.add(id);
      if (seenIds.size > maxRememberedIds) seenIds.delete(seenIds.values().next().value ?? '');
      return true;
    },
    takeState: (state, previousStatus) => {
      // A connection that was live continues without a cursor: events in between would be missing unnoticed.
      const isMissing = wasLive && cursor === null && state.status === 'live' && previousStatus !== 'live';
      cursor = state.cursor ?? cursor;
      wasLive ||= state.status === 'live';
      return isMissing;
    },
    dropCursor: () => (cursor = null),
    reset: () => {
      const hadEvents = wasLive;
      cursor = null;
      wasLive = false;
      seenIds.clear();
      return hadEvents;
    },
  };
}
