import { randomUUID } from 'node:crypto';

/** The contents of a `traceparent` header [W3C Trace Context]. */
export type TraceContext = {
  traceId: string;
  /** The id of the span that becomes the parent of the next spans. */
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

/**
 * Creates a random trace id from a UUID. `randomBytes` would take ten times as long, because Node caches random bytes only for
 * UUIDs.
 */
export const newTraceId = (): string => randomUUID().replaceAll('-', '');
/** Creates a random span id from a UUID's random digits. */
export function newSpanId(): string {
  const id = randomUUID();
  return id.slice(0, 8) + id.slice(24, 32);
}

/**
 * Creates a `traceparent` for an event that no request has caused. The trace is not recorded, but its id connects the event with
 * log lines.
 */
export const newTraceparent = (): string =>
  toTraceparent({ traceId: newTraceId(), spanId: newSpanId(), sampled: false });
