import type { FeedState } from '@comanda/client/core';
import { isUnread } from '@comanda/ui/feed-state.ts';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';

/**
 * Returns the text for the feed's state. If the screen already shows when its orders were loaded (`knownAtMs`), the text contains
 * no second time.
 */
export function feedText(state: FeedState, knownAtMs: number | null = null): string {
  const words = messages().feed;
  if (state.kind === 'live') return words.live;
  if (state.kind === 'connecting') return words.connecting;
  if (state.kind === 'not_live') {
    const since = formatTimeWithSeconds(state.sinceMs);
    return isUnread(state) ? words.ordersMissing(knownAtMs === null ? since : null) : words.notLive(since);
  }
  const { count, waitingSinceMs } = state;
  return waitingSinceMs === undefined
    ? words.catchingUp(count)
    : words.olderWait(formatTimeWithSeconds(waitingSinceMs));
}
