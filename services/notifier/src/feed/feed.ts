import type { CloudEvent } from '@comanda/contracts/events';
import { createStreamReader } from '@comanda/shared/messaging/stream-reader';
import type { FeedMessage, ReaderState, StreamReader } from '@comanda/shared/messaging/stream-reader';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { NotifierConfig } from '../config.ts';
import type { NotifierMetrics } from '../metrics.ts';
import { encodeCursor } from './cursor.ts';
import { readEntry, unreadable } from './entry.ts';
import type { Entry } from './entry.ts';
import { measureEvents } from './measure-events.ts';
import { createRing } from './ring.ts';
import type { Ring } from './ring.ts';

/** `live`: what is published is sent at once; `replaying`: what is there already is being read; `stalled`: nothing is. */
type FeedStatus = 'live' | 'replaying' | 'stalled';
type Listener = {
  /**
   * In the very turn in which the ring got the event, so that whoever has read the ring to its end and joins in the same
   * turn misses nothing and gets nothing twice.
   */
  send: (entry: Entry, event: CloudEvent) => void;
  /** `gap`: what comes next does not follow what came before. */
  onChange: (change: 'status' | 'gap') => void;
};

export type Feed = {
  /** To be called once, when whoever listens is there. */
  start: (listener: Listener) => void;
  /** The events that can be replayed to anyone. */
  ring: Ring;
  status: () => { status: FeedStatus; since: Date };
  /** Whether the ring can be trusted: its end is where the stream stood when it was last heard. */
  isWarm: () => boolean;
  /** Changes with every gap. */
  epoch: () => string;
  /** Of the newest event; everybody was sent it who hears it. */
  cursor: () => string;
  /** Resolves once the ring has got to `offset`, or there was a gap. */
  reached: (offset: number) => Promise<void>;
  close: () => Promise<void>;
};

const statusOf = { lost: 'stalled', catching_up: 'replaying', live: 'live' } as const satisfies Record<
  ReaderState,
  FeedStatus
>;

/** The stream as this instance sees it: all of it, at its tail, with the recent past at hand. */
export function createFeed(options: { config: NotifierConfig; logger: Logger; metrics: NotifierMetrics }): Feed {
  const { config, logger, metrics } = options;
  const ring = createRing(config.ringEvents);
  const report = unreadable(logger, metrics.unreadable);
  const measure = measureEvents(metrics);
  const waiting = createWaiting();
  const started = new Date();
  let reader: StreamReader | null = null;
  let epoch: string = crypto.randomUUID();
  let warm = false;

  function onMessage(message: FeedMessage, listener: Listener): void {
    const { entry, event } = readEntry(message, report(message));
    ring.push(entry);
    if (event) listener.send(entry, event);
    waiting.wake(entry.offset);
    if (!event || reader?.state() !== 'live') return;
    measure(event);
    logger.debug({ id: event.id, type: event.type, subject: event.subject, traceparent: event.traceparent }, 'event');
  }
  return {
    start: (listener) => {
      reader = createStreamReader({
        url: config.rabbitmqUrl,
        name: 'notifier',
        logger,
        history: config.ringEvents,
        onMessage: (message) => onMessage(message, listener),
        onState: (state) => {
          warm ||= state === 'live';
          metrics.live.set(state === 'live' ? 1 : 0);
          listener.onChange('status');
        },
        onGap: () => {
          ring.clear();
          epoch = crypto.randomUUID();
          warm = false;
          waiting.wake(Infinity);
          listener.onChange('gap');
        },
      });
    },
    ring,
    status: () => ({ status: statusOf[reader?.state() ?? 'lost'], since: reader?.since() ?? started }),
    isWarm: () => warm,
    epoch: () => epoch,
    cursor: () => ring.newest()?.cursor ?? encodeCursor({ at: 'beginning', epoch }),
    reached: (offset) => ((ring.newest()?.offset ?? -1) >= offset ? Promise.resolve() : waiting.until(offset)),
    close: async () => reader?.close(),
  };
}

function createWaiting() {
  let waiting: { offset: number; resolve: () => void }[] = [];
  return {
    until: (offset: number): Promise<void> => new Promise((resolve) => waiting.push({ offset, resolve })),
    wake: (upTo: number): void => {
      if (waiting.length === 0) return;
      for (const { offset, resolve } of waiting) if (offset <= upTo) resolve();
      waiting = waiting.filter(({ offset }) => offset > upTo);
    },
  };
}
