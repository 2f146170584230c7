import type { FeedState } from '@comanda/client';

/** Events arrive, but orders may be missing that no event will bring. */
export const isUnread = (state: FeedState): boolean => state.kind === 'not_live' && state.why === 'unread';
/** As far as this screen knows, no events arrive and nothing can be sent. */
export const isCutOff = (state: FeedState): boolean => state.kind === 'not_live' && state.why !== 'unread';
/**
 * Whether a list may be incomplete, so that it must not be shown as empty. `isRead`: whether it was read since the last
 * gap.
 */
export const isMissing = (state: FeedState, isRead: boolean): boolean =>
  isUnread(state) || (state.kind === 'not_live' && !isRead);
