import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType } from '@comanda/contracts/events';
import { createBatcher } from '../runtime/batcher.ts';
import { every } from '../runtime/every.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { createOutboxMetrics } from './outbox-metrics.ts';
import { isOwnEvent } from './own-events.ts';
import type { Message, Publisher } from './publisher.ts';
import { tracePublishing } from './trace-messages.ts';

/** A document's id, and events that wait in its outbox, oldest first. */
export type Pending = { documentId: unknown; messages: readonly Message[] };

/** Stores events inside documents until they are published, so that each write and its events are stored together. */
export type OutboxStore = {
  /**
   * Returns the outboxes of up to `limit` documents that have an event at least `olderThanMs` milliseconds old, oldest first.
   * Returns fewer if they exceed 16 MB together. The documents are then claimed: for 10 s, callers with another `by` do not get
   * them.
   */
  claim: (what: { by: string; olderThanMs: number; limit: number }) => Promise<Pending[]>;
  /** Removes these published events from their documents' outboxes. */
  remove: (published: readonly Pending[]) => Promise<void>;
  /** Returns the age of the oldest waiting event in milliseconds; null if none is waiting. */
  oldestMs: () => Promise<number | null>;
};

export type Outbox = {
  /**
   * Publishes a document's events immediately. Called after each write, with the document's whole outbox after that write, oldest
   * event first. Never throws or waits: events that can't be published now are published by the sweep.
   */
  publishNow: (documentId: unknown, messages: readonly Message[]) => void;
  /** Returns true if this process published the event and the broker confirmed it. Only the last 10,000 events are remembered. */
  isPublished: (eventId: string) => boolean;
  /** Waits up to 2 s for events that are being published. Call this before closing the publisher. */
  close: () => Promise<void>;
};

type Options = {
  /** The collection's name in metrics and logs. */
  name: string;
  store: OutboxStore;
  /** The event types that this service may publish, such as `eventTypesOf('/orders')`. */
  types: readonly EventType[];
  /** Returns true if the database is up and has its indexes. Until then, the outbox is not swept. */
  isReady: () => boolean;
  publisher: Publisher;
  logger: Logger;
  metrics: Metrics;
  tracer: Tracer;
};

const sweepEveryMs = 2000;
/** Returns the pause between two sweeps, with jitter so that instances do not sweep at the same time. */
const pauseMs = (): number => sweepEveryMs * (0.9 + Math.random() / 5);
const sweepLimit = 200;
const maxInFlight = 10_000;
const maxRemembered = 10_000;

/**
 * Creates the transactional outbox, which publishes events that were stored together with their documents' changes. Every event
 * is published at least once, unless a later write has replaced it: an event for an order or a dish contains the whole resource,
 * so it replaces older events that are still waiting. A document's events first appear in version order, because an event is
 * published only together with or after all earlier ones. There is one exception: if an event is replaced while another instance
 * is publishing it, it may appear after the newer event. So readers must ignore versions lower than the highest that they have
 * seen.
 */
export function createOutbox({ name, store: stored, types, isReady, publisher, tracer, ...options }: Options): Outbox {
  const by = crypto.randomUUID();
  const log = options.logger.child({ outbox: name });
  const store = onlyOwnEvents(stored, { types, logger: log });
  const state = { closed: false, publisherCameUp: false };
  const counters = createOutboxMetrics(options.metrics, name);
  // The events that this process is publishing, keyed by id, until they are confirmed and removed. They will appear before later
  // events, and need not be published again.
  const inFlight = new Map<string, { documentId: unknown; confirmed: Promise<void> }>();
  const published = new Set<string>();
  const removals = createBatcher<Pending, void>({
    maxBatch: 500,
    maxQueue: maxInFlight,
    run: async (pending) => {
      await store.remove(pending);
      return pending.map(() => ({ value: undefined }));
    },
  });

  function remember(messages: readonly Message[]): void {
    for (const { id } of messages) published.add(id);
    for (const oldest of published) {
      if (published.size <= maxRemembered) break;
      published.delete(oldest);
    }
  }
  /** Publishes a document's events and removes them from the outbox. Returns true if this call did so for all of them. */
  async function publishAndRemove({ documentId, messages }: Pending): Promise<boolean> {
    if (messages.length === 0) return true;
    const fresh = messages.filter(({ id }) => !inFlight.has(id));
    if (fresh.length === 0) return false;
    // Events that another document's outbox has too: the call for that document publishes them, and this one only removes them.
    const shared = messages.filter(({ id }) => inFlight.has(id) && inFlight.get(id)?.documentId !== documentId);
    const othersConfirmed = shared.map(({ id }) => inFlight.get(id)?.confirmed);
    const confirmed = tracePublishing(tracer, fresh, publisher.publish(fresh));
    for (const { id } of fresh) inFlight.set(id, { documentId, confirmed });
    try {
      await Promise.all([confirmed, ...othersConfirmed]);
      remember(fresh);
      counters.published.inc({ outbox: name }, fresh.length);
      await removals.submit({ documentId, messages: [...shared, ...fresh] });
      return shared.length + fresh.length === messages.length;
    } catch (error) {
      if (!state.closed) log.warn({ err: error }, 'could not publish events; the sweep will publish them');
      return false;
    } finally {
      for (const { id } of fresh) inFlight.delete(id);
    }
  }
  /** Publishes all waiting events, in batches to limit memory use. Ends when none is left, or after a failure. */
  async function sweep(): Promise<void> {
    const olderThanMs = state.publisherCameUp ? 0 : sweepEveryMs;
    state.publisherCameUp = false;
    // Usually no event is waiting, and this is the sweep's only query.
    const oldestMs = await store.oldestMs();
    for (let more = oldestMs !== null; more && publisher.isUp() && !state.closed;) {
      const pending = await store.claim({ by, olderThanMs, limit: sweepLimit });
      counters.swept.inc({ outbox: name }, pending.length);
      const done = await Promise.all(pending.map(publishAndRemove));
      more = pending.length > 0 && done.every(Boolean);
    }
    const leftMs = oldestMs === null ? null : await store.oldestMs();
    counters.age.set({ outbox: name }, (leftMs ?? 0) / 1000);
  }
  const sweeping = every({
    run: sweep,
    everyMs: pauseMs,
    isReady,
    logger: log,
    failure: 'could not sweep the outbox',
  });
  publisher.onUp(() => {
    state.publisherCameUp = true;
    sweeping.wake();
  });

  return {
    publishNow: (documentId, messages) => {
      if (publisher.isUp() && inFlight.size < maxInFlight) void publishAndRemove({ documentId, messages });
    },
    isPublished: (eventId) => published.has(eventId),
    close: async () => {
      state.closed = true;
      const swept = sweeping.close();
      const deadline = performance.now() + 2000;
      while (inFlight.size > 0 && publisher.isUp() && performance.now() < deadline) await sleep(10);
      // If the broker is down, the last sweep may be waiting for confirmations that never arrive.
      await Promise.race([swept, sleep(Math.max(0, deadline - performance.now()))]);
      await removals.close();
    },
  };
}

/**
 * Wraps a store so that it returns only events of `types`. Without this, anyone with write access to one service's database could
 * publish another service's events. Everything else in an outbox is removed, and logged as an error.
 */
function onlyOwnEvents(store: OutboxStore, { types, logger }: Pick<Options, 'types' | 'logger'>): OutboxStore {
  return {
    ...store,
    claim: async (what) => {
      const claimed = await store.claim(what);
      const select = (wanted: boolean): Pending[] =>
        claimed.map(({ documentId, messages }) => ({
          documentId,
          messages: messages.filter((message) => isOwnEvent(message, types) === wanted),
        }));
      const foreign = select(false).filter(({ messages }) => messages.length > 0);
      if (foreign.length > 0) {
        const documents = foreign.map(({ documentId }) => documentId);
        logger.error({ documents }, 'removed events that are not of this service from the outbox');
        await store.remove(foreign);
      }
      return select(true);
    },
  };
}
