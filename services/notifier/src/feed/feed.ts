import type { CloudEvent } from '@comanda/contracts/event-data';
import type { FeedChecksums, FeedStatus } from '@comanda/contracts/feed';
import type { FeedMessage } from '@comanda/shared/messaging/read-stream';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { NotifierConfig } from '../config.ts';
import { followStream, type StreamChange, type StreamState } from '../stream/follow-stream.ts';
import { createQueue } from '../stream/queue.ts';
import type { FeedMetrics } from './feed-metrics.ts';
import { encodeCursor } from './cursor.ts';
import { readMessage, reportUnreadable, type Entry, type ReadMessage } from './entry.ts';
import { createHeartbeatMonitor } from './heartbeat-monitor.ts';
import { createRing, type Ring } from './ring.ts';

/**
 * `live`: new events are sent immediately. `replaying`: the notifier is reading older events, or older events have yet to be
 * published. `stalled`: the notifier can't read the stream, or nothing new arrives.
 */
type StreamStatus = Exclude<FeedStatus, 'gap'>;
/**
 * `oldestWaitingMs`: how long the oldest event has been waiting to be published; set only while the feed is `replaying` for that
 * reason. `databaseEpoch` and `checksums` come from heartbeats. They are set only while the end of the stream is being read,
 * because earlier heartbeats are outdated.
 */
type FeedCondition = {
  status: StreamStatus;
  since: Date;
  oldestWaitingMs?: number;
  databaseEpoch?: string;
  checksums?: FeedChecksums;
};
/**
 * A change of the feed. `event`: an event that is now in the ring. `isLive` is false for events that were read after an
 * interruption. `status`: the feed's status may have changed. `gap`: the next events don't follow the previous ones.
 */
export type FeedChange =
  | { kind: 'event'; entry: Entry; event: CloudEvent; isLive: boolean }
  | { kind: 'status' }
  | { kind: 'gap' };

export type Feed = {
  /**
   * All changes of the feed, in order, until the feed is closed. Only one loop can read them. A change is applied to the ring and
   * the status when the loop takes it. Send the change to the live clients in the same turn of the event loop. Then a client that
   * reads the ring to its end and goes live in one turn misses and repeats nothing.
   */
  changes: AsyncIterable<Iterable<FeedChange>>;
  /** Events that can be replayed to any client. */
  ring: Ring;
  status: () => FeedCondition;
  /** Returns true while the stream is being read, even if nothing new arrives. */
  isReading: () => boolean;
  /** Returns true once the stream has been read at least once. From then on, clients can be sent `stalled`. */
  hasRead: () => boolean;
  /** Returns true once the ring has reached the end of the stream; false again after a gap. */
  isWarm: () => boolean;
  /** Returns an id that changes with every gap. */
  epoch: () => string;
  cursor: () => string;
  /** Creates the entry for an older message that was read from the archive. */
  readEntry: (message: FeedMessage) => Entry;
  /** Resolves when the ring has reached `offset`, or after a gap. */
  reached: (offset: number) => Promise<void>;
  close: () => Promise<void>;
};
/** Something that the feed must handle. `second`: another second has passed. */
type Arrival = StreamChange | { kind: 'second' };
type Options = { config: NotifierConfig; logger: Logger; metrics: FeedMetrics; clock: Clock };

const statusOf = { lost: 'stalled', catching_up: 'replaying', live: 'live' } as const satisfies Record<
  StreamState,
  StreamStatus
>;

/**
 * How long the stream may be silent before the notifier reconnects, in milliseconds. This is longer than it takes to report
 * `stalled`, so that a silence is reported only once.
 */
const maxSilenceMs = 15_000;

/** Creates the feed: follows the end of the stream, and keeps the newest events in a ring. */
export function createFeed(options: Options): Feed {
  const { config, logger, metrics, clock } = options;
  const ring = createRing({ maxEntries: config.ringEvents, maxBytes: config.ringBytes });
  const waiters = createOffsetWaiters();
  const heartbeats = createHeartbeatMonitor(clock);
  const arrivals = createQueue<Arrival>();
  const reader = followStream({
    url: config.rabbitmqUrl,
    logger,
    history: config.ringEvents,
    maxSilenceMs,
    changes: arrivals,
  });
  const timer = setInterval(() => arrivals.add({ kind: 'second' }), 1000);
  const state = {
    stream: 'lost' as StreamState,
    since: new Date(clock()),
    epoch: crypto.randomUUID() as string,
    isWarm: false,
    hasRead: false,
  };

  function status(): FeedCondition {
    const { stream, since } = state;
    const silentSince = stream === 'lost' ? null : heartbeats.silentSince();
    if (silentSince) return { status: 'stalled', since: silentSince };
    const oldestWaitingMs = heartbeats.oldestWaitingMs();
    const databaseEpoch = heartbeats.databaseEpoch();
    const checksums = heartbeats.checksums();
    const known = stream === 'live' && {
      ...(databaseEpoch !== null && { databaseEpoch }),
      ...(checksums && { checksums }),
    };
    if (stream === 'live' && oldestWaitingMs !== null) return { status: 'replaying', since, oldestWaitingMs, ...known };
    return { status: statusOf[stream], since, ...known };
  }
  function statusChange(): FeedChange {
    metrics.live.set(status().status === 'live' ? 1 : 0);
    return { kind: 'status' };
  }
  function readOrReport(message: FeedMessage): ReadMessage {
    const read = readMessage(message);
    if (read.kind === 'unreadable') reportUnreadable(options, message, read.error);
    return read;
  }
  /**
   * Applies a message. Like a heartbeat, an event shows that its source is alive. But the monitor expects further messages only
   * from sources that have sent a heartbeat.
   */
  function* applyMessage(message: FeedMessage): Generator<FeedChange> {
    const arrived = readOrReport(message);
    const { entry } = arrived;
    if (arrived.kind === 'heartbeat') heartbeats.takeHeartbeat(arrived.heartbeat);
    else heartbeats.heard(arrived.kind === 'event' ? arrived.event.source : undefined);
    if (heartbeats.hasChanged()) yield statusChange();
    ring.push(entry);
    if (arrived.kind === 'event') yield { kind: 'event', entry, event: arrived.event, isLive: state.stream === 'live' };
    waiters.wake(entry.offset);
  }
  function applyState(stream: StreamState): FeedChange {
    Object.assign(state, { stream, since: new Date() });
    state.isWarm ||= stream === 'live';
    state.hasRead ||= stream !== 'lost';
    return statusChange();
  }
  function applyGap(): FeedChange {
    ring.clear();
    state.epoch = crypto.randomUUID();
    state.isWarm = false;
    waiters.wake(Infinity);
    return { kind: 'gap' };
  }
  /**
   * Applies each arrival to the ring and the status, and yields the resulting changes. Each arrival is applied only when the loop
   * asks for the next change.
   */
  function* apply(batch: readonly Arrival[]): Generator<FeedChange> {
    for (const arrival of batch) {
      if (arrival.kind === 'messages') for (const message of arrival.messages) yield* applyMessage(message);
      else if (arrival.kind === 'state') yield applyState(arrival.state);
      else if (arrival.kind === 'gap') yield applyGap();
      else {
        heartbeats.secondPassed();
        if (heartbeats.hasChanged()) yield statusChange();
      }
    }
  }
  async function* changes(): AsyncGenerator<Iterable<FeedChange>> {
    for await (const batch of arrivals) yield apply(batch);
  }
  return {
    changes: changes(),
    ring,
    status,
    isReading: () => state.stream !== 'lost',
    hasRead: () => state.hasRead,
    isWarm: () => state.isWarm,
    epoch: () => state.epoch,
    cursor: () =>
      (ring.newestSent() ?? ring.newest())?.cursor ?? encodeCursor({ kind: 'beginning', epoch: state.epoch }),
    readEntry: (message) => readOrReport(message).entry,
    reached: (offset) => ((ring.newest()?.offset ?? -1) >= offset ? Promise.resolve() : waiters.wait(offset)),
    close: async () => {
      clearInterval(timer);
      arrivals.close();
      await reader.close();
    },
  };
}

function createOffsetWaiters() {
  let waiting: { offset: number; resolve: () => void }[] = [];
  return {
    wait: (offset: number): Promise<void> => new Promise((resolve) => waiting.push({ offset, resolve })),
    wake: (upTo: number): void => {
      if (waiting.length === 0) return;
      for (const { offset, resolve } of waiting) if (offset <= upTo) resolve();
      waiting = waiting.filter(({ offset }) => offset > upTo);
    },
  };
}
