import type { FeedState } from '@comanda/client';

/** Returns true if events arrive, but orders may be missing that no event will deliver. */
export const isUnread = (state: FeedState): boolean => state.kind === 'not_live' && state.why === 'unread';
/** Returns true if, as far as this screen can tell, no events arrive and no calls get through. */
export const isCutOff = (state: FeedState): boolean => state.kind === 'not_live' && state.why !== 'unread';
/**
 * Returns true if a list may be incomplete and so must not be shown as empty. `isRead` is true if the list was fetched since the
 * last gap.
 */
export const isMissing = (state: FeedState, isRead: boolean): boolean =>
  isUnread(state) || (state.kind === 'not_live' && !isRead);
