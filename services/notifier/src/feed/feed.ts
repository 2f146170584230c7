import type { CloudEvent } from '@comanda/contracts/events';
import type { FeedStatus } from '@comanda/contracts/feed';
import { createStreamReader } from '@comanda/shared/messaging/stream-reader';
import type { FeedMessage, ReaderState, StreamReader } from '@comanda/shared/messaging/stream-reader';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { NotifierConfig } from '../config.ts';
import type { NotifierMetrics } from '../metrics.ts';
import { encodeCursor } from './cursor.ts';
import { readEntry, reportUnreadable } from './entry.ts';
import type { Entry } from './entry.ts';
import { measureEvents } from './measure-events.ts';
import { createRing } from './ring.ts';
import type { Ring } from './ring.ts';

/** `live`: new events are sent at once; `replaying`: the notifier reads older events; `stalled`: it reads nothing. */
type StreamStatus = Exclude<FeedStatus, 'gap'>;
type Listener = {
  /**
   * Called synchronously after the ring got the event. A client that has read the ring to its end and joins its rooms in
   * the same turn of the event loop misses nothing and gets nothing twice.
   */
  send: (entry: Entry, event: CloudEvent) => void;
  onStatusChange: () => void;
  /** What comes next does not follow what came before. */
  onGap: () => void;
};

export type Feed = {
  /** Starts to read the stream. To be called once. */
  start: (listener: Listener) => void;
  /** The events that can be replayed to anyone. */
  ring: Ring;
  status: () => { status: StreamStatus; since: Date };
  /** Whether the ring is known to end where the stream ended when it was last read. */
  isWarm: () => boolean;
  /** Changes with every gap. */
  epoch: () => string;
  /** Of the newest event that was sent. */
  cursor: () => string;
  /** Resolves when the ring has reached `offset`, or after a gap. */
  reached: (offset: number) => Promise<void>;
  close: () => Promise<void>;
};
type Options = { config: NotifierConfig; logger: Logger; metrics: NotifierMetrics; clock: Clock };

const statusOf = { lost: 'stalled', catching_up: 'replaying', live: 'live' } as const satisfies Record<
  ReaderState,
  StreamStatus
>;

/** The stream as this instance reads it: followed at its end, with the newest events in a ring. */
export function createFeed(options: Options): Feed {
  const { config, logger, metrics, clock } = options;
  const ring = createRing(config.ringEvents);
  const measure = measureEvents(metrics, clock);
  const waiters = createOffsetWaiters();
  const createdAt = new Date(clock());
  let reader: StreamReader | null = null;
  let epoch: string = crypto.randomUUID();
  let isWarm = false;

  function onMessage(message: FeedMessage, listener: Listener): void {
    const { entry, event } = readEntry(message, (error) => reportUnreadable(options, message, error));
    ring.push(entry);
    if (event) listener.send(entry, event);
    waiters.wake(entry.offset);
    if (!event || reader?.state() !== 'live') return;
    measure(event);
    logger.debug({ id: event.id, type: event.type, subject: event.subject, traceparent: event.traceparent }, 'event');
  }
  function onState(state: ReaderState, listener: Listener): void {
    isWarm ||= state === 'live';
    metrics.live.set(state === 'live' ? 1 : 0);
    listener.onStatusChange();
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
      reader = createStreamReader({
        url: config.rabbitmqUrl,
        name: 'notifier',
        logger,
        history: config.ringEvents,
        onMessage: (message) => onMessage(message, listener),
        onState: (state) => onState(state, listener),
        onGap: () => onGap(listener),
      });
    },
    ring,
    status: () => ({ status: statusOf[reader?.state() ?? 'lost'], since: reader?.since() ?? createdAt }),
    isWarm: () => isWarm,
    epoch: () => epoch,
    cursor: () => ring.newest()?.cursor ?? encodeCursor({ kind: 'beginning', epoch }),
    reached: (offset) => ((ring.newest()?.offset ?? -1) >= offset ? Promise.resolve() : waiters.wait(offset)),
    close: async () => reader?.close(),
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
