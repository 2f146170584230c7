import { randomUUID } from 'node:crypto';

/** The content of a `traceparent` [W3C Trace Context]. */
export type TraceContext = {
  traceId: string;
  /** The id of the parent span for the next spans. */
  spanId: string;
  /** True if the trace's spans are recorded. */
  sampled: boolean;
};

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const sampledFlag = 1;

/** Parses a `traceparent` of version 00. Returns null if `text` is invalid. */
export function readTraceparent(text: unknown): TraceContext | null {
  const [, traceId, spanId, flags] = (typeof text === 'string' && form.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0 };
}

export const toTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** Creates a random trace id from a UUID. Node caches random bytes for UUIDs, so `randomBytes` takes ten times as long. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '');
/** Creates a random span id from the random digits of a UUID. */
export function newSpanId(): string {
  const id = randomUUID();
  return id.slice(0, 8) + id.slice(24, 32);
}

/**
 * Creates a `traceparent` for an event without a request. The trace is not recorded, but its id connects the event with log
 * lines.
 */
export const newTraceparent = (): string =>
  toTraceparent({ traceId: newTraceId(), spanId: newSpanId(), sampled: false });
