import type { FeedState } from '@comanda/client';

/** Returns true if events arrive, but some orders may be missing that no event will deliver. */
export const isUnread = (state: FeedState): boolean => state.kind === 'not_live' && state.why === 'unread';
/** Returns true if, as far as this screen knows, no events arrive and nothing can be sent. */
export const isCutOff = (state: FeedState): boolean => state.kind === 'not_live' && state.why !== 'unread';
/**
 * Returns true if a list may be incomplete, so that it must not be shown as empty. `isRead`: true if the list was fetched since
 * the last gap.
 */
export const isMissing = (state: FeedState, isRead: boolean): boolean =>
  isUnread(state) || (state.kind === 'not_live' && !isRead);
