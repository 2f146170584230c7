import type { FeedState } from '@comanda/contracts/feed';

/** The position in a feed, across all its connections. */
export type FeedProgress = {
  /** Returns the position where the next connection continues, or null if it starts with new events. */
  cursor: () => string | null;
  /** Moves to the event's cursor. Returns false if the event was received before. */
  takeEvent: (id: string, cursor: string) => boolean;
  /** Moves to the state's cursor. Returns true if events were missed although the server reported no `gap`. */
  takeState: (state: FeedState, previousStatus: string) => boolean;
  /** Forgets the cursor because the server has rejected it. */
  dropCursor: () => void;
  /** Resets the progress for another user. Returns true if there was any. */
  reset: () => boolean;
};

/** How many event ids to remember, because the server may send an event twice. */
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
      // If a connection that was live continues without a cursor, events would be lost without notice.
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
