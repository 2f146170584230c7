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

/** A client's connection to the feed, from connecting to disconnecting. */
export type FeedConnection = {
  /** Rooms whose events the client may receive. */
  readonly rooms: ReadonlySet<string>;
  /** Sends an event from one of the client's rooms if the client is live. Returns 1 if the event was sent, else 0. */
  send: (packet: SharedPacket) => 0 | 1;
  sendStatus: () => void;
  /** Call this when the feed's status has changed. Sends the status, or starts serving a client that was waiting for the feed. */
  onStatusChange: () => void;
  /** Call this when the feed has a gap: the next events don't follow the ones that this client has received. */
  onGap: () => void;
  /** If the client is behind, removes it from the live feed and replays the remaining events at the client's own pace. */
  checkBacklog: () => void;
  /** Cuts the client off, so that it reconnects and gets the missed events from a replay. */
  cutOff: () => void;
  close: () => void;
};
export type FeedConnectionDeps = ReplayDeps & { clock: Clock };

export type SharedPacket = {
  event: Pick<Entry, 'id' | 'type'>;
  text: string;
  options: { compress: false; wsPreEncodedFrame: readonly Buffer[] };
};
/**
 * Encodes an event as engine.io would, once for all clients. Otherwise, engine.io would create a frame for each client, which is
 * most of the work. `4` marks a message [Engine.IO protocol 4].
 */
export const sharedPacket = ({ id, type, packet }: Entry): SharedPacket => ({
  event: { id, type },
  text: packet,
  options: { compress: false, wsPreEncodedFrame: [textFrame(`4${packet}`)] },
});

/** `waiting`: the feed doesn't know its stream yet. Once it does, a client without a cursor gets a `gap`. */
type State =
  | { kind: 'waiting'; cursor: Cursor | null }
  | { kind: 'replaying'; replay: Replay; abort: AbortController }
  | { kind: 'live' };

/**
 * Takes a client from its cursor to the live feed without missing, repeating or reordering events. Replays missed events until
 * the ring has no more. Checking for more events and going live is one synchronous step. Pushing an event to the ring and sending
 * it to all live clients is another.
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
  /**
   * Counts the events in the ring that this client has yet to receive. Returns null while the client is still getting older
   * events.
   */
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

  // A client without a cursor may fetch `GET /orders` before the feed knows its stream. It would then miss the events in between,
  // so it gets a gap.
  if (after === null && feed.isWarm()) goLive();
  else serve(after);
  return {
    rooms,
    send: ({ event, text, options }) => {
      if (state.kind !== 'live') return 0;
      try {
        socket.conn.write(text, options);
        return 1;
      } catch (error) {
        logger.error({ err: error, ...event, user_id: caller.userId }, 'an event could not be sent to a client');
        cutOff(socket);
        return 0;
      }
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
    cutOff: () => cutOff(socket),
    close: abortReplay,
  };
}
