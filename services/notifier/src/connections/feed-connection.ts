import type { Clock } from '@comanda/shared/runtime/clock';
import { roomsOfCaller } from '../feed/audience.ts';
import { encodeCursor, type Cursor } from '../feed/cursor.ts';
import type { Entry } from '../feed/entry.ts';
import { cutOff, isBehind, mayWrite } from './backlog.ts';
import {
  isFor,
  nextReplayStep,
  positionInRing,
  takeReplayStep,
  untilRead,
  type Replay,
  type ReplayDeps,
} from './replay-events.ts';
import type { FeedSocket } from './socket-types.ts';
import { textFrame } from './text-frame.ts';

/** One client of the feed, from its connection to its end. */
export type FeedConnection = {
  /** What the client may hear. */
  readonly rooms: ReadonlySet<string>;
  /** Sends an event of one of its rooms if the client is live. Returns 1 then, otherwise 0. */
  send: (packet: SharedPacket) => 0 | 1;
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

export type SharedPacket = { text: string; options: { compress: false; wsPreEncodedFrame: readonly Buffer[] } };
/**
 * An event as engine.io writes it to any number of clients. It would otherwise make a frame for each of them, which is
 * most of the work. `4`: a message [Engine.IO protocol 4].
 */
export const sharedPacket = ({ packet }: Entry): SharedPacket => ({
  text: packet,
  options: { compress: false, wsPreEncodedFrame: [textFrame(`4${packet}`)] },
});

/** `waiting`: for the feed to know its stream; without a cursor the client is owed a `gap`. */
type State =
  | { kind: 'waiting'; cursor: Cursor | null }
  | { kind: 'replaying'; replay: Replay; abort: AbortController }
  | { kind: 'live' };

/**
 * Brings a client from its cursor to the live feed with nothing missing, repeated or out of order: what it missed is
 * replayed until the ring has no more. To find that out and to go live is one synchronous step; so is to push an event to
 * the ring and to send it to all live clients.
 */
export function createFeedConnection(socket: FeedSocket, deps: FeedConnectionDeps): FeedConnection {
  const { feed, metrics, logger, clock } = deps;
  const { caller, after } = socket.data;
  const rooms = new Set(roomsOfCaller(caller));
  let state: State = { kind: 'waiting', cursor: after };

  function sendStatus(): void {
    const { status, since, oldestWaitingMs, databaseEpoch, checksums } = feed.status();
    const own = status === 'live' && state.kind !== 'live' ? 'replaying' : status;
    const behind = own === 'replaying' && state.kind === 'replaying' && countAhead(state.replay);
    const stalledSince = own === 'stalled' && { since: since.toISOString() };
    socket.emit('feed', {
      status: own,
      cursor: currentCursor(),
      time: new Date(clock()).toISOString(),
      ...stalledSince,
      ...(typeof behind === 'number' && { behind }),
      ...(oldestWaitingMs !== undefined && { oldest_waiting_ms: oldestWaitingMs }),
      ...(databaseEpoch !== undefined && { database_epoch: databaseEpoch }),
      ...(checksums && { checksums }),
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
    state = { kind: 'live' };
    sendStatus();
  }
  function goLiveAfterGap(): void {
    metrics.gaps.inc();
    socket.emit('feed', { status: 'gap', cursor: feed.cursor(), time: new Date(clock()).toISOString() });
    goLive();
  }
  function abortReplay(): void {
    if (state.kind === 'replaying') state.abort.abort();
  }

  function startReplay(cursor: Cursor): void {
    const abort = new AbortController();
    const { signal } = abort;
    const replay: Replay = { socket, rooms, signal, cursor, source: 'ring', failedChecks: 0 };
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
    rooms,
    send: ({ text, options }) => {
      if (state.kind !== 'live') return 0;
      socket.conn.write(text, options);
      return 1;
    },
    sendStatus,
    onStatusChange: () => (state.kind === 'waiting' ? serve(state.cursor) : sendStatus()),
    onGap: () => {
      abortReplay();
      if (state.kind !== 'waiting') state = { kind: 'waiting', cursor: null };
    },
    checkBacklog: () => {
      const newest = feed.ring.newestSent();
      if (state.kind !== 'live' || !newest || !isBehind(socket)) return;
      metrics.slow.inc({ outcome: 'behind' });
      startReplay({ kind: 'event', offset: newest.offset, id: newest.id });
    },
    close: abortReplay,
  };
}
