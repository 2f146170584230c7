import type { FeedState as ServerState } from '@comanda/contracts/feed';
import type { FailureCode } from '../call-failure.ts';
import type { ServerClock } from '../server-clock.ts';
import type { FeedStanding } from './feed-types.ts';

/** The status of a feed, which survives a reconnect. */
export type Standing = {
  current: () => FeedStanding;
  set: (status: FeedStanding['status'], reason?: FailureCode) => void;
  /**
   * Copies three values from the server's state: how many events the feed is behind, since when it has not been live, and since
   * when unpublished events have been waiting.
   */
  takeState: (state: ServerState) => void;
  /** Reduces the number of missing events by one when an event arrives. */
  countDown: () => void;
  /** Records when the feed stopped being live, in milliseconds by this device's clock. An earlier record stays. */
  lostAt: (at: number) => void;
};
type Options = { clock: ServerClock; onStanding: ((standing: FeedStanding) => void) | undefined };

export function createStanding({ clock, onStanding }: Options): Standing {
  let reported: Pick<FeedStanding, 'status' | 'reason'> = { status: 'connecting' };
  let behind = 0;
  let waitingSince: string | null = null;
  /**
   * When the feed stopped being live, in milliseconds by this device's clock, because the server's time may not be known yet.
   * Null while the feed is live.
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
