import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { newSpanId, newTraceId, readTraceparent, toTraceparent } from '../tracing/trace-context.ts';
import type { Span, Tracer } from '../tracing/tracer.ts';

/**
 * The ids that connect a request's log lines, its response and its events. `traceparent` is what outgoing calls and events
 * contain: it names this request's span if that span is recorded.
 */
export type RequestContext = { requestId: string; traceparent: string; traceId: string };
/**
 * The senders of requests to this port. With `services`, other services send them, and their traces are continued. With
 * `anybody`, clients send them too, and each request starts a new trace, regardless of its headers.
 */
export type Senders = 'services' | 'anybody';

const requestIdForm = /^[A-Za-z0-9-]{8,64}$/;

/** Returns the request's `X-Request-Id` if it is valid, otherwise a new one. */
export function readRequestId(req: IncomingMessage): string {
  const { 'x-request-id': sent } = req.headers;
  return typeof sent === 'string' && requestIdForm.test(sent) ? sent : randomUUID();
}

/**
 * Creates a request's ids, and its span if the trace is recorded. The trace in a request's `traceparent` [W3C Trace Context] is
 * continued only if a service sent it. For any other client, the new trace only links to it. Otherwise, clients could decide
 * which traces are recorded, or add to those of others.
 */
export function beginRequest(
  req: IncomingMessage,
  { tracer, senders }: { tracer: Tracer; senders: Senders },
): { context: RequestContext; span: Span | null } {
  const requestId = readRequestId(req);
  const sent = readTraceparent(req.headers['traceparent']);
  if (sent && senders === 'services') {
    const received = toTraceparent(sent);
    const span = tracer.startSpan(received, { kind: 'server' });
    return { context: { requestId, traceparent: span?.traceparent ?? received, traceId: sent.traceId }, span };
  }
  const traceId = newTraceId();
  const span = tracer.startTrace(traceId, { kind: 'server', link: sent });
  const traceparent = span?.traceparent ?? toTraceparent({ traceId, spanId: newSpanId(), sampled: false });
  return { context: { requestId, traceparent, traceId }, span };
}
