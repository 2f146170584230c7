import type { FeedState } from '@comanda/client';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';

/** What a screen says of its feed. */
export function feedText(state: FeedState): string {
  const words = messages().feed;
  if (state.kind === 'live') return words.live;
  if (state.kind === 'connecting') return words.connecting;
  if (state.kind === 'not_live') return words.notLive(formatTimeWithSeconds(state.sinceMs));
  const { count, waitingSinceMs } = state;
  return waitingSinceMs === undefined
    ? words.catchingUp(count)
    : words.olderWait(formatTimeWithSeconds(waitingSinceMs));
}
