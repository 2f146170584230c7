import { newSpanId, readTraceparent, toTraceparent, type TraceContext } from './trace-context.ts';

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
/** Attributes with names from the OpenTelemetry semantic conventions. Undefined attributes are omitted. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;
/** A span that has ended. Its times are from `performance.now()`, in milliseconds. */
export type FinishedSpan = Pick<TraceContext, 'traceId' | 'spanId'> & {
  /** The id of the parent span; null for the first span in a trace. */
  parentSpanId: string | null;
  /** A related span in another trace, such as the client's span; null if there is none. */
  link: TraceContext | null;
  kind: SpanKind;
  name: string;
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  /** The value of `error.type`; null if there was no error. */
  error: string | null;
};

/** An operation that has started and is being recorded. */
export type Span = {
  /** The `traceparent` header for calls to other services, which makes this span the parent of their spans. */
  readonly traceparent: string;
  /** Ends the span. Must be called exactly once, because a span that never ends is not recorded. */
  end: (result: Pick<FinishedSpan, 'name' | 'attributes'> & { error?: string | null }) => void;
};
/** `startedAt` is for an operation that started before the span was created, as a time from `performance.now()`. */
type SpanOptions = { kind: SpanKind; link?: TraceContext | null; startedAt?: number };

/** Records a service's work in traces. If a span isn't recorded, it is null. */
export type Tracer = {
  readonly isOn: boolean;
  /** Starts a new trace and its first span. Returns null if the trace is not recorded. */
  startTrace: (traceId: string, options: SpanOptions) => Span | null;
  /** Starts a child of the span that `traceparent` names. Returns null if the trace is not recorded. */
  startSpan: (traceparent: string, options: SpanOptions) => Span | null;
  /** Sends the remaining spans. Takes at most 2 s. */
  close: () => Promise<void>;
};

/** A tracer that records nothing. */
export const noTraces: Tracer = {
  isOn: false,
  startTrace: () => null,
  startSpan: () => null,
  close: () => Promise.resolve(),
};

type Options = {
  /** The proportion of new traces that are recorded, from 0 to 1. */
  ratio: number;
  /** Adds a finished span to the exporter. Never waits or throws. */
  add: (span: FinishedSpan) => void;
  close: () => Promise<void>;
};

export function createTracer({ ratio, add, close }: Options): Tracer {
  const isSampled = createSampler(ratio);
  function start(place: { traceId: string; parentSpanId: string | null }, options: SpanOptions): Span {
    const { kind, link = null, startedAt = performance.now() } = options;
    const { traceId } = place;
    const spanId = newSpanId();
    return {
      traceparent: toTraceparent({ traceId, spanId, sampled: true }),
      end: ({ name, attributes, error = null }) =>
        add({ ...place, spanId, link, kind, name, attributes, error, startedAt, endedAt: performance.now() }),
    };
  }
  return {
    isOn: true,
    startTrace: (traceId, options) => (isSampled(traceId) ? start({ traceId, parentSpanId: null }, options) : null),
    startSpan: (traceparent, options) => {
      const parent = readTraceparent(traceparent);
      return parent?.sampled ? start({ traceId: parent.traceId, parentSpanId: parent.spanId }, options) : null;
    },
    close,
  };
}

/**
 * How many hexadecimal digits of a trace id decide whether the trace is recorded. These last 56 bits are random [W3C Trace
 * Context 2], so all services decide in the same way.
 */
const randomDigits = 14;
function createSampler(ratio: number): (traceId: string) => boolean {
  const limit = ratio * 16 ** randomDigits;
  return (traceId) => Number.parseInt(traceId.slice(-randomDigits), 16) < limit;
}
