import type { FeedState } from '@comanda/client';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';

/** Events arrive, but orders may be missing that none will bring. */
export const isUnread = (state: FeedState): boolean => state.kind === 'not_live' && state.why === 'unread';
/** Neither events arrive, nor can anything be sent, as far as this screen knows. */
export const isCutOff = (state: FeedState): boolean => state.kind === 'not_live' && state.why !== 'unread';

/** What a screen says of its feed. */
export function feedText(state: FeedState): string {
  const words = messages().feed;
  if (state.kind === 'live') return words.live;
  if (state.kind === 'connecting') return words.connecting;
  if (state.kind === 'not_live')
    return (isUnread(state) ? words.ordersMissing : words.notLive)(formatTimeWithSeconds(state.sinceMs));
  const { count, waitingSinceMs } = state;
  return waitingSinceMs === undefined
    ? words.catchingUp(count)
    : words.olderWait(formatTimeWithSeconds(waitingSinceMs));
}
