import type { TraceContext } from './trace-context.ts';
import type { Attributes, FinishedSpan, SpanKind } from './tracer.ts';

/** Spans' kinds as numbers, because OTLP's JSON format represents enums as numbers. */
const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
const statusOfError = { code: 2 };

/**
 * Encodes one span in OTLP's JSON format, where ids are hexadecimal and 64-bit integers are strings. `epochMs` is what must be
 * added to `performance.now()` to get milliseconds since 1970.
 */
export function encodeSpan(span: FinishedSpan, epochMs: number): string {
  const { traceId, spanId, parentSpanId, name, kind, startedAt, endedAt, attributes, error, link } = span;
  return JSON.stringify({
    traceId,
    spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    flags: 1,
    name,
    kind: kinds[kind],
    startTimeUnixNano: toNanoseconds(epochMs + startedAt),
    endTimeUnixNano: toNanoseconds(epochMs + endedAt),
    attributes: encodeAttributes(error === null ? attributes : { ...attributes, 'error.type': error }),
    ...(link && { links: [encodeLink(link)] }),
    ...(error !== null && { status: statusOfError }),
  });
}

/** Creates the body of a request to `/v1/traces`. */
export const encodeRequest = (resource: Attributes, spans: readonly string[]): string =>
  `{"resourceSpans":[{"resource":{"attributes":${JSON.stringify(encodeAttributes(resource))}},` +
  `"scopeSpans":[{"scope":{"name":"comanda"},"spans":[${spans.join(',')}]}]}]}`;

/** Converts milliseconds to nanoseconds, rounded to whole microseconds, which a number represents exactly. */
const toNanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`;

const encodeLink = ({ traceId, spanId }: TraceContext) => ({ traceId, spanId });

const encodeAttributes = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return { key, value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) } };
  });
