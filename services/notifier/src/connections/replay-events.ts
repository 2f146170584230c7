import { setTimeout as sleep } from 'node:timers/promises';
import type { LimitFunction } from 'p-limit';
import type { Position } from '@comanda/shared/messaging/read-stream';
import type { Logger } from '@comanda/shared/runtime/logger';
import { isStaff } from '../feed/audience.ts';
import type { Cursor } from '../feed/cursor.ts';
import type { Entry } from '../feed/entry.ts';
import type { Feed } from '../feed/feed.ts';
import { isSent, type RingPosition } from '../feed/ring.ts';
import type { StreamArchive } from '../stream/stream-archive.ts';
import type { ConnectionMetrics } from './connection-metrics.ts';
import { maxBytesPerWrite, maxPacketsPerWrite, mayWrite, untilDrained } from './backlog.ts';
import type { FeedSocket } from './socket-types.ts';

export type ReplayDeps = {
  feed: Feed;
  archive: StreamArchive;
  /** Limits how many clients read the stream at the same time. Clients are served in the order in which they asked. */
  archiveLimit: LimitFunction;
  metrics: ConnectionMetrics;
  logger: Logger;
};
/** A client's progress from its cursor to the end of the ring. */
export type Replay = {
  readonly socket: FeedSocket;
  readonly rooms: ReadonlySet<string>;
  /** Aborted when the client has disconnected or the replay is no longer needed. */
  readonly signal: AbortSignal;
  /** The cursor of the last event that was written to the client, or skipped because the client may not receive it. */
  cursor: Cursor;
  source: 'ring' | 'stream';
  /** How many checks have found that the stream ends before the cursor. */
  failedChecks: number;
};
export type ReplayStep =
  | { kind: 'caught_up' }
  | { kind: 'gap' }
  | { kind: 'write_ring'; entries: readonly Entry[]; isLast: boolean }
  | { kind: 'read_stream'; after: Position }
  | { kind: 'await_ring'; offset: number };

/** How many ring entries are examined in each turn of the event loop. */
const maxEntriesPerTurn = 2000;
/** How long a client that does not read may occupy a slot for reading the stream, in milliseconds. */
const maxSlotWaitMs = 250;
/**
 * How many checks must find that the stream ends before a cursor to prove a gap, and the pause between two checks in
 * milliseconds. One check is not enough, because a broker that has just started may report too few events.
 */
const maxFailedChecks = 5;
const checkEveryMs = 300;

/** Returns the next step of a replay. The step is valid only in the current turn of the event loop. */
export function nextReplayStep({ cursor, socket }: Replay, feed: Feed): ReplayStep {
  const position = positionInRing(cursor, feed);
  if (position.kind === 'in_ring') {
    const ahead = feed.ring.slice(position.next, maxEntriesPerTurn);
    const entries = ahead.filter(isSent);
    // The cursor never moves to a heartbeat, because the ring may drop that heartbeat before the client has read its events.
    return entries.length === 0
      ? { kind: 'caught_up' }
      : { kind: 'write_ring', entries, isLast: ahead.length < maxEntriesPerTurn };
  }
  if (cursor.kind === 'event' && position.kind === 'newer') return { kind: 'await_ring', offset: cursor.offset };
  if (cursor.kind === 'event' && position.kind === 'older' && isStaff(socket.data.caller))
    return { kind: 'read_stream', after: cursor };
  return { kind: 'gap' };
}

export function positionInRing(cursor: Cursor, feed: Feed): RingPosition {
  if (cursor.kind === 'event') return feed.ring.positionAfter(cursor);
  return cursor.epoch === feed.epoch() ? feed.ring.beginning() : { kind: 'unknown' };
}

/**
 * Runs a replay step, which may have to wait. Resolves to `gap` if the stream does not have the event at the cursor or an event
 * cannot be sent.
 */
export async function takeReplayStep(
  deps: ReplayDeps,
  replay: Replay,
  step: Exclude<ReplayStep, { kind: 'caught_up' | 'gap' }>,
): Promise<'continue' | 'gap'> {
  if (step.kind === 'write_ring') return writeRing(deps, replay, step);
  if (step.kind === 'await_ring') return awaitRing(deps, replay, step.offset);
  replay.source = 'stream';
  await untilRead(deps, replay); // comes first, so that a slow connection does not block other clients
  return deps.archiveLimit(() => readStream(deps, replay, step.after));
}

type WriteRing = { entries: readonly Entry[]; isLast: boolean };

async function writeRing(
  deps: ReplayDeps,
  replay: Replay,
  { entries, isLast }: WriteRing,
): Promise<'continue' | 'gap'> {
  const written = { packets: 0, bytes: 0 };
  for (const entry of entries) {
    if (written.packets === maxPacketsPerWrite || written.bytes >= maxBytesPerWrite) {
      await untilRead(deps, replay);
      return 'continue';
    }
    const outcome = write(deps, replay, entry);
    if (outcome === 'failed') return 'gap';
    if (outcome === 'skipped') continue;
    written.packets++;
    written.bytes += entry.packet.length;
  }
  if (!isLast) await untilRead(deps, replay);
  return 'continue';
}

/** Reads the stream from `after` until the ring has the next event, or until the client falls too far behind. */
async function readStream(deps: ReplayDeps, replay: Replay, after: Position): Promise<'continue' | 'gap'> {
  const { archive, feed } = deps;
  for await (const messages of archive.readAfter(after, replay.signal)) {
    if (replay.signal.aborted) return 'continue';
    if (messages === 'gap') return 'gap';
    for (const message of messages) if (write(deps, replay, feed.readEntry(message)) === 'failed') return 'gap';
    await untilRead(deps, replay, maxSlotWaitMs);
    if (!mayWrite(replay.socket) || positionInRing(replay.cursor, feed).kind !== 'older') break;
  }
  return 'continue';
}

/**
 * Waits until the ring reaches a cursor from another instance, which may have read slightly more of the stream. If the stream
 * never reaches the cursor, the cursor belongs to another stream.
 */
async function awaitRing(deps: ReplayDeps, replay: Replay, offset: number): Promise<'continue' | 'gap'> {
  const { archive, archiveLimit, feed } = deps;
  const newest = await archiveLimit(() => archive.newest(replay.signal));
  if (newest >= offset) await feed.reached(offset);
  else if (++replay.failedChecks === maxFailedChecks) return 'gap';
  else await sleep(checkEveryMs, undefined, { signal: replay.signal });
  return 'continue';
}

export const isFor = ({ rooms }: Pick<Replay, 'rooms'>, entry: Entry): boolean =>
  entry.rooms.some((room) => rooms.has(room));

/**
 * Moves the cursor past `entry`, and writes the entry unless the client may not receive it. If writing fails, the client must get
 * a gap: it then loads the lists and misses nothing. If the client were cut off instead, its next replay would fail at the same
 * entry.
 */
function write({ logger }: ReplayDeps, replay: Replay, entry: Entry): 'written' | 'skipped' | 'failed' {
  const { offset, id, type } = entry;
  const { socket } = replay;
  replay.cursor = { kind: 'event', offset, id };
  if (!isFor(replay, entry)) return 'skipped';
  try {
    socket.conn.write(entry.packet);
    return 'written';
  } catch (error) {
    logger.error({ err: error, id, type, user_id: socket.data.caller.userId }, 'an event could not be replayed');
    return 'failed';
  }
}

/**
 * Waits up to `maxWaitMs` milliseconds for the client to read most of its data. Disconnects a client that reads nothing.
 */
export function untilRead(
  { metrics, logger }: ReplayDeps,
  { socket, signal }: Replay,
  maxWaitMs?: number,
): Promise<void> {
  const onStuck = (): void => {
    metrics.slow.inc({ outcome: 'cut_off' });
    logger.warn({ user_id: socket.data.caller.userId }, 'a client has stopped reading');
  };
  return untilDrained(socket, { signal, onStuck, ...(maxWaitMs !== undefined && { maxWaitMs }) });
}
