import type { Clock } from '@comanda/shared/runtime/clock';
import { roomsOfCaller } from '../feed/audience.ts';
import { encodeCursor } from '../feed/cursor.ts';
import type { Cursor } from '../feed/cursor.ts';
import { cutOff, isBehind, mayWrite } from './backlog.ts';
import { isFor, nextReplayStep, positionInRing, takeReplayStep, untilRead } from './replay-events.ts';
import type { Replay, ReplayDeps } from './replay-events.ts';
import type { FeedSocket } from './socket-types.ts';

/** One client of the feed, from its connection to its end. */
export type FeedConnection = {
  /** Sends the client its status and its cursor. */
  sendStatus: () => void;
  /** The status of the feed has changed: sends it, or starts to serve a client that waited for the feed. */
  onStatusChange: () => void;
  /** The feed has a gap: what comes next does not follow what this client was sent. */
  onGap: () => void;
  /** Takes a client that is behind out of the live feed, and replays the rest as the client reads it. */
  checkBacklog: () => void;
  close: () => void;
};
export type FeedConnectionDeps = ReplayDeps & { clock: Clock };

/** `waiting`: for the feed to know its stream; without a cursor the client is owed a `gap`. */
type State =
  | { kind: 'waiting'; cursor: Cursor | null }
  | { kind: 'replaying'; replay: Replay; abort: AbortController }
  | { kind: 'live' };

/**
 * Brings a client from its cursor to the live feed with nothing missing, repeated or out of order: what it missed is
 * replayed until the ring has no more. To find that out and to join the rooms is one synchronous step; so is to push an
 * event to the ring and to send it to the rooms.
 */
export function createFeedConnection(socket: FeedSocket, deps: FeedConnectionDeps): FeedConnection {
  const { feed, metrics, logger, clock } = deps;
  const { caller, after } = socket.data;
  const rooms = roomsOfCaller(caller);
  let state: State = { kind: 'waiting', cursor: after };

  function sendStatus(): void {
    const { status, since } = feed.status();
    const own = status === 'live' && state.kind !== 'live' ? 'replaying' : status;
    const behind = own === 'replaying' && state.kind === 'replaying' && countAhead(state.replay);
    const stalledSince = own === 'stalled' && { since: since.toISOString() };
    socket.emit('feed', {
      status: own,
      cursor: currentCursor(),
      time: new Date(clock()).toISOString(),
      ...stalledSince,
      ...(typeof behind === 'number' && { behind }),
    });
  }
  /** How many events of the ring are still to be sent to this client; null while it reads older ones. */
  function countAhead(replay: Replay): number | null {
    const position = positionInRing(replay.cursor, feed);
    if (position.kind !== 'in_ring') return null;
    return feed.ring.slice(position.next, Infinity).filter((entry) => isFor(replay, entry)).length;
  }
  function currentCursor(): string | null {
    if (state.kind === 'live') return feed.cursor();
    const cursor = state.kind === 'replaying' ? state.replay.cursor : state.cursor;
    return cursor && encodeCursor(cursor);
  }

  function goLive(): void {
    void socket.join([...rooms]);
    state = { kind: 'live' };
    sendStatus();
  }
  function goLiveAfterGap(): void {
    metrics.gaps.inc();
    socket.emit('feed', { status: 'gap', cursor: feed.cursor(), time: new Date(clock()).toISOString() });
    goLive();
  }
  function leaveFeed(): void {
    if (state.kind === 'replaying') state.abort.abort();
    for (const room of rooms) void socket.leave(room);
  }

  function startReplay(cursor: Cursor): void {
    const abort = new AbortController();
    const { signal } = abort;
    const replay: Replay = { socket, rooms: new Set(rooms), signal, cursor, source: 'ring', failedChecks: 0 };
    state = { kind: 'replaying', replay, abort };
    runReplay(replay).catch((error: unknown) => {
      if (signal.aborted) return;
      logger.error({ err: error, user_id: caller.userId }, 'a replay has failed');
      cutOff(socket);
    });
  }
  async function runReplay(replay: Replay): Promise<void> {
    let isAnnounced = false;
    if (!mayWrite(socket)) await untilRead(deps, replay);
    while (!replay.signal.aborted) {
      const step = nextReplayStep(replay, feed);
      if (step.kind === 'caught_up') {
        metrics.replays.inc({ from: replay.source });
        return goLive();
      }
      if (step.kind === 'gap') return goLiveAfterGap();
      if (!isAnnounced) sendStatus();
      isAnnounced = true;
      const outcome = await takeReplayStep(deps, replay, step);
      if (outcome === 'gap' && !replay.signal.aborted) return goLiveAfterGap();
    }
  }

  function serve(cursor: Cursor | null): void {
    if (!feed.isWarm()) sendStatus();
    else if (cursor) startReplay(cursor);
    else goLiveAfterGap();
  }

  // A client without a cursor that connects before the feed knows its stream may read `GET /orders` before that: events
  // between the two would be missing. It is owed a gap then.
  if (after === null && feed.isWarm()) goLive();
  else serve(after);
  return {
    sendStatus,
    onStatusChange: () => (state.kind === 'waiting' ? serve(state.cursor) : sendStatus()),
    onGap: () => {
      leaveFeed();
      if (state.kind !== 'waiting') state = { kind: 'waiting', cursor: null };
    },
    checkBacklog: () => {
      const newest = feed.ring.newest();
      if (state.kind !== 'live' || !newest || !isBehind(socket)) return;
      metrics.slow.inc({ outcome: 'behind' });
      leaveFeed();
      startReplay({ kind: 'event', offset: newest.offset, id: newest.id });
    },
    close: () => {
      if (state.kind === 'replaying') state.abort.abort();
    },
  };
}
