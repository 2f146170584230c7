import type { FeedState } from '@comanda/client/core';

/** Returns true if events arrive, but the list was not fetched. Orders may then be missing that no event will deliver. */
export const isUnread = (state: FeedState): boolean => state.kind === 'not_live' && state.why === 'unread';
/** Returns true if no events arrive, so calls probably fail too. */
export const isCutOff = (state: FeedState): boolean => state.kind === 'not_live' && state.why !== 'unread';
/**
 * Returns true if a list may be incomplete, so that it must not be shown as empty. Set `isRead` if the list was fetched since the
 * last gap in the feed.
 */
export const isMissing = (state: FeedState, isRead: boolean): boolean =>
  isUnread(state) || (state.kind === 'not_live' && !isRead);
