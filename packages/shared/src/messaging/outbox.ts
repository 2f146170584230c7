import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge } from 'prom-client';
import { createBatcher } from '../runtime/batcher.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Message, Publisher } from './publisher.ts';

/** A document and events of its outbox, oldest first. */
export type Pending = { documentId: unknown; messages: readonly Message[] };

/** Where events wait, inside the documents that they tell of. */
export type OutboxStore = {
  /**
   * Whole outboxes of up to `limit` documents with an event at least `olderThanMs` old, those that wait longest first.
   * No other caller gets them for the next 10 s, unless its `by` is the same.
   */
  claim: (what: { by: string; olderThanMs: number; limit: number }) => Promise<Pending[]>;
  /** Takes these events, and no others, out of the outboxes. */
  remove: (published: readonly Pending[]) => Promise<void>;
  /** Age of the oldest event that waits, in milliseconds; 0 where none does. */
  oldestMs: () => Promise<number>;
};

export type Outbox = {
  /**
   * Publishes a document's outbox, at once; to be called after each write with the whole outbox as that write left it,
   * oldest first. Never fails and never waits: what it cannot publish is found by the sweep.
   */
  publishNow: (documentId: unknown, messages: readonly Message[]) => void;
  /** Waits for what is under way, up to 2 s. The publisher is closed after it. */
  close: () => Promise<void>;
};

type Options = {
  /** Names the collection in metrics and logs. */
  name: string;
  store: OutboxStore;
  /** Whether the database is there, with its indexes: until then there is nothing to sweep. */
  isReady: () => boolean;
  publisher: Publisher;
  logger: Logger;
  metrics: Metrics;
};

const sweepEveryMs = 2000;
const portion = 200;
const mostUnderWay = 10_000;

/**
 * Takes events from the documents that they were written with to the broker. At least once, and for each document first
 * in the order of its versions: whoever publishes an event has published all before it, or found them confirmed.
 */
export function createOutbox({ name, store, isReady, publisher, logger, metrics }: Options): Outbox {
  const by = crypto.randomUUID();
  const log = logger.child({ outbox: name });
  const state = { stopped: false, cameUp: false };
  let wake: (() => void) | null = null;
  const count = countersOf(metrics, name);
  // Ids that this process is publishing: they come before anything that is published later, and need not go twice.
  const underWay = new Set<string>();
  const removals = createBatcher<Pending, void>({
    maxBatch: 500,
    maxQueue: mostUnderWay,
    run: async (published) => {
      await store.remove(published);
      return published.map(() => ({ value: undefined }));
    },
  });

  /** True when all of these events were published and taken out of the outbox by this call. */
  async function relay({ documentId, messages }: Pending): Promise<boolean> {
    const fresh = messages.filter(({ id }) => !underWay.has(id));
    if (fresh.length === 0) return false;
    for (const { id } of fresh) underWay.add(id);
    try {
      await publisher.publish(fresh);
      count.published.inc({ outbox: name }, fresh.length);
      await removals.submit({ documentId, messages: fresh });
      return fresh.length === messages.length;
    } catch (error) {
      if (!state.stopped) log.warn({ err: error }, 'events stay in the outbox until the sweep finds them');
      return false;
    } finally {
      for (const { id } of fresh) underWay.delete(id);
    }
  }
  /** In portions, so that memory is bounded; ends with one that is not full or did not go through. */
  async function sweep(olderThanMs: number): Promise<void> {
    if (!isReady()) return;
    for (let more = true; more && publisher.isUp() && !state.stopped;) {
      const pending = await store.claim({ by, olderThanMs, limit: portion });
      count.swept.inc({ outbox: name }, pending.length);
      const relayed = await Promise.all(pending.map(relay));
      more = pending.length === portion && relayed.every(Boolean);
    }
    count.age.set({ outbox: name }, (await store.oldestMs()) / 1000);
  }
  async function sweepAlways(): Promise<void> {
    while (!state.stopped) {
      const olderThanMs = state.cameUp ? 0 : sweepEveryMs;
      state.cameUp = false;
      try {
        await sweep(olderThanMs);
      } catch (error) {
        log.warn({ err: error }, 'could not sweep the outbox');
      }
      if (!state.stopped && !state.cameUp) await pause();
    }
  }
  /** Two seconds, a little more or less so that instances drift apart; `wake` ends it. */
  async function pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, sweepEveryMs * (0.9 + Math.random() / 5));
    await promise;
    clearTimeout(timer);
  }
  publisher.onUp(() => {
    state.cameUp = true;
    wake?.();
  });
  const sweeping = sweepAlways();

  return {
    publishNow: (documentId, messages) => {
      if (publisher.isUp() && underWay.size < mostUnderWay) void relay({ documentId, messages });
    },
    close: async () => {
      state.stopped = true;
      wake?.();
      await sweeping;
      const deadline = performance.now() + 2000;
      while (underWay.size > 0 && publisher.isUp() && performance.now() < deadline) await sleep(10);
      await removals.close();
    },
  };
}

function countersOf(metrics: Metrics, outbox: string) {
  const once = <T>(name: string, make: () => T): T => (metrics.getSingleMetric(name) as T | undefined) ?? make();
  const labelNames = ['outbox'] as const;
  const registers = [metrics];
  const counters = {
    published: once('comanda_outbox_published_total', () => {
      const help = 'Events that the broker has confirmed';
      return new Counter({ name: 'comanda_outbox_published_total', help, labelNames, registers });
    }),
    swept: once('comanda_outbox_swept_documents_total', () => {
      const help = 'Documents whose events were not published at once and were found by the sweep';
      return new Counter({ name: 'comanda_outbox_swept_documents_total', help, labelNames, registers });
    }),
    age: once('comanda_outbox_oldest_seconds', () => {
      const help = 'Age of the oldest event that waits for the broker, at the last sweep';
      return new Gauge({ name: 'comanda_outbox_oldest_seconds', help, labelNames, registers });
    }),
  };
  counters.published.inc({ outbox }, 0);
  counters.swept.inc({ outbox }, 0);
  counters.age.set({ outbox }, 0);
  return counters;
}
