import type { FeedState } from '@comanda/client';

/** Events arrive, but orders may be missing that none will bring. */
export const isUnread = (state: FeedState): boolean => state.kind === 'not_live' && state.why === 'unread';
/** Neither events arrive, nor can anything be sent, as far as this screen knows. */
export const isCutOff = (state: FeedState): boolean => state.kind === 'not_live' && state.why !== 'unread';
/** Whether a list is known to lack something: then it does not say that there is nothing. `isRead`: once, since the last gap. */
export const isMissing = (state: FeedState, isRead: boolean): boolean =>
  isUnread(state) || (state.kind === 'not_live' && !isRead);
