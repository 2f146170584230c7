import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { encodeRequest, encodeSpan } from './otlp-json.ts';
import { createPoster, type HttpResponse } from './post-spans.ts';
import type { Attributes, FinishedSpan } from './tracer.ts';

type Options = {
  /** The collector's base URL. */
  endpoint: string;
  /** Names and values of additional request headers. The values may be secret. */
  headers: readonly (readonly [string, string])[];
  /** Attributes that describe the service. */
  resource: Attributes;
  logger: Logger;
  metrics: Metrics;
  /** The pause between two batches, in milliseconds; by default 1,000. A span waits this long for other spans, at most. */
  everyMs?: number;
};
export type SpanExporter = {
  /** Adds a span to the queue. Never waits or throws. If the queue is full, the span is dropped and counted. */
  add: (span: FinishedSpan) => void;
  /** Sends the waiting spans. Takes at most 2 s. */
  close: () => Promise<void>;
};

const defaultEveryMs = 1000;
const maxBatch = 512;
/** The maximum number of spans that wait in memory, where they take about 4 MB. */
export const maxQueue = 4096;
const maxRetryMs = 30_000;
const closeTimeoutMs = 2000;

/**
 * Creates an exporter that sends spans to a collector as OTLP over HTTP in JSON. It sends a batch every second, or as soon as a
 * batch is full, with one request at a time. If the collector may accept a batch later, the batch is retried after up to 30 s,
 * and new spans wait in the queue in the meantime. A rejected batch is dropped.
 */
export function createSpanExporter({
  endpoint,
  headers,
  resource,
  logger,
  metrics,
  everyMs = defaultEveryMs,
}: Options): SpanExporter {
  const url = new URL(`${endpoint.replace(/\/+$/, '')}/v1/traces`);
  const post = createPoster(url, Object.fromEntries(headers));
  const count = createSpanCounter(metrics);
  const log = logger.child({ collector: url.host });
  const queue: string[] = [];
  const state = { failures: 0, notBefore: 0, refusedWith: 0, closed: false };
  let sending: Promise<void> | null = null;

  async function sendBatch(): Promise<'goes_on' | 'waits'> {
    const batch = queue.slice(0, maxBatch);
    const response = await post(encodeRequest(resource, batch));
    if (response.kind === 'later') {
      wait(response);
      return 'waits';
    }
    queue.splice(0, batch.length);
    const refused = response.kind === 'refused' ? batch.length : Math.min(response.rejected, batch.length);
    count('exported', batch.length - refused);
    count('refused', refused);
    const status = response.kind === 'refused' ? response.status : 0;
    if (status !== 0 && status !== state.refusedWith)
      log.warn({ status }, 'the collector refuses spans; they are dropped');
    state.refusedWith = status;
    if (state.failures > 0) log.info('the collector takes spans again');
    state.failures = 0;
    return 'goes_on';
  }
  function wait({ reason, afterMs }: Extract<HttpResponse, { kind: 'later' }>): void {
    if (state.failures++ === 0)
      log.warn({ reason }, 'the collector takes no spans; they wait, and are dropped when there are too many');
    const delayMs = Math.min(maxRetryMs, everyMs * 2 ** Math.min(state.failures, 10)) * (0.5 + Math.random() / 2);
    state.notBefore = performance.now() + Math.min(maxRetryMs, afterMs ?? delayMs);
  }
  /** Sends all full batches, and then the remaining spans, so that no span waits longer than a second. */
  async function sendWaiting(): Promise<void> {
    for (let last = false; queue.length > 0 && !last;) {
      last = queue.length < maxBatch && !state.closed;
      if ((await sendBatch()) === 'waits') return;
    }
  }
  function send(): Promise<void> {
    sending ??= sendWaiting().finally(() => (sending = null));
    return sending;
  }
  const sendUnlessWaiting = (): void => {
    if (queue.length > 0 && performance.now() >= state.notBefore) void send();
  };
  const timer = setInterval(sendUnlessWaiting, everyMs).unref();

  return {
    add: (span) => {
      if (state.closed || queue.length >= maxQueue) return count('dropped', 1);
      queue.push(encodeSpan(span, epochMs()));
      if (queue.length === maxBatch) setImmediate(sendUnlessWaiting);
    },
    close: async () => {
      state.closed = true;
      clearInterval(timer);
      const all = async (): Promise<void> => {
        await sending; // a run that was already in progress may have missed the last spans
        await send();
      };
      await Promise.race([all(), sleep(closeTimeoutMs, undefined, { ref: false })]);
      post.close();
      count('dropped', queue.splice(0).length);
    },
  };
}

/**
 * Returns the time in milliseconds since 1970 minus `performance.now()`. This difference is not constant, because
 * `performance.now()` stops while the machine sleeps.
 */
function epochMs(): number {
  const now = Date.now() - performance.now();
  return Math.abs(now - performance.timeOrigin) < 10 ? performance.timeOrigin : now;
}

type Outcome = 'exported' | 'refused' | 'dropped';
function createSpanCounter(metrics: Metrics): (outcome: Outcome, spans: number) => void {
  const counter = new Counter({
    name: 'comanda_trace_spans_total',
    help: 'Spans that the collector took (exported), that it refused, and that were dropped because it took none',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  for (const outcome of ['exported', 'refused', 'dropped']) counter.inc({ outcome }, 0);
  return (outcome, spans) => counter.inc({ outcome }, spans);
}
