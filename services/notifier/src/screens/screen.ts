import { setTimeout as sleep } from 'node:timers/promises';
import type { Position, StreamArchive } from '@comanda/shared/messaging/stream-reader';
import type { Logger } from '@comanda/shared/runtime/logger';
import { isStaff, roomsOf } from '../feed/audience.ts';
import { encodeCursor } from '../feed/cursor.ts';
import type { Cursor } from '../feed/cursor.ts';
import { readEntry, unreadable } from '../feed/entry.ts';
import type { Entry } from '../feed/entry.ts';
import type { Feed } from '../feed/feed.ts';
import type { Place } from '../feed/ring.ts';
import type { NotifierMetrics } from '../metrics.ts';
import { backlogOf, chunk, untilTaken } from './backlog.ts';
import type { Turns } from './turns.ts';
import { cutOff } from './wire.ts';
import type { FeedSocket } from './wire.ts';

/** One client of the feed, from its first word to its last. */
export type Screen = {
  /** Tells the client how it stands, and where. */
  tell: () => void;
  /** The stream's status has changed: the client is told, and served if it waited for that. */
  onStatus: () => void;
  /** The stream broke: what this client has been sent does not lead to what comes next. */
  onGap: () => void;
  /** Takes a client that is behind out of the live feed, to be given the rest as it reads it. */
  mindBacklog: () => void;
  close: () => void;
};
type Options = {
  socket: FeedSocket;
  feed: Feed;
  archive: StreamArchive;
  /** For reading the stream again. */
  turns: Turns;
  metrics: NotifierMetrics;
  logger: Logger;
};
/** One way of a client from a place in the stream to the live feed, until that is reached or something else takes over. */
type Replay = { isCurrent: () => boolean; told: boolean; from: 'ring' | 'stream'; looks: number };

/** Entries of the ring that are looked through in one turn. */
const lookAhead = 2000;
/** How often, and at what distance, a stream must say that it ends before a cursor: one whose broker has just started may err. */
const mostLooks = 5;
const lookEveryMs = 300;
/** A live client with more packets waiting than this is behind. */
const mostBehind = 512;

/**
 * Brings a client from its cursor to the live feed, with no hole and no reordering between: what it missed is written
 * from the ring, or by reading the stream again until the ring has it; reading the ring to its end and joining the rooms
 * are one synchronous turn, and so are pushing an event to the ring and sending it to the rooms.
 */
export function createScreen({ socket, feed, archive, turns, metrics, logger }: Options): Screen {
  const { caller, after } = socket.data;
  const rooms = roomsOf(caller);
  const heard: ReadonlySet<string> = new Set(rooms);
  const gone = new AbortController();
  let phase: 'waiting' | 'replaying' | 'live' = 'waiting';
  let seen: Cursor | null = after;
  // Who comes before the stream is known, and does not say from where, may read `GET /orders` before that: events
  // between the two would be missing.
  let owesGap = after === null && !feed.isWarm();
  let runs = 0;

  function tell(): void {
    const { status, since } = feed.status();
    const own = status === 'live' && phase !== 'live' ? 'replaying' : status;
    const cursor = phase === 'live' ? feed.cursor() : seen && encodeCursor(seen);
    const stalled = own === 'stalled' && { since: since.toISOString() };
    socket.emit('feed', { status: own, cursor, time: new Date().toISOString(), ...stalled });
  }
  function begin(): void {
    if (!feed.isWarm()) tell();
    else if (owesGap) tellGap();
    else if (seen) void replayFrom(seen);
    else join();
  }
  function join(): void {
    runs++;
    void socket.join([...rooms]);
    phase = 'live';
    tell();
  }
  function leave(): void {
    runs++;
    for (const room of rooms) void socket.leave(room);
  }
  function tellGap(): void {
    metrics.gaps.inc();
    owesGap = false;
    socket.emit('feed', { status: 'gap', cursor: feed.cursor(), time: new Date().toISOString() });
    join();
  }

  async function replayFrom(cursor: Cursor): Promise<void> {
    const run = ++runs;
    const replay: Replay = {
      isCurrent: () => run === runs && !gone.signal.aborted,
      told: false,
      from: 'ring',
      looks: 0,
    };
    phase = 'replaying';
    seen = cursor;
    try {
      if (backlogOf(socket) >= chunk) await taken();
      while (replay.isCurrent()) await goOn(replay, seen ?? cursor);
    } catch (error) {
      if (gone.signal.aborted) return;
      logger.error({ err: error, user_id: caller.userId }, 'a replay has failed');
      cutOff(socket);
    }
  }
  /** One step. What ends the replay happens in the turn in which it was found out. */
  function goOn(replay: Replay, cursor: Cursor): Promise<void> {
    const place = placeOf(cursor);
    if (cursor.at === 'event' && place === 'older' && isStaff(caller)) return readBack(replay, cursor);
    if (cursor.at === 'event' && place === 'newer') return awaitNewer(replay, cursor);
    if (typeof place === 'string') tellGap();
    else if (writeRing(replay, place.next)) {
      metrics.replays.inc({ from: replay.from });
      join();
    } else return taken();
    return Promise.resolve();
  }
  function placeOf(cursor: Cursor): Place {
    if (cursor.at === 'event') return feed.ring.place(cursor);
    return cursor.epoch === feed.epoch() ? feed.ring.beginning() : 'unknown';
  }
  /** Writes a chunk; true when that was the last of the ring. */
  function writeRing(replay: Replay, index: number): boolean {
    const entries = feed.ring.slice(index, lookAhead);
    if (entries.length > 0) tellOnce(replay);
    let written = 0;
    for (const entry of entries) {
      if (written >= chunk) return false;
      if (write(entry)) written++;
    }
    return entries.length < lookAhead;
  }
  /** Reads the stream again from this client's place, until the ring has what comes next. */
  function readBack(replay: Replay, from: Position): Promise<void> {
    replay.from = 'stream';
    tellOnce(replay);
    return turns.take(async () => {
      for await (const portion of archive.readAfter(from, gone.signal)) {
        if (!replay.isCurrent()) return;
        if (portion === 'gap') return tellGap();
        let last: Entry | null = null;
        for (const message of portion) {
          last = readEntry(message, unreadable(logger, metrics.unreadable)(message)).entry;
          write(last);
        }
        await taken();
        if (last && feed.ring.place(last) !== 'older') return;
      }
    });
  }
  /** A cursor from another instance can be a moment ahead of this one. One that the stream has not got to is not of it. */
  async function awaitNewer(replay: Replay, { offset }: Position): Promise<void> {
    tellOnce(replay);
    const newest = await turns.take(() => archive.newest(gone.signal));
    if (newest >= offset) await feed.reached(offset);
    else if (++replay.looks < mostLooks) await sleep(lookEveryMs, undefined, { signal: gone.signal });
    else if (replay.isCurrent()) tellGap();
  }
  function tellOnce(replay: Replay): void {
    if (!replay.told) tell();
    replay.told = true;
  }
  function write(entry: Entry): boolean {
    seen = { at: 'event', offset: entry.offset, id: entry.id };
    const hears = entry.rooms.some((room) => heard.has(room));
    if (hears) socket.conn.write(entry.packet);
    return hears;
  }
  function taken(): Promise<void> {
    return untilTaken(socket, gone.signal, () => {
      metrics.slow.inc({ outcome: 'cut_off' });
      logger.warn({ user_id: caller.userId }, 'a client has stopped reading');
    });
  }

  begin();
  return {
    tell,
    onStatus: () => (phase === 'waiting' && feed.isWarm() ? begin() : tell()),
    onGap: () => {
      leave();
      if (phase === 'waiting') return;
      phase = 'waiting';
      seen = null;
      owesGap = true;
    },
    mindBacklog: () => {
      const newest = feed.ring.newest();
      if (phase !== 'live' || backlogOf(socket) <= mostBehind || !newest) return;
      metrics.slow.inc({ outcome: 'behind' });
      leave();
      void replayFrom({ at: 'event', offset: newest.offset, id: newest.id });
    },
    close: () => {
      runs++;
      gone.abort();
    },
  };
}
