import type { FeedState as ServerState } from '@comanda/contracts/feed';
import type { FailureCode } from '../call-failure.ts';
import type { ServerClock } from '../server-clock.ts';
import type { FeedStanding } from './feed-types.ts';

/** The status of a feed, across all its connections. */
export type Standing = {
  current: () => FeedStanding;
  set: (status: FeedStanding['status'], reason?: FailureCode) => void;
  /**
   * Copies from the server's state how far the feed is behind and since when, and since when unpublished events have been
   * waiting.
   */
  takeState: (state: ServerState) => void;
  /** Lowers the count of missing events after one of them has arrived. */
  countDown: () => void;
  /** Records when the feed stopped being live, by the device's clock, unless this is already known. */
  lostAt: (at: number) => void;
};
type Options = { clock: ServerClock; onStanding: ((standing: FeedStanding) => void) | undefined };

export function createStanding({ clock, onStanding }: Options): Standing {
  let reported: Pick<FeedStanding, 'status' | 'reason'> = { status: 'connecting' };
  let behind = 0;
  let waitingSince: string | null = null;
  /**
   * When the feed stopped being live, by this device's clock (the server's time may not be known yet). Null while the feed is
   * live.
   */
  let notLiveSince: number | null = Date.now();
  const current = (): FeedStanding => ({
    ...reported,
    ...(notLiveSince !== null && { since: new Date(notLiveSince + clock.offsetMs()).toISOString() }),
    ...(reported.status === 'replaying' && { behind, ...(waitingSince !== null && { waitingSince }) }),
  });
  return {
    current,
    set: (status, reason) => {
      notLiveSince = status === 'live' ? null : (notLiveSince ?? Date.now());
      reported = { status, ...(reason !== undefined && { reason }) };
      onStanding?.(current());
    },
    takeState: (state) => {
      behind = state.behind ?? 0;
      const { time, oldest_waiting_ms: waitingMs } = state;
      waitingSince = waitingMs === undefined ? null : new Date(Date.parse(time) - waitingMs).toISOString();
      if (state.since === undefined) return;
      const since = Date.parse(state.since) - clock.offsetMs();
      notLiveSince = Math.min(notLiveSince ?? since, since);
    },
    countDown: () => {
      behind = Math.max(0, behind - 1);
    },
    lostAt: (at) => {
      notLiveSince ??= at;
    },
  };
}
