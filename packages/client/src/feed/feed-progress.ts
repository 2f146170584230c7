import type { FeedState } from '@comanda/contracts/feed';

/** How far a client has received the feed. The position survives a reconnect. */
export type FeedProgress = {
  /** Returns the cursor to continue from after a reconnect, or null to receive only new events. */
  cursor: () => string | null;
  /** Moves the position to this event. Returns false if the event was already received. */
  takeEvent: (id: string, cursor: string) => boolean;
  /** Moves the position to the cursor in the server's state. Returns true if events are missing but no `gap` was reported. */
  takeState: (state: FeedState, previousStatus: string) => boolean;
  /** Forgets the cursor because the server has rejected it. */
  dropCursor: () => void;
  /** Resets the position for another user. Returns true if the feed had been live for the previous user. */
  reset: () => boolean;
};

/** How many event ids to remember, to detect an event that the server sends twice. */
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
      // If a feed was live before and now reconnects without a cursor, the events in between are missing and no gap was
      // reported.
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
