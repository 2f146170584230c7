import type { CloudEvent } from '@comanda/contracts/event-data';
import type { FeedChecksums, FeedStatus } from '@comanda/contracts/feed';
import { heartbeatType, readHeartbeat } from '@comanda/shared/messaging/heartbeat';
import {
  createStreamReader,
  type FeedMessage,
  type ReaderState,
  type StreamReader,
} from '@comanda/shared/messaging/stream-reader';
import type { Clock } from '@comanda/shared/runtime/clock';
import { tracePush } from '@comanda/shared/messaging/trace-messages';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Tracer } from '@comanda/shared/tracing/tracer';
import type { NotifierConfig } from '../config.ts';
import type { FeedMetrics } from './feed-metrics.ts';
import { encodeCursor } from './cursor.ts';
import { readEntry, reportUnreadable, type Entry } from './entry.ts';
import { createHeartbeatMonitor } from './heartbeat-monitor.ts';
import { measureEvents } from './measure-events.ts';
import { createRing, type Ring } from './ring.ts';

/**
 * `live`: new events are sent immediately. `replaying`: the notifier is reading older events, or older events have yet to be
 * published. `stalled`: the notifier can't read the stream, or nothing new arrives.
 */
type StreamStatus = Exclude<FeedStatus, 'gap'>;
/**
 * `oldestWaitingMs`: how long the oldest event has been waiting to be published; set only while the feed is `replaying` for that
 * reason. `databaseEpoch` and `checksums` come from heartbeats. They are set only while the end of the stream is being read,
 * because older heartbeats are outdated.
 */
type FeedCondition = {
  status: StreamStatus;
  since: Date;
  oldestWaitingMs?: number;
  databaseEpoch?: string;
  checksums?: FeedChecksums;
};
type Listener = {
  /**
   * Called synchronously after an event was pushed to the ring. If a client reads the ring to its end and goes live in the same
   * turn, it therefore misses and repeats nothing. Returns how many clients were sent the event.
   */
  send: (entry: Entry) => number;
  onStatusChange: () => void;
  /** Called when the next events don't follow the previous ones. */
  onGap: () => void;
};

export type Feed = {
  /** Starts reading the stream. Call this only once. */
  start: (listener: Listener) => void;
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
  /** Creates the entry for an older message that another reader has read. */
  readEntry: (message: FeedMessage) => Entry;
  /** Resolves when the ring has reached `offset`, or after a gap. */
  reached: (offset: number) => Promise<void>;
  close: () => Promise<void>;
};
type Options = { config: NotifierConfig; logger: Logger; metrics: FeedMetrics; tracer: Tracer; clock: Clock };

const statusOf = { lost: 'stalled', catching_up: 'replaying', live: 'live' } as const satisfies Record<
  ReaderState,
  StreamStatus
>;

/** In milliseconds. Longer than it takes to report `stalled`, so that `stalled` is reported only once. */
const maxSilenceMs = 15_000;

/** Creates the feed: follows the end of the stream, and keeps the newest events in a ring. */
export function createFeed(options: Options): Feed {
  const { config, logger, metrics, tracer, clock } = options;
  const ring = createRing({ maxEntries: config.ringEvents, maxBytes: config.ringBytes });
  const measure = measureEvents(metrics, clock);
  const waiters = createOffsetWaiters();
  const createdAt = new Date(clock());
  let reader: StreamReader | null = null;
  let epoch: string = crypto.randomUUID();
  let isWarm = false;
  let hasRead = false;
  let onStatusChange = (): void => undefined;
  const heartbeats = createHeartbeatMonitor(clock, announceStatus);

  function status(): FeedCondition {
    const state = reader?.state() ?? 'lost';
    const silentSince = state === 'lost' ? null : heartbeats.silentSince();
    if (silentSince) return { status: 'stalled', since: silentSince };
    const since = reader?.since() ?? createdAt;
    const oldestWaitingMs = heartbeats.oldestWaitingMs();
    const databaseEpoch = heartbeats.databaseEpoch();
    const checksums = heartbeats.checksums();
    const known = state === 'live' && {
      ...(databaseEpoch !== null && { databaseEpoch }),
      ...(checksums && { checksums }),
    };
    if (state === 'live' && oldestWaitingMs !== null) return { status: 'replaying', since, oldestWaitingMs, ...known };
    return { status: statusOf[state], since, ...known };
  }
  function announceStatus(): void {
    metrics.live.set(status().status === 'live' ? 1 : 0);
    onStatusChange();
  }
  /**
   * Passes an event or a heartbeat to the monitor. An event proves as much as a heartbeat, but only heartbeats add their source
   * to those that are expected.
   */
  function noteHeartbeat({ type, content }: FeedMessage, event: CloudEvent | null): void {
    if (type === heartbeatType) heartbeats.takeHeartbeat(readHeartbeat(content));
    else heartbeats.heard(event?.source);
  }
  const read = (message: FeedMessage): ReturnType<typeof readEntry> =>
    readEntry(message, (error) => reportUnreadable(options, message, error));
  function onMessage(message: FeedMessage, listener: Listener): void {
    const { entry, event } = read(message);
    noteHeartbeat(message, event);
    const isLive = reader?.state() === 'live';
    const endPush = event && isLive ? tracePush(tracer, event) : null;
    ring.push(entry);
    const sockets = event ? listener.send(entry) : 0;
    waiters.wake(entry.offset);
    if (!event || !isLive) return;
    endPush?.(sockets);
    measure(event);
    logger.debug({ id: event.id, type: event.type, subject: event.subject, traceparent: event.traceparent }, 'event');
  }
  function onState(state: ReaderState): void {
    isWarm ||= state === 'live';
    hasRead ||= state !== 'lost';
    announceStatus();
  }
  function onGap(listener: Listener): void {
    ring.clear();
    epoch = crypto.randomUUID();
    isWarm = false;
    waiters.wake(Infinity);
    listener.onGap();
  }
  return {
    start: (listener) => {
      onStatusChange = listener.onStatusChange;
      reader = createStreamReader({
        url: config.rabbitmqUrl,
        name: 'notifier',
        logger,
        history: config.ringEvents,
        maxSilenceMs,
        onMessage: (message) => onMessage(message, listener),
        onState,
        onGap: () => onGap(listener),
      });
    },
    ring,
    status,
    isReading: () => reader !== null && reader.state() !== 'lost',
    hasRead: () => hasRead,
    isWarm: () => isWarm,
    epoch: () => epoch,
    cursor: () => (ring.newestSent() ?? ring.newest())?.cursor ?? encodeCursor({ kind: 'beginning', epoch }),
    readEntry: (message) => read(message).entry,
    reached: (offset) => ((ring.newest()?.offset ?? -1) >= offset ? Promise.resolve() : waiters.wait(offset)),
    close: async () => {
      heartbeats.close();
      await reader?.close();
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
